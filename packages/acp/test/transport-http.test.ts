/** Streamable HTTP in detail, against a server by hand: what goes over the wire, and which failure ends what. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import * as AcpClient from "../src/AcpClient.ts"
import * as HttpTransport from "../src/HttpTransport.ts"
import * as ByHand from "./HttpAgentByHand.ts"

const hello = { clientInfo: { name: "test", version: "0" } }
const where = { cwd: "/", mcpServers: [] }
const text = (sessionId: string) => ({ sessionId, prompt: [{ type: "text" as const, text: "Hello" }] })

const connect = Effect.fnUntraced(function* (
  agent: ByHand.HttpAgentByHand,
  options: Partial<HttpTransport.Options> = {},
  handlers: Partial<AcpClient.Handlers> = {}
) {
  const transport = yield* HttpTransport.make({ url: agent.url, ...options })
  const client = yield* AcpClient.make(transport, {
    onUpdates: () => Effect.void,
    requestPermission: () => Effect.succeed({ outcome: { outcome: "cancelled" } }),
    ...handlers
  })
  return { client, transport }
})

const update = (sessionId: string, said: string) => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: said } } }
})

/** A request as it went over the wire, in short. */
const short = ({ message, session, verb }: ByHand.Exchanged) =>
  [verb, message?.method ?? (message === undefined ? undefined : "answer"), session].filter(Boolean).join(" ")

const posted = (method: string) => (request: ByHand.Exchanged) => request.message?.method === method

/** A prompt that the server takes and does not answer. */
const pending = (agent: ByHand.HttpAgentByHand, client: AcpClient.AcpClient, sessionId: string) =>
  Effect.gen(function* () {
    agent.refuse = (request) => (posted("session/prompt")(request) ? { status: 202 } : undefined)
    const turn = yield* Effect.forkChild(Effect.flip(client.prompt(text(sessionId))), { startImmediately: true })
    yield* agent.seen(posted("session/prompt"))
    agent.refuse = () => undefined
    return turn
  })

