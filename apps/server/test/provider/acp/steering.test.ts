/** Prompts in the middle of a turn, over a real agent process: which agents take them, and what is known of one that was given. */
import { assert, describe, it } from "@effect/vitest"
import { TurnId } from "@signalbox/contracts/Ids"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { join } from "node:path"
import { type AgentOptions, temporaryFolder, thread } from "../../support/AgentHarness.ts"
import { play, scripted, seen, told } from "../../support/ScriptedAgent.ts"

const [one, two] = [TurnId.make("one"), TurnId.make("two")]
const between = { turnId: two, into: one, prompt: [{ type: "text" as const, text: "now this" }] }

/** An agent in the middle of its turn, which has said something and waits for a stop. */
const atWork = Effect.fnUntraced(function* (setup: object, timing: AgentOptions["timing"] = {}) {
  const log = join(yield* temporaryFolder, "log.ndjson")
  const agent = yield* scripted(setup, { timing, env: { SCRIPTED_AGENT_LOG: log } })
  yield* agent.start()
  const turn = yield* Effect.forkChild(play(agent, one, { text: "before" }, { waitForCancel: true }))
  yield* agent.next("message.delta")
  const heard = () => told(log).filter(({ method }) => method === "session/prompt" || method === "_session/steering")
  const stopped = Effect.andThen(agent.adapter.interruptTurn(thread, one), Fiber.join(turn))
  return { agent, heard, stopped }
})

describe("a prompt in the middle of a turn", () => {
  it.live("[127] is taken by an agent that says it can, and what comes then stands behind it", () =>
    Effect.gen(function* () {
      const { agent, heard, stopped } = yield* atWork({ steering: { steps: [{ text: "after" }] } })
      assert.strictEqual(agent.of("session.started")[0]?.capabilities.steering, "agent")
      assert.strictEqual(yield* agent.adapter.steer(thread, between), "taken")
      yield* agent.next("message.delta", ({ text }) => text === "after")
      yield* stopped
      assert.deepInclude(heard().at(-1)?.["params"], {
        prompt: between.prompt,
        _meta: { steering: { idleBehavior: "promptRequired" } }
      })
      assert.deepStrictEqual(yield* seen(agent), ["says: before", "says: after"])
      const { items, turns } = yield* agent.adapter.readThread(thread)
      assert.deepStrictEqual(
        turns.map(({ status, steered }) => [status, steered]),
        [
          ["cancelled", undefined],
          ["completed", { way: "agent", into: one }]
        ]
      )
      // All of it belongs to the turn that went on.
      assert.deepStrictEqual(
        items.flatMap((item) => (item.type === "message" ? [item.turnId] : [])),
        [one, one]
      )
    })
  )

  it.live("[127] is not even sent to an agent that does not say so, nor for a turn that it does not have", () =>
    Effect.gen(function* () {
      const plain = yield* atWork({})
      assert.isUndefined(plain.agent.of("session.started")[0]?.capabilities.steering)
      assert.strictEqual(yield* plain.agent.adapter.steer(thread, between), "not-taken")
      yield* plain.stopped
      const able = yield* atWork({ steering: {} })
      const other = { ...between, into: TurnId.make("zero") }
      assert.strictEqual(yield* able.agent.adapter.steer(thread, other), "not-taken")
      yield* able.stopped
      assert.strictEqual(yield* able.agent.adapter.steer(thread, between), "not-taken")
      for (const { heard } of [plain, able]) assert.lengthOf(heard(), 1)
    })
  )

  it.live("[127] was not taken where the agent refuses it, and may have been where its answer makes no sense", () =>
    Effect.gen(function* () {
      const refusing = yield* atWork({ steering: { error: { code: -32603, message: "Not now" } } })
      assert.strictEqual(yield* refusing.agent.adapter.steer(thread, between), "not-taken")
      yield* refusing.stopped
      const odd = yield* atWork({ steering: { outcome: "pondered" } })
      const { problem } = yield* Effect.flip(odd.agent.adapter.steer(thread, between))
      assert.match(problem.title, /not known whether Agent has this prompt/)
      yield* odd.stopped
      const dying = yield* atWork({ steering: { steps: [{ crash: 1 }] } })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(dying.agent.adapter.steer(thread, between))))
    })
  )

  it.live(
    "is known to a new process that takes the session up: what the agent tells of it again is not shown twice",
    () =>
      Effect.gen(function* () {
        const said = (sessionUpdate: string, text: string) => ({
          update: { sessionUpdate, content: { type: "text", text } }
        })
        const first = JSON.stringify([{ text: "before" }, { waitForCancel: true }])
        const replay = [
          said("user_message_chunk", first),
          said("agent_message_chunk", "before"),
          said("user_message_chunk", "now this"),
          said("agent_message_chunk", "after")
        ]
        const setup = { steering: { steps: [{ text: "after" }] }, load: { replay }, onCancel: "ignore" }
        const { agent, stopped } = yield* atWork(setup, { cancelGrace: Duration.millis(200) })
        yield* agent.adapter.steer(thread, between)
        yield* stopped
        yield* agent.next("session.started", ({ origin }) => origin === "loaded")
        yield* agent.turn("three", "hello")
        assert.deepStrictEqual(yield* seen(agent), ["session loaded", "says: hello"])
        assert.deepStrictEqual(agent.of("prompt.replayed"), [])
      })
  )
})
