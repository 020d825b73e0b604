/** What people may count on of prompts that wait: theirs to change, to order and to hold until the agent has them. */
import type { ThreadCommand } from "@signalbox/contracts/Command"
import type { TurnId } from "@signalbox/contracts/Ids"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as TurnQueue from "@signalbox/threads/TurnQueue"
import { promptText } from "@signalbox/contracts/Content"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import { databaseFile, type Server, statusOf, turnId } from "../../support/ThreadsHarness.ts"
import { a, answered, type Boot, Dealt, first, hold, runs, second, settled, shown, start, third } from "./Words.ts"

const edit = (turn: TurnId, text: string): ThreadCommand => ({
  type: "turn.edit",
  turnId: turn,
  prompt: [{ type: "text", text }]
})

const move = (turn: TurnId, before?: TurnId): ThreadCommand => ({
  type: "turn.move",
  turnId: turn,
  ...(before !== undefined && { before })
})

const waiting = (view: ThreadView) => TurnQueue.waiting(view).map(({ prompt }) => promptText(prompt))

const given = (...lives: ReadonlyArray<Server>) =>
  lives.flatMap(({ provider }) => provider.prompts.map(({ text }) => text))

export const queue = (boot: Boot): void => {
  describe("a prompt that waits", () => {
    it.live("goes as it was changed last, in its new place, and can be changed no more once the agent has it", () =>
      Effect.gen(function* () {
        const server = yield* Effect.flatMap(databaseFile, boot)
        const { create, prompt, send, until } = server
        yield* create(a)
        yield* prompt(a, first, "ask; say one")
        yield* until(a, ({ requests }) => requests.length > 0)
        yield* prompt(a, second, "say two")
        yield* prompt(a, third, "say three")
        yield* send(a, edit(second, "say 2"))
        yield* send(a, edit(second, "say two again"))
        yield* send(a, move(third, second))
        assert.deepStrictEqual(waiting(yield* shown(server, a)), ["say three", "say two again"])
        for (const command of [edit(first, "say no"), move(first), move(third, first)])
          assert.match(yield* answered(send(a, command)), /^This prompt does not wait any more/)
        yield* send(a, { type: "turn.interrupt", turnId: first })
        yield* send(a, hold(false))
        const view = yield* settled(server, a, 3)
        assert.deepStrictEqual(given(server), ["ask; say one", "say three", "say two again"])
        assert.deepStrictEqual(
          view.turns.map(({ turnId }) => turnId),
          [first, third, second]
        )
        assert.match(yield* answered(send(a, edit(second, "say late"))), /It was sent, or taken back/)
        assert.match(yield* answered(send(a, edit(turnId("nobody"), "hm"))), /^There is no such turn/)
      })
    )

    it.live("is not sent while it is held: not by a server that comes after, nor by the end of the session", () =>
      Effect.gen(function* () {
        const file = yield* databaseFile
        const before = yield* boot(file)
        yield* before.create(a)
        yield* before.prompt(a, first, "hang")
        yield* before.until(a, (view) => statusOf(view, first) === "working")
        yield* before.send(a, hold(true))
        yield* before.prompt(a, second, "say two")
        yield* before.send(a, { type: "turn.interrupt", turnId: first })
        yield* before.ended(a, first)
        yield* before.send(a, { type: "session.stop" })
        yield* before.until(a, ({ session }) => session.state === "exited")
        yield* before.kill
        const after = yield* boot(file)
        const held = yield* shown(after, a)
        assert.deepStrictEqual([held.held, waiting(held)], [true, ["say two"]])
        const frame = yield* Stream.runHead(after.threads.watchAll).pipe(Effect.flatMap(Effect.fromOption))
        assert.deepInclude(frame.threads[0], { held: true, status: "queued" })
        assert.deepStrictEqual(given(before, after), ["hang"])
        yield* after.send(a, hold(false))
        const view = yield* settled(after, a, 2)
        assert.deepStrictEqual(given(before, after), ["hang", "say two"])
        assert.isUndefined(view.held)
      })
    )

    it.live("is held also when its agent is already being started for it", () =>
      Effect.gen(function* () {
        const server = yield* Effect.flatMap(databaseFile, boot)
        const { create, prompt, provider, send, until } = server
        yield* create(a)
        provider.hooks.starting = () => Effect.asVoid(Effect.orDie(send(a, hold(true))))
        yield* prompt(a, first, "say one")
        yield* until(a, ({ held, session }) => session.state === "ready" && held === true)
        assert.strictEqual(statusOf(yield* shown(server, a), first), "queued")
        provider.hooks.starting = () => Effect.void
        yield* prompt(a, second, "say two")
        yield* send(a, move(second, first))
        yield* send(a, hold(false))
        yield* settled(server, a, 2)
        assert.deepStrictEqual(given(server), ["say two", "say one"])
      })
    )

    it.live.prop(
      "is not lost, doubled, mixed up or sent out of order, whatever people do with it and however often the server is killed",
      Dealt,
      ({ seed }) =>
        Effect.gen(function* () {
          const file = yield* databaseFile
          const lives: Array<Server> = [yield* boot(file)]
          const current = () => lives.at(-1)!
          yield* current().create(a)
          yield* current().send(a, hold(true))
          /** What people think that there is. */
          let expected: Array<{ readonly turnId: TurnId; readonly text: string }> = []
          const sent: Array<string> = []
          const one = Effect.gen(function* () {
            const { length } = expected
            return length === 0 ? undefined : expected[yield* Random.nextIntBetween(0, length - 1)]
          })
          for (let step = 0; step < 30; step++) {
            const some = yield* one
            const before = yield* one
            const dice = yield* Random.nextIntBetween(0, 14)
            const { send } = current()
            if (dice <= 3 || some === undefined) {
              const added = { turnId: turnId(`turn-${step}`), text: `say ${step}` }
              yield* send(a, start(added.turnId, added.text))
              expected.push(added)
            } else if (dice <= 5) {
              const text = `say ${step} changed`
              yield* send(a, edit(some.turnId, text))
              expected = expected.map((turn) => (turn === some ? { ...turn, text } : turn))
            } else if (dice <= 7) {
              const behind = yield* Random.nextBoolean
              yield* send(a, behind ? move(some.turnId) : move(some.turnId, before?.turnId))
              if (!behind && before === some) continue
              const others = expected.filter((turn) => turn !== some)
              const index = behind || before === undefined ? others.length : others.indexOf(before)
              expected = others.toSpliced(index, 0, some)
            } else if (dice === 8) {
              yield* send(a, { type: "turn.interrupt", turnId: some.turnId, ifQueued: true })
              expected = expected.filter((turn) => turn !== some)
            } else if (dice === 9) {
              yield* send(a, hold(false))
              yield* current().until(a, (view) => TurnQueue.waiting(view).length === 0)
              yield* current().until(a, ({ turns }) => turns.every(({ status }) => status === "completed"))
              yield* send(a, hold(true))
              sent.push(...expected.map(({ text }) => text))
              expected = []
            } else if (dice <= 11) {
              // Puts the state in the place of the log.
              yield* Stream.runDrain(current().threads.export(a))
            } else {
              yield* current().kill
              lives.push(yield* boot(file))
            }
            assert.deepStrictEqual(
              waiting(yield* shown(current(), a)),
              expected.map(({ text }) => text)
            )
          }
          assert.deepStrictEqual(given(...lives), sent)
        }).pipe(Random.withSeed(seed)),
      runs(6)
    )
  })
}
