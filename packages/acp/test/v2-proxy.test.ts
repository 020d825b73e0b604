/** A proxy whose interceptors have the types of version 1, on connections of version 2. */
import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ChildProcess from "effect/process/ChildProcess"
import * as AcpClient from "../src/AcpClient.ts"
import type * as AcpProxy from "../src/AcpProxy.ts"
import * as V1 from "../src/AcpSchema.ts"
import * as DialectV2 from "../src/DialectV2.ts"
import * as V2 from "../src/internal/generated/v2.ts"
import type { RpcError } from "../src/JsonRpc.ts"
import * as JsonTexts from "./JsonTexts.ts"
import { answer, expectNext, line, ready, wrapped } from "./ProxySide.ts"

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const conductor = path("fixtures/conductor.mjs")
const sdkAgent = path("fixtures/sdk-v2-agent.mjs")

describe("The README's proxy before an agent of version 2 on the official SDK", () => {
  it.live("adds its greeting, and lets the turn end", () =>
    Effect.gen(function* () {
      const chain = [conductor, path("../examples/proxy.ts"), sdkAgent]
      const child = yield* ChildProcess.make(process.execPath, chain, { stderr: "inherit", forceKillAfter: "1 second" })
      const told: Array<unknown> = []
      const client = yield* AcpClient.make(
        { input: child.stdout, output: child.stdin },
        {
          onUpdates: (batch) => Effect.sync(() => told.push(...batch.map(({ raw }) => raw))),
          requestPermission: () => Effect.succeed({ outcome: { outcome: "cancelled" } })
        },
        { dialect: DialectV2.dialect }
      )
      const { agentInfo } = yield* client.initialize({ clientInfo: { name: "test", version: "0" } })
      assert.strictEqual(agentInfo?.name, "sdk-v2-agent")
      const { sessionId } = yield* client.newSession({ cwd: "/", mcpServers: [] })
      const { stopReason } = yield* client.prompt({ sessionId, prompt: [{ type: "text", text: "Hello" }] })
      assert.strictEqual(stopReason, "end_turn")
      assert.match(JSON.stringify(told), /Good morning!.*Hello/)
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("Interceptors of every method, on a connection of version 2", () => {
  const lookAt = (methods: object) =>
    Object.fromEntries(
      Object.keys(methods).map((method) => [
        method,
        (params: unknown, forward: AcpProxy.Forward<unknown, unknown, RpcError>) => forward(params)
      ])
    )
  const all = (): AcpProxy.Interceptors =>
    ({
      clientRequests: lookAt(V1.agentRequests),
      clientNotifications: lookAt(V1.agentNotifications),
      agentRequests: lookAt(V1.clientRequests),
      agentNotifications: lookAt(V1.clientNotifications)
    }) as unknown as AcpProxy.Interceptors

  it.effect.prop(
    "only look at messages: any parameters and results are passed on as they stand",
    { params: JsonTexts.params, value: JsonTexts.any },
    ({ params, value }) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { next, send } = yield* ready(all, "proxy", 2)
          let id = 1
          for (const method of Object.keys({ ...V1.agentRequests, ...V2.agentRequests })) {
            if (method === "initialize") continue
            const said = `"method":"${method}","params":${params}`
            yield* send(line(said, '"c"'))
            yield* expectNext({ next }, wrapped(said, String(++id)))
            yield* send(answer(id, `"result":${value}`))
            yield* expectNext({ next }, answer('"c"', `"result":${value.trimStart()}`))
          }
          for (const method of Object.keys({ ...V1.clientRequests, ...V2.clientRequests })) {
            const said = `"method":"${method}","params":${params}`
            yield* send(wrapped(said, '"a"'))
            yield* expectNext({ next }, line(said, String(++id)))
            yield* send(answer(id, `"result":${value}`))
            yield* expectNext({ next }, answer('"a"', `"result":${value.trimStart()}`))
          }
          for (const method of Object.keys({ ...V1.agentNotifications, ...V2.agentNotifications })) {
            const said = `"method":"${method}","params":${params}`
            yield* send(line(said))
            yield* expectNext({ next }, wrapped(said))
          }
          for (const method of Object.keys({ ...V1.clientNotifications, ...V2.clientNotifications })) {
            const said = `"method":"${method}","params":${params}`
            yield* send(wrapped(said))
            yield* expectNext({ next }, line(said))
          }
        })
      )
  )

  const greet = (): AcpProxy.Interceptors => ({
    clientRequests: {
      "session/prompt": (params, forward) =>
        forward({ ...params, prompt: [{ type: "text", text: "Hi" }, ...params.prompt] })
    }
  })
  const prompt = '"method":"session/prompt","params":{"sessionId":"s","prompt":[],"x":1}'
  const malformed = '"method":"session/prompt","params":{"sessionId":"s","prompt":{},"x":1.0}'

  it.effect("change what reads as version 1, and pass on its result of version 2 as it stands", () =>
    Effect.gen(function* () {
      const { next, send } = yield* ready(greet, "proxy", 2)
      yield* send(line(prompt, "1"))
      yield* expectNext({ next }, wrapped(prompt.replace("[]", '[{"type":"text","text":"Hi"}]'), "2"))
      yield* send(answer(2, '"result":{"messageId":"m","n":1.0}'))
      yield* expectNext({ next }, answer(1, '"result":{"messageId":"m","n":1.0}'))
    })
  )

  it.effect("don't see what version 1 can't read, which is refused in version 1 only", () =>
    Effect.gen(function* () {
      const two = yield* ready(greet, "proxy", 2)
      yield* two.send(line(malformed, "1"))
      yield* expectNext(two, wrapped(malformed, "2"))
      const one = yield* ready(greet)
      yield* one.send(line(malformed, "1"))
      assert.include(yield* one.next, '"id":1,"error":{"code":-32602')
      yield* one.send(line(prompt, "2"))
      yield* one.next
      yield* one.send(answer(2, '"result":{"messageId":"m"}'))
      assert.include(yield* one.next, '"id":2,"error":{"code":-32603,"message":"Malformed result')
    })
  )
})