describe("[124] HttpTransport", () => {
  it.live("initializes without a connection, names it ever after, keeps cookies, and says when it is over", () =>
    Effect.gen(function* () {
      const agent = yield* ByHand.make
      const scope = yield* Scope.make()
      const { client, transport } = yield* Scope.provide(
        connect(agent, { headers: { authorization: "Bearer secret" } }),
        scope
      )
      yield* client.initialize(hello)
      assert.strictEqual(transport.connectionId(), "c1")
      const { sessionId } = yield* client.newSession(where)
      assert.deepStrictEqual(yield* client.prompt(text(sessionId)), { stopReason: "end_turn" })
      yield* Scope.close(scope, Exit.void)

      const [first, ...others] = agent.exchanged
      assert.deepInclude(first, { verb: "POST", connection: undefined, cookie: undefined })
      for (const request of others) assert.deepInclude(request, { connection: "c1", cookie: "balancer=7" })
      for (const request of agent.exchanged) assert.strictEqual(request.authorization, "Bearer secret")
      assert.deepStrictEqual(agent.exchanged.map(short).toSorted(), [
        "DELETE",
        "GET",
        "GET s1",
        "POST initialize",
        "POST session/new",
        "POST session/prompt s1"
      ])
      assert.strictEqual(short(others.at(-1) ?? assert.fail("nothing was sent")), "DELETE")
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.live("listens to a session before it loads it, and answers what is asked there with its name", () =>
    Effect.gen(function* () {
      const agent = yield* ByHand.make
      const { client } = yield* connect(agent)
      yield* client.initialize(hello)
      yield* client.loadSession({ sessionId: "old", ...where })
      const sent = agent.exchanged.map(short)
      assert.isBelow(sent.indexOf("GET old"), sent.indexOf("POST session/load old"))
      agent.send("old", {
        jsonrpc: "2.0",
        id: "ask",
        method: "session/request_permission",
        params: { sessionId: "old", toolCall: { toolCallId: "t" }, options: [] }
      })
      yield* agent.seen((request) => request.message?.id === "ask" && request.session === "old")
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.effect(
    "an agent that ignores the fence holds the answer to session/load up for two seconds, and not for ever",
    () =>
      Effect.gen(function* () {
        const agent = yield* ByHand.make
        agent.ignoresUnknown = true
        const { client } = yield* connect(agent)
        yield* client.initialize(hello)
        const load = yield* Effect.forkChild(client.loadSession({ sessionId: "old", ...where }))
        yield* agent.seen(posted(HttpTransport.fenceMethod))
        // The sleep begins when the fence was accepted; until then there is nothing to adjust.
        yield* Effect.raceFirst(
          Fiber.join(load),
          Effect.forever(
            Effect.andThen(
              TestClock.adjust("1 second"),
              Effect.promise(() => new Promise(setImmediate))
            )
          )
        )
      }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.live("a session whose stream is taken (409) fails alone, until it is loaded again", () =>
    Effect.gen(function* () {
      const agent = yield* ByHand.make
      const { client } = yield* connect(agent)
      yield* client.initialize(hello)
      yield* client.newSession(where)
      agent.refuse = ({ session, verb }) =>
        verb === "GET" && session === "taken" ? { status: 409, body: "has a receiver" } : undefined
      const load = () => client.loadSession({ sessionId: "taken", ...where })
      const data = { status: 409, body: "has a receiver" }
      assert.deepInclude(yield* Effect.flip(load()), { _tag: "RpcError", data })
      assert.deepInclude(yield* Effect.flip(client.prompt(text("taken"))), { _tag: "RpcError", data })
      assert.deepStrictEqual(yield* client.prompt(text("s1")), { stopReason: "end_turn" })
      agent.refuse = () => undefined
      yield* load()
      assert.deepStrictEqual(yield* client.prompt(text("taken")), { stopReason: "end_turn" })
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.live("a message that is refused with 409 fails what its session waits for", () =>
    Effect.gen(function* () {
      const agent = yield* ByHand.make
      const { client } = yield* connect(agent)
      yield* client.initialize(hello)
      yield* client.newSession(where)
      const turn = yield* pending(agent, client, "s1")
      agent.refuse = (request) => (posted("session/close")(request) ? { status: 409 } : undefined)
      assert.deepInclude(yield* Effect.flip(client.closeSession({ sessionId: "s1" })), { _tag: "RpcError" })
      assert.deepInclude(yield* Fiber.join(turn), { _tag: "RpcError", data: { status: 409, body: "" } })
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.live("any other refusal fails the request that met it, with the status and the beginning of what was said", () =>
    Effect.gen(function* () {
      const agent = yield* ByHand.make
      const { client } = yield* connect(agent)
      yield* client.initialize(hello)
      yield* client.newSession(where)
      for (const method of ["session/prompt", "session/new"]) {
        agent.refuse = (request) => (posted(method)(request) ? { status: 502, body: "x".repeat(100_000) } : undefined)
        const call = method === "session/new" ? Effect.asVoid(client.newSession(where)) : client.prompt(text("s1"))
        const failure = yield* Effect.flip(Effect.asVoid(call))
        assert.deepInclude(failure, { _tag: "RpcError", data: { status: 502, body: "x".repeat(8 * 1024) } })
      }
      agent.refuse = () => undefined
      assert.deepStrictEqual(yield* client.prompt(text("s1")), { stopReason: "end_turn" })
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.live.each([
    [401, "Unauthorized"],
    [403, "Unauthorized"],
    [404, "Gone"],
    [410, "Gone"]
  ] as const)("%i ends the connection: %s", ([status, reason]) =>
    Effect.gen(function* () {
      const agent = yield* ByHand.make
      const { client } = yield* connect(agent)
      yield* client.initialize(hello)
      yield* client.newSession(where)
      agent.refuse = (request) => (posted("session/prompt")(request) ? { status, body: "no" } : undefined)
      const failure = yield* Effect.flip(client.prompt(text("s1")))
      assert.strictEqual(failure._tag, "ConnectionClosed")
      const { transport } = yield* client.closed
      assert.deepInclude(transport, { reason, status, body: "no" })
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.live("a refusal that quotes our credentials is reported without them", () =>
    Effect.gen(function* () {
      const agent = yield* ByHand.make
      agent.refuse = () => ({ status: 422, body: "What is Bearer s3cr3t, or s3cr3t, or k3y-k3y, in json?" })
      const headers = { authorization: "Bearer s3cr3t", "x-api-key": "k3y-k3y", accept: "json" }
      const { client } = yield* connect(agent, { headers })
      yield* Effect.exit(client.initialize(hello))
      const { transport } = yield* client.closed
      assert.strictEqual(transport?.body, "What is [redacted], or [redacted], or [redacted], in json?")
      assert.notMatch(transport?.message ?? "", /s3cr3t|k3y/)
    }).pipe(Effect.scoped, Effect.provide(NodeHttpClient.layerUndici))
  )

  it.live("a message that nobody waits for has to arrive: if it is refused, the connection ends", () =>
    Effect.gen(function* () {
      const agent = yield* ByHand.make
      const { client } = yield* connect(agent)
      yield* client.initialize(hello)
      yield* client.newSession(where)
      agent.refuse = (request) => (posted("session/cancel")(request) ? { status: 500 } : undefined)
      yield* client.cancel({ sessionId: "s1" })
      assert.deepInclude((yield* client.closed).transport, { reason: "Rejected", status: 500 })
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.live("initialize that is refused, or answered by nobody or by something else, ends the connection", () =>
    Effect.gen(function* () {
      const agent = yield* ByHand.make
      agent.refuse = () => ({ status: 401, body: "who are you" })
      const refused = yield* connect(agent)
      yield* Effect.flip(refused.client.initialize(hello))
      assert.deepInclude((yield* refused.client.closed).transport, { reason: "Unauthorized", body: "who are you" })
      agent.refuse = () => ({ status: 200, body: "<html>" })
      const strange = yield* connect(agent)
      yield* Effect.flip(strange.client.initialize(hello))
      assert.deepInclude((yield* strange.client.closed).transport, { reason: "Malformed" })
      const nowhere = yield* connect(agent, { url: "http://127.0.0.1:1/acp" })
      yield* Effect.flip(nowhere.client.initialize(hello))
      assert.deepInclude((yield* nowhere.client.closed).transport, { reason: "Unreachable" })
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.live("a network that breaks ends the connection; a server that closes its stream ends it in order", () =>
    Effect.gen(function* () {
      const agent = yield* ByHand.make
      const broken = yield* connect(agent)
      yield* broken.client.initialize(hello)
      yield* agent.seen(({ verb }) => verb === "GET")
      agent.cut()
      assert.deepInclude((yield* broken.client.closed).transport, { reason: "Unreachable" })
      agent.exchanged.length = 0
      const ended = yield* connect(agent)
      yield* ended.client.initialize(hello)
      yield* agent.seen(({ verb }) => verb === "GET")
      agent.endStream(undefined)
      assert.deepInclude(yield* ended.client.closed, { reason: "InputEnded" })
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.live("a second initialize begins a connection anew; the end of the streams before it ends nothing", () =>
    Effect.gen(function* () {
      const agent = yield* ByHand.make
      const { client } = yield* connect(agent)
      yield* client.initialize(hello)
      yield* client.newSession(where)
      yield* client.prompt(text("s1"))
      agent.refuse = ({ verb }) => {
        if (verb !== "DELETE") return undefined
        agent.endStream(undefined)
        agent.endStream("s1")
        return { status: 202 }
      }
      yield* client.extRequest("initialize", { protocolVersion: 1 })
      assert.deepStrictEqual(yield* client.prompt(text("s1")), { stopReason: "end_turn" })
      assert.deepStrictEqual(
        agent.exchanged.map(short).filter((each) => each.startsWith("GET")),
        ["GET", "GET s1", "GET", "GET s1"]
      )
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.live("when the stream of a session ends, what it owes fails, and the next message opens it again", () =>
    Effect.gen(function* () {
      const agent = yield* ByHand.make
      const { client } = yield* connect(agent)
      yield* client.initialize(hello)
      yield* client.newSession(where)
      const turn = yield* pending(agent, client, "s1")
      agent.endStream("s1")
      assert.deepInclude(yield* Fiber.join(turn), { _tag: "RpcError", message: "The stream of the session was closed" })
      assert.deepStrictEqual(yield* client.prompt(text("s1")), { stopReason: "end_turn" })
      assert.strictEqual(agent.exchanged.map(short).filter((each) => each === "GET s1").length, 2)
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.live("listens to the session of a sub-agent when it is announced", () =>
    Effect.gen(function* () {
      const agent = yield* ByHand.make
      const { client } = yield* connect(agent)
      yield* client.initialize(hello)
      yield* client.newSession(where)
      yield* client.prompt(text("s1"))
      const announced = { sessionUpdate: "subagent_update", sessionId: "child" }
      agent.send("s1", { ...update("s1", ""), params: { sessionId: "s1", update: announced } })
      yield* agent.seen(({ session, verb }) => verb === "GET" && session === "child")
      assert.strictEqual(client.subagent("child")?.parentId, "s1")
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.live("listens no longer to a session that was closed", () =>
    Effect.gen(function* () {
      const agent = yield* ByHand.make
      const { client } = yield* connect(agent)
      yield* client.initialize(hello)
      yield* client.newSession(where)
      yield* client.prompt(text("s1"))
      yield* client.closeSession({ sessionId: "s1" })
      yield* agent.seen(() => !agent.hears("s1"))
      assert.isTrue(agent.hears(undefined))
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.live("reads events however they are cut and framed, up to the longest message", () =>
    Effect.gen(function* () {
      const agent = yield* ByHand.make
      const said: Array<string> = []
      const { client } = yield* connect(
        agent,
        { maxMessageBytes: 4_096 },
        {
          onUpdates: (batch) =>
            Effect.sync(() => {
              for (const each of batch) {
                if (each._tag !== "Known" || each.update.sessionUpdate !== "agent_message_chunk") continue
                if (each.update.content.type === "text") said.push(each.update.content.text)
              }
            })
        }
      )
      yield* client.initialize(hello)
      yield* client.newSession(where)
      yield* client.prompt(text("s1"))
      const [head = "", tail = ""] = JSON.stringify(update("s1", "ä 2"), undefined, 1).split('"params"')
      agent.raw("s1", `: alive\r\n\r\nid: 4\r\nevent: message\r\ndata:${JSON.stringify(update("s1", "1"))}\r\n\r\n`)
      agent.raw("s1", `${head}"params"`.replaceAll(/^/gm, "data: "))
      agent.raw("s1", `${tail.replaceAll("\n", "\ndata: ")}\n\n`)
      yield* client.prompt(text("s1"))
      assert.deepStrictEqual(said, ["1", "ä 2"])
      agent.raw("s1", `data: ${"x".repeat(5_000)}`)
      assert.deepInclude((yield* client.closed).transport, { reason: "Malformed", message: "A message is too long" })
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )
})
