/** A proxy under test, with its conductor by hand: lines of text, in each dialect of the proxy protocol. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as AcpProxy from "../src/AcpProxy.ts"
import * as MessageLink from "../src/MessageLink.ts"
import type * as ProxyDialect from "../src/ProxyDialect.ts"
import * as LineSide from "./LineSide.ts"

type InterceptorsOf<R> = (neighbours: AcpProxy.Neighbours) => AcpProxy.Interceptors<R>

/** A proxy that nobody has initialized, and its conductor. */
export const start = <R = never>(interceptorsOf?: InterceptorsOf<R>, options?: MessageLink.Options) =>
  Effect.gen(function* () {
    const conductor = yield* LineSide.make
    const link = yield* MessageLink.overBytes(conductor.transport, options)
    const proxy = yield* AcpProxy.make(link, interceptorsOf)
    return { ...conductor, proxy }
  })

/** Takes the next line that the proxy writes, and compares it character by character. */
export const expectNext = (side: Pick<LineSide.LineSide, "next">, line: string) =>
  Effect.map(side.next, (next) => assert.strictEqual(next, line))

/** The initialization of a proxy in each dialect. */
export const initialize: { readonly [Dialect in ProxyDialect.ProxyDialect]: string } = {
  proxy: '"method":"proxy/initialize","params":{"protocolVersion":1}',
  _proxy: '"method":"_proxy/initialize","params":{"protocolVersion":1}',
  meta: '"method":"initialize","params":{"protocolVersion":1,"_meta":{"proxy":true}}'
}

/** The names of the envelopes of requests and notifications in each dialect. */
const envelopes: {
  readonly [Dialect in ProxyDialect.ProxyDialect]: { readonly request: string; readonly notification: string }
} = {
  proxy: { request: "proxy/successor", notification: "proxy/successor" },
  _proxy: { request: "_proxy/successor", notification: "_proxy/successor" },
  meta: { request: "_proxy/successor/request", notification: "_proxy/successor/notification" }
}

/** A request, or a notification without `id`, as a line. `rest` is text: the method and what follows. */
export const line = (rest: string, id?: string) => `{"jsonrpc":"2.0",${id === undefined ? "" : `"id":${id},`}${rest}}`

/** A message of the agent's side as a line, in the envelope of a dialect. */
export const wrapped = (rest: string, id?: string, dialect: ProxyDialect.ProxyDialect = "proxy") =>
  line(`"method":"${envelopes[dialect][id === undefined ? "notification" : "request"]}","params":{${rest}}`, id)

/** An answer as a line. `rest` is text: the result or the error. */
export const answer = (id: string | number, rest: string) => `{"jsonrpc":"2.0","id":${id},${rest}}`

/** A `$/cancel_request` as a line. */
export const cancel = (id: string | number) => line(`"method":"$/cancel_request","params":{"requestId":${id}}`)

/** A proxy that is initialized, whose next request has the id 2, and its conductor. */
export const ready = <R = never>(
  interceptorsOf?: InterceptorsOf<R>,
  dialect: ProxyDialect.ProxyDialect = "proxy",
  version: number = 1
) =>
  Effect.gen(function* () {
    const conductor = yield* start(interceptorsOf)
    yield* conductor.send(line(initialize[dialect].replace('"protocolVersion":1', `"protocolVersion":${version}`), "0"))
    assert.include(yield* conductor.next, `"id":1,"method":"${envelopes[dialect].request}"`)
    yield* conductor.send(answer(1, `"result":{"protocolVersion":${version}}`))
    assert.include(yield* conductor.next, `"id":0,"result":{"protocolVersion":${version}`)
    return conductor
  })
