/** What clients of each scope may do, over real sockets: every call and every command, generated from the tables. */
import { assert, describe, it } from "@effect/vitest"
import { type ClientScope, clientScopes, covers, type ScopeNeed } from "@signalbox/contracts/ClientScope"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import { commandScopes, scopeNeedOf } from "@signalbox/contracts/RpcScopes"
import * as Clients from "@signalbox/loopback/Clients"
import * as Arbitrary from "effect/Arbitrary"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { HttpApp } from "../../src/http/HttpApp.ts"
import { frame, open, rpcCall, text } from "./support/Frames.ts"
import { clientsFile, layer, raw } from "./support/ServerUnderTest.ts"

interface Call {
  readonly tag: string
  readonly payload: unknown
}

/** One call of every kind, with a payload that the server can read. */
const calls = Effect.gen(function* () {
  const made: Array<Call> = []
  for (const [tag, { payloadSchema }] of SignalboxRpc.requests) {
    const [payload] = yield* Arbitrary.sampleEffect(Arbitrary.schema(payloadSchema), { count: 1, seed: tag, size: 2 })
    made.push({ tag, payload: payload ?? null })
  }
  for (const type of Object.keys(commandScopes))
    made.push({ tag: "send", payload: { commandId: "c", threadId: "t", command: { ...minimal, type } } })
  return made
})

/** The fields of all commands. A command ignores those of others. */
const minimal = {
  provider: "eliza",
  cwd: "/",
  title: "t",
  turnId: "u",
  prompt: [{ type: "text", text: "x" }],
  held: true,
  requestId: "r",
  response: { type: "accept" },
  settingId: "s",
  value: true
}

const run = (file: string) => Effect.map(Layer.build(layer({ clientsFile: file })), Context.get(HttpApp))
const inFile = (file: string) => Clients.open(file, { warn: (message) => assert.fail(message) })

const program = (file: string, scope: ClientScope) => inFile(file).add({ scope, name: scope }, Date.now())

/** The first answer to a call. */
const answered = ({ port }: { readonly port: number }, token: string, { payload, tag }: Call) =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* open({ port, token })
      connection.send(frame(text, rpcCall("7", tag, payload)))
      return yield* connection.hears(/\{"_tag":"(?:Exit|Chunk)","requestId":"7".*/)
    })
  )

const wordsOf = ({ does, needs }: ScopeNeed, has: ClientScope) => [
  `This client may not ${does}.`,
  `That needs the scope ${needs}. This client (${has}) has the scope ${has}.`
]

describe("a client", () => {
  for (const has of clientScopes) {
    it.live(`with the scope ${has} may do what that covers, and is refused everything else in words`, () =>
      Effect.gen(function* () {
        const file = clientsFile()
        const server = yield* run(file)
        let [refused, let_] = [0, 0]
        for (const call of yield* calls) {
          const need = scopeNeedOf(call.tag, call.payload)
          const answer = yield* answered(server, program(file, has).secret, call)
          const what = `${call.tag} ${JSON.stringify(call.payload)}: ${answer}`
          if (covers(has, need.needs)) {
            assert.notInclude(answer, "OutOfScope", what)
            // The server has read the call, so that a refusal would have come.
            assert.notInclude(answer, "SchemaError", what)
            let_++
          } else {
            assert.include(answer, '"_tag":"OutOfScope"', what)
            for (const sentence of wordsOf(need, has)) assert.include(answer, sentence, what)
            refused++
          }
        }
        assert.isAbove(let_, 0)
        assert.strictEqual(refused === 0, has === "admin")
      })
    )
  }

  it.live("of any scope sees the numbers; nobody else does; anybody sees that the server lives", () =>
    Effect.gen(function* () {
      const file = clientsFile()
      const { port } = yield* run(file)
      const status = (path: string, ...headers: ReadonlyArray<string>) =>
        Effect.map(
          raw(port, [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, "Connection: close", ...headers]),
          (answer) => answer.status
        )
      for (const scope of clientScopes) {
        const { client, secret } = program(file, scope)
        assert.strictEqual(yield* status("/metrics", `Authorization: Bearer ${secret}`), 200)
        assert.isTrue(inFile(file).revoke(client.id))
        assert.strictEqual(yield* status("/metrics", `Authorization: Bearer ${secret}`), 401)
      }
      assert.strictEqual(yield* status("/metrics"), 401)
      assert.strictEqual(yield* status("/health"), 200)
    })
  )

  it.live("that says by itself who it is, in headers of its call, is who it was let in as", () =>
    Effect.gen(function* () {
      const file = clientsFile()
      const server = yield* run(file)
      const { client, secret } = program(file, "view")
      const connection = yield* open({ port: server.port, token: secret })
      const says = ["signalbox-client", "authorization", "cookie", "x-signalbox-scope"].map((name) => [name, "server"])
      const call = rpcCall("1", "revokeAllClients").replace('"headers":[]', `"headers":${JSON.stringify(says)}`)
      connection.send(frame(text, call))
      assert.include(yield* connection.hears(/"requestId":"1".*/), '"_tag":"OutOfScope"')
      connection.send(frame(text, rpcCall("2", "hello").replace('"headers":[]', `"headers":${JSON.stringify(says)}`)))
      assert.include(yield* connection.hears(/"requestId":"2".*/), `"client":{"id":"${client.id}"`)
    })
  )

  it.live("whose scope changes is cut off, also from streams, and has the new scope from the next call on", () =>
    Effect.gen(function* () {
      const file = clientsFile()
      const server = yield* run(file)
      const { client, secret } = program(file, "admin")
      const connection = yield* open({ port: server.port, token: secret })
      connection.send(frame(text, rpcCall("1", "watchClients")))
      yield* connection.hears(/"requestId":"1"/)
      inFile(file).change(client.id, { scope: "view" })
      connection.send(frame(text, rpcCall("2", "revokeAllClients")))
      // Whichever comes first: the answer, or the end.
      const answer = yield* Effect.raceFirst(
        connection.hears(/"requestId":"2".*/),
        Effect.as(connection.closed, "closed")
      )
      if (answer !== "closed") assert.include(answer, '"_tag":"OutOfScope"')
      yield* connection.closed
      assert.include(yield* answered(server, secret, { tag: "watchClients", payload: null }), '"_tag":"OutOfScope"')
    })
  )
})
