/** The end of a turn in version 2, by hand: every order in which an agent may report its states and answer a prompt. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as AcpClient from "../src/AcpClient.ts"
import * as V2 from "../src/DialectV2.ts"
import * as OtherSide from "./OtherSide.ts"

const connect = Effect.fnUntraced(function* (handlers: Partial<AcpClient.Handlers> = {}) {
  const agent = yield* OtherSide.make
  const told: Array<string> = []
  const client = yield* AcpClient.make(
    agent.transport,
    {
      onUpdates: (batch) =>
        Effect.sync(() => {
          for (const each of batch) told.push(each._tag === "Known" ? each.update.sessionUpdate : `? ${each.kind}`)
        }),
      requestPermission: () => Effect.succeed({ outcome: { outcome: "cancelled" } }),
      ...handlers
    },
    { dialect: V2.dialect }
  )
  const initializing = yield* Effect.forkChild(client.initialize({ clientInfo: { name: "test", version: "0" } }))
  yield* agent.next
  yield* agent.send(OtherSide.result(0, { protocolVersion: 2, info: { name: "by hand", version: "0" } }))
  yield* Fiber.join(initializing)

  /** Sends a prompt; gives the turn, and what answers it. */
  const begin = Effect.gen(function* () {
    const turn = yield* Effect.forkChild(client.prompt({ sessionId: "s", prompt: [{ type: "text", text: "Hello" }] }), {
      startImmediately: true
    })
    const { id } = yield* agent.next
    return { turn, answer: OtherSide.result(id, { messageId: "u" }) }
  })
  return { agent, begin, client, told }
})

const update = (update: object) => OtherSide.notification("session/update", { sessionId: "s", update })
const state = (state: string, more: object = {}) => update({ sessionUpdate: "state_update", state, ...more })
const idle = (stopReason: string | null) => state("idle", { stopReason })
const chunk = update({ sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text: "x" } })
const shown = update({ sessionUpdate: "user_message", messageId: "u", content: [{ type: "text", text: "Hello" }] })
const ordinary = [state("running"), chunk, idle("end_turn")]

const answered = (turn: Fiber.Fiber<unknown, unknown>) => turn.pollUnsafe() !== undefined

describe("turns of version 2", () => {
  it.effect.each([
    ["taken in, at work, done", ({ answer }) => [answer, ...ordinary]],
    ["at work before it is taken in", ({ answer }) => [state("running"), shown, answer, chunk, idle("end_turn")]],
    ["done before it is answered", ({ answer }) => [state("running"), shown, chunk, idle("end_turn"), answer]],
    ["done before it is answered, without showing it", ({ answer }) => [...ordinary, answer]],
    [
      "held back while earlier work ends",
      ({ answer }) => [state("running"), idle("refusal"), shown, answer, ...ordinary]
    ],
    [
      "idle said again before it begins",
      ({ answer }) => [state("running"), idle("refusal"), shown, answer, idle("refusal"), ...ordinary]
    ],
    [
      "waiting for a person in between",
      ({ answer }) => [answer, state("running"), state("requires_action"), idle("end_turn")]
    ],
    ["in a state that is not known", ({ answer }) => [answer, state("_dreaming"), idle("end_turn")]],
    ["of an agent that only says when it is done", ({ answer }) => [answer, chunk, idle("end_turn")]]
  ] satisfies ReadonlyArray<readonly [string, (sent: { readonly answer: unknown }) => ReadonlyArray<unknown>]>)(
    "%s: over at the end, and not before",
    ([, script]) =>
      Effect.gen(function* () {
        const { agent, begin } = yield* connect()
        const { answer, turn } = yield* begin
        const messages = script({ answer })
        for (const message of messages.slice(0, -1)) {
          yield* agent.send(message)
          yield* Effect.yieldNow
          assert.isFalse(answered(turn))
        }
        yield* agent.send(messages.at(-1))
        assert.deepStrictEqual(yield* Fiber.join(turn), { stopReason: "end_turn" })
      })
  )

  it.effect("a malformed reason counts as none, and none after a cancel as cancelled", () =>
    Effect.gen(function* () {
      const { agent, begin, client } = yield* connect()
      const first = yield* begin
      yield* agent.send(first.answer, state("running"), state("idle", { stopReason: 7 }))
      assert.deepStrictEqual(yield* Fiber.join(first.turn), { stopReason: "end_turn" })
      const second = yield* begin
      yield* client.cancel({ sessionId: "s" })
      assert.strictEqual((yield* agent.next).method, "session/cancel")
      yield* agent.send(second.answer, state("running"), idle(null))
      assert.deepStrictEqual(yield* Fiber.join(second.turn), { stopReason: "cancelled" })
    })
  )

  it.effect("what is sent behind the end of a turn comes behind its answer", () =>
    Effect.gen(function* () {
      const { agent, begin, told } = yield* connect()
      const { answer, turn } = yield* begin
      yield* Effect.forkChild(
        Effect.andThen(
          Fiber.join(turn),
          Effect.sync(() => told.push("answered"))
        )
      )
      yield* agent.send(answer, ...ordinary, chunk)
      yield* agent.send(OtherSide.request(9, "_test/ping"))
      yield* agent.next
      assert.deepStrictEqual(told, ["agent_message_chunk", "answered", "agent_message_chunk"])
    })
  )

  it.effect("a connection that ends, there or here, ends a turn that was taken in", () =>
    Effect.gen(function* () {
      for (const reason of ["InputEnded", "Closed"] as const) {
        const scope = yield* Scope.make()
        const { agent, begin } = yield* Scope.provide(connect(), scope)
        const { answer, turn } = yield* begin
        yield* agent.send(answer, state("running"), OtherSide.request(9, "_test/ping"))
        yield* agent.next
        if (reason === "Closed") yield* Scope.close(scope, Exit.void)
        else yield* agent.end
        assert.deepInclude(yield* Effect.flip(Fiber.join(turn)), { _tag: "ConnectionClosed", reason })
      }
    })
  )

  it.effect("files and terminals of the client are not for agents of version 2; what is not known stays raw", () =>
    Effect.gen(function* () {
      const { agent, told } = yield* connect({ readTextFile: () => Effect.succeed({ content: "secret" }) })
      yield* agent.send(OtherSide.request(7, "fs/read_text_file", { sessionId: "s", path: "/etc/passwd" }))
      assert.deepInclude((yield* agent.next).error, { code: -32601 })
      yield* agent.send(
        update({ sessionUpdate: "_weather", sunny: true }),
        update({ sessionUpdate: "tool_call_update" })
      )
      yield* agent.send(OtherSide.request(8, "_test/ping"))
      yield* agent.next
      assert.deepStrictEqual(told, ["? _weather", "? tool_call_update"])
    })
  )
})
