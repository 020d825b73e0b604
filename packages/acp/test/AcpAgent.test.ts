import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as AcpAgent from "../src/AcpAgent.ts"
import * as AcpClient from "../src/AcpClient.ts"
import * as Acp from "../src/AcpSchema.ts"
import { ErrorCode } from "../src/JsonRpc.ts"
import * as Transport from "../src/Transport.ts"
import { everything, session } from "./ClientSide.ts"
import * as OtherSide from "./OtherSide.ts"
import { notification, request } from "./OtherSide.ts"

const basics = {
  initialize: () => Effect.succeed({ protocolVersion: 1 }),
  newSession: () => Effect.succeed({ sessionId: "s" }),
  prompt: () => Effect.succeed({ stopReason: "end_turn" } as const)
}

const login = { id: "login", name: "Log in" }

const silent: AcpClient.Handlers = {
  onUpdates: () => Effect.void,
  requestPermission: () => Effect.succeed({ outcome: { outcome: "cancelled" } })
}

const text = (words: string) => ({ type: "text", text: words }) as const
const initialize = request("init", "initialize", { protocolVersion: 1 })

describe("AcpAgent", () => {
  it.effect("answers nothing before initialize, and unknown methods as not found after it", () =>
    Effect.gen(function* () {
      const other = yield* OtherSide.make
      yield* AcpAgent.make(other.transport, () => basics)
      yield* other.send(request(0, "session/new", { cwd: "/", mcpServers: [] }))
      assert.strictEqual((yield* other.next).error?.code, ErrorCode.InvalidRequest)
      yield* other.send(initialize)
      assert.deepInclude(yield* other.next, { id: "init", result: { protocolVersion: 1 } })
      yield* other.send(request(1, "session/load", { sessionId: "s" }), request(2, "session/new", { cwd: "/" }))
      const codes = [yield* other.next, yield* other.next].map(({ error, id }) => [id, error?.code])
      assert.sameDeepMembers(codes, [
        [1, ErrorCode.MethodNotFound],
        [2, ErrorCode.InvalidParams]
      ])
    })
  )

  it.effect("[103] asks a client only for what it offers", () =>
    Effect.gen(function* () {
      const [here, there] = yield* Transport.pair()
      const agent = yield* AcpAgent.make(there, () => basics)
      const at = { sessionId: "s", terminalId: "t" }
      const early = yield* Effect.flip(agent.requestPermission({ ...at, toolCall: { toolCallId: "t" }, options: [] }))
      assert.strictEqual(early._tag, "InvalidRequest")
      const client = yield* AcpClient.make(here, {
        onUpdates: () => Effect.void,
        requestPermission: () => Effect.succeed({ outcome: { outcome: "cancelled" } }),
        readTextFile: ({ path }) => Effect.succeed({ content: path }),
        elicitation: { modes: ["form"], create: () => Effect.succeed({ action: "accept", content: { a: 1 } }) }
      })
      yield* client.initialize({ clientInfo: { name: "test", version: "0" } })
      assert.strictEqual(agent.initialized()?.clientInfo?.name, "test")
      assert.deepStrictEqual(yield* agent.readTextFile({ sessionId: "s", path: "/a" }), { content: "/a" })
      const form = {
        message: "m",
        sessionId: "s",
        mode: "form",
        requestedSchema: { properties: { a: { type: "number" } } }
      } as const
      assert.deepStrictEqual(yield* agent.createElicitation(form), { action: "accept", content: { a: 1 } })
      const refused = [
        agent.writeTextFile({ sessionId: "s", path: "/a", content: "" }),
        agent.createTerminal({ sessionId: "s", command: "ls" }),
        agent.terminalOutput(at),
        agent.waitForTerminalExit(at),
        agent.killTerminal(at),
        agent.releaseTerminal(at),
        agent.createElicitation({ message: "m", sessionId: "s", mode: "url", elicitationId: "e", url: "https://x" })
      ]
      const capabilities = yield* Effect.forEach(refused, (call) =>
        Effect.map(Effect.flip(call), (error) => ("capability" in error ? error.capability : error._tag))
      )
      assert.deepStrictEqual(capabilities, [
        "fs.writeTextFile",
        "terminal",
        "terminal",
        "terminal",
        "terminal",
        "terminal",
        "elicitation.url"
      ])
    })
  )

  it.effect("a prompt that runs does not keep cancel from being heard", () =>
    Effect.gen(function* () {
      const [here, there] = yield* Transport.pair()
      const started = yield* Deferred.make<void>()
      const cancelled = yield* Deferred.make<string>()
      yield* AcpAgent.make(there, () => ({
        ...basics,
        onCancel: ({ sessionId }) => Effect.asVoid(Deferred.succeed(cancelled, sessionId)),
        prompt: Effect.fnUntraced(function* ({ sessionId }) {
          yield* Deferred.succeed(started, undefined)
          return { stopReason: (yield* Deferred.await(cancelled)) === sessionId ? "cancelled" : "refusal" } as const
        })
      }))
      const client = yield* AcpClient.make(here, silent)
      yield* client.initialize({ clientInfo: { name: "test", version: "0" } })
      const turn = yield* Effect.forkChild(client.prompt({ sessionId: "s", prompt: [text("go")] }))
      yield* Deferred.await(started)
      yield* client.cancel({ sessionId: "s" })
      assert.deepStrictEqual(yield* Fiber.join(turn), { stopReason: "cancelled" })
    })
  )

  it.effect("a malformed cancel is reported, extensions are passed on in order", () =>
    Effect.gen(function* () {
      const other = yield* OtherSide.make
      const issues = yield* Queue.unbounded<AcpAgent.Issue>()
      const seen = yield* Queue.unbounded<string>()
      yield* AcpAgent.make(other.transport, () => ({
        ...basics,
        onCancel: ({ sessionId }) => Effect.asVoid(Queue.offer(seen, `cancel ${sessionId}`)),
        extNotification: ({ method }) => Effect.asVoid(Queue.offer(seen, method)),
        onIssue: (issue) => Queue.offerUnsafe(issues, issue)
      }))
      const cancel = (sessionId: unknown) => notification("session/cancel", { sessionId })
      yield* other.send(cancel(7), notification("_a", {}), cancel("s"), notification("_b", {}))
      assert.deepStrictEqual(
        [yield* Queue.take(seen), yield* Queue.take(seen), yield* Queue.take(seen)],
        ["_a", "cancel s", "_b"]
      )
      assert.deepInclude(yield* Queue.take(issues), {
        _tag: "MalformedNotification",
        method: "session/cancel",
        line: 1
      })
    })
  )

  it.effect("sends kinds of updates that a client has to ask for to those who did", () =>
    Effect.gen(function* () {
      const content = text("x")
      const gated: ReadonlyArray<readonly [string, Acp.SessionUpdate]> = [
        ["session.notices", { sessionUpdate: "notice", severity: "info", title: "t" }],
        ["session.compaction", { sessionUpdate: "compaction_update", compactionId: "c", status: "completed" }],
        ["session.compaction", { sessionUpdate: "compaction_summary_chunk", compactionId: "c", content }],
        ["plan", { sessionUpdate: "plan_update", plan: { type: "markdown", planId: "p", content: "" } }],
        ["plan", { sessionUpdate: "plan_removed", planId: "p" }],
        ["subagents", { sessionUpdate: "subagent_update", sessionId: "child" }],
        ["subagents", { sessionUpdate: "session_message", messageId: "m" }],
        ["subagents", { sessionUpdate: "session_message_chunk", messageId: "m", content }]
      ]
      const capabilities = { session: { notices: {}, compaction: {} }, plan: {}, subagents: {} }
      for (const clientCapabilities of [{ session: { notices: null } }, capabilities]) {
        const other = yield* OtherSide.make
        const agent = yield* AcpAgent.make(other.transport, () => basics)
        yield* other.send(request("init", "initialize", { protocolVersion: 1, clientCapabilities }))
        yield* other.next
        for (const [capability, update] of gated) {
          const exit = yield* Effect.result(agent.sendUpdate("s", update))
          if (clientCapabilities === capabilities) {
            assert.deepInclude(yield* other.next, { method: "session/update", params: { sessionId: "s", update } })
          } else assert.deepInclude(Result.getFailure(exit).pipe(Option.getOrThrow), { capability })
        }
        yield* agent.sendUpdate("s", { sessionUpdate: "agent_message_chunk", content })
        assert.strictEqual((yield* other.next).method, "session/update")
        assert.strictEqual(yield* other.waiting, 0)
      }
    })
  )

  it.effect("offers a login in a terminal to a client that has one", () =>
    Effect.gen(function* () {
      const authMethods = [
        { id: "tty", name: "TTY", type: "terminal" },
        { id: "web", name: "Web" }
      ] as const
      for (const [auth, expected] of [
        [{}, ["web"]],
        [{ terminal: false }, ["web"]],
        [{ terminal: true }, ["tty", "web"]]
      ] as const) {
        const [here, there] = yield* Transport.pair()
        yield* AcpAgent.make(there, () => ({
          ...basics,
          initialize: () => Effect.succeed({ protocolVersion: 1, authMethods })
        }))
        const client = yield* AcpClient.make(here, silent)
        const agent = yield* client.initialize({ clientInfo: { name: "test", version: "0" }, capabilities: { auth } })
        assert.deepStrictEqual(
          agent.authMethods?.map(({ id }) => id),
          [...expected]
        )
      }
    })
  )

  it.effect("answers all that the protocol has an agent answer, and the rest by a name of its own", () =>
    Effect.gen(function* () {
      const [here, there] = yield* Transport.pair()
      const called: Array<string> = []
      const answer =
        <A>(name: string, value: A) =>
        () =>
          Effect.sync(() => {
            called.push(name)
            return value
          })
      const told = yield* Queue.unbounded<string>()
      const agent = yield* AcpAgent.make(there, () => ({
        initialize: answer("initialize", { protocolVersion: 1, agentCapabilities: everything, authMethods: [login] }),
        authenticate: answer("authenticate", {}),
        authStatus: answer("auth/status", { state: "authenticated" }),
        logout: answer("logout", {}),
        newSession: answer("session/new", { sessionId: "s" }),
        loadSession: answer("session/load", {}),
        resumeSession: answer("session/resume", {}),
        forkSession: answer("session/fork", { sessionId: "f" }),
        listSessions: answer("session/list", { sessions: [] }),
        closeSession: answer("session/close", {}),
        deleteSession: answer("session/delete", {}),
        archiveSession: answer("session/archive", {}),
        unarchiveSession: answer("session/unarchive", {}),
        sessionStatus: answer("session/status", { status: "open" }),
        setTitle: answer("session/set_title", { title: "t" }),
        setMode: answer("session/set_mode", {}),
        setConfigOption: answer("session/set_config_option", { configOptions: [] }),
        listProviders: answer("providers/list", { providers: [] }),
        setProvider: answer("providers/set", {}),
        disableProvider: answer("providers/disable", {}),
        prompt: answer("session/prompt", { stopReason: "end_turn" } as const),
        extRequest: (method) => answer(method, {})(),
        onMcpMessage: ({ method }) => Effect.asVoid(Queue.offer(told, method))
      }))
      const status = yield* Deferred.make<string>()
      const client = yield* AcpClient.make(here, {
        ...silent,
        onAuthStatus: ({ state }) => Effect.asVoid(Deferred.succeed(status, state)),
        mcpMessage: ({ method }) => Effect.succeed({ result: method })
      })
      yield* client.initialize({ clientInfo: { name: "test", version: "0" } })
      const at = { sessionId: "s" }
      yield* client.authenticate({ methodId: "login" })
      yield* client.authStatus({})
      yield* client.logout({})
      yield* client.newSession(session)
      yield* client.loadSession({ ...session, ...at })
      yield* client.resumeSession({ ...session, ...at })
      yield* client.forkSession({ ...session, ...at })
      yield* client.listSessions({})
      yield* client.archiveSession(at)
      yield* client.unarchiveSession(at)
      yield* client.sessionStatus(at)
      yield* client.setTitle({ ...at, title: "t" })
      yield* client.setMode({ ...at, modeId: "m" })
      yield* client.setConfigOption({ ...at, configId: "c", value: "v" })
      yield* client.setModel({ ...at, modelId: "m" })
      yield* client.listProviders({})
      yield* client.setProvider({ providerId: "p", apiType: "openai", baseUrl: "https://x" })
      yield* client.disableProvider({ providerId: "p" })
      yield* client.prompt({ ...at, prompt: [] })
      yield* client.closeSession(at)
      yield* client.deleteSession(at)
      assert.deepStrictEqual(called.toSorted(), [...Object.keys(Acp.agentRequests), "session/set_model"].toSorted())
      yield* agent.sendAuthStatus({ state: "unauthenticated" })
      assert.strictEqual(yield* Deferred.await(status), "unauthenticated")
      const inner = { serverId: "m", requestId: "r", method: "tools/list" }
      assert.deepStrictEqual(yield* agent.mcpMessage(inner), { result: "tools/list" })
      yield* client.mcpMessage({ ...inner, method: "notifications/progress" })
      assert.strictEqual(yield* Queue.take(told), "notifications/progress")
    })
  )

  it.effect("who floods waits for the other side to read", () =>
    Effect.gen(function* () {
      const [here, there] = yield* Transport.pair(1)
      const agent = yield* AcpAgent.make(there, () => basics)
      let sent = 0
      const update = { sessionUpdate: "agent_message_chunk", content: text("x".repeat(10_000)) } as const
      const flood = yield* Effect.forkChild(
        Effect.forEach(
          Array.from({ length: 2000 }),
          () => Effect.tap(agent.sendUpdate("s", update), () => Effect.sync(() => (sent += 1))),
          { discard: true }
        )
      )
      for (let i = 0; i < 5000; i++) yield* Effect.yieldNow
      assert.isBelow(sent, 600, "a few megabytes are under way at most")
      assert.isAbove(sent, 50)
      let received = 0
      const complete = yield* Deferred.make<void>()
      yield* AcpClient.make(here, {
        onUpdates: (batch) =>
          Effect.suspend(() => {
            received += batch.length
            return received === 2000 ? Effect.asVoid(Deferred.succeed(complete, undefined)) : Effect.void
          }),
        requestPermission: () => Effect.succeed({ outcome: { outcome: "cancelled" } })
      })
      yield* Fiber.join(flood)
      yield* Deferred.await(complete)
    })
  )
})
