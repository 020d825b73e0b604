import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as AcpAgent from "../src/AcpAgent.ts"
import * as AcpClient from "../src/AcpClient.ts"
import { ErrorCode } from "../src/JsonRpc.ts"
import * as Transport from "../src/Transport.ts"
import * as OtherSide from "./OtherSide.ts"
import { notification, request } from "./OtherSide.ts"

const basics = {
  initialize: () => Effect.succeed({ protocolVersion: 1 }),
  newSession: () => Effect.succeed({ sessionId: "s" }),
  prompt: () => Effect.succeed({ stopReason: "end_turn" } as const)
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

  it.effect("asks a client only for what it offers", () =>
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
      const form = { message: "m", sessionId: "s", mode: "form", requestedSchema: { properties: { a: { type: "number" } } } } as const
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
      const client = yield* AcpClient.make(here, {
        onUpdates: () => Effect.void,
        requestPermission: () => Effect.succeed({ outcome: { outcome: "cancelled" } })
      })
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
