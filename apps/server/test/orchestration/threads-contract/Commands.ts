/** What a command to a thread may count on: one answer, and not to wait for what it need not wait for. */
import { CommandId } from "@signalbox/contracts/Ids"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Random from "effect/Random"
import { databaseFile, messageText, type Server, statusOf } from "../../support/ThreadsHarness.ts"
import {
  a,
  answered,
  b,
  type Boot,
  Dealt,
  first,
  hold,
  proceed,
  rename,
  runs,
  second,
  shown,
  start,
  third
} from "./Words.ts"

export const commands = (boot: Boot): void => {
  const server = Effect.flatMap(databaseFile, boot)

  describe("a command", () => {
    it.live("has one receipt and one effect, however often, at once or later it is sent", () =>
      Effect.gen(function* () {
        const file = yield* databaseFile
        const { create, ended, kill, provider, send } = yield* boot(file)
        yield* create(a)
        const commandId = CommandId.make("start")
        const command = start(first, "say hi")
        const receipts = yield* Effect.all(
          Array.from({ length: 8 }, () => send(a, command, commandId)),
          { concurrency: "unbounded" }
        )
        yield* ended(a, first)
        receipts.push(yield* send(a, command, commandId))
        assert.lengthOf(provider.prompts, 1)
        yield* kill
        const after = yield* boot(file)
        receipts.push(yield* after.send(a, command, commandId))
        for (const receipt of receipts) assert.deepStrictEqual(receipt, receipts[0])
        assert.lengthOf((yield* shown(after, a)).turns, 1)
        assert.lengthOf(after.provider.prompts, 0)
      })
    )

    it.live("that was refused stays refused, although it would be taken now", () =>
      Effect.gen(function* () {
        const file = yield* databaseFile
        const { create, kill, prompt, send, until } = yield* boot(file)
        const refused = [
          { command: rename("A name"), commandId: CommandId.make("before the thread") },
          { command: { type: "turn.interrupt" as const, turnId: first }, commandId: CommandId.make("before the turn") }
        ]
        const answers = [yield* answered(send(a, refused[0]!.command, refused[0]!.commandId))]
        yield* create(a)
        answers.push(yield* answered(send(a, refused[1]!.command, refused[1]!.commandId)))
        assert.match(answers[0]!, /^There is no such thread/)
        assert.match(answers[1]!, /^There is no such turn/)
        yield* prompt(a, first, "hang")
        yield* until(a, (view) => statusOf(view, first) === "working")
        const again = (to: Pick<Server, "send">) =>
          Effect.forEach(refused, ({ command, commandId }) => answered(to.send(a, command, commandId)))
        assert.deepStrictEqual(yield* again({ send }), answers)
        assert.strictEqual(statusOf(yield* until(a, () => true), first), "working")
        yield* kill
        assert.deepStrictEqual(yield* again(yield* boot(file)), answers)
      })
    )

    it.live("under the id of another is refused, does nothing, and leaves the other its answer", () =>
      Effect.gen(function* () {
        const file = yield* databaseFile
        const before = yield* boot(file)
        yield* before.create(a)
        const ids = [CommandId.make("taken"), CommandId.make("refused")]
        const known = (to: Pick<Server, "send">) =>
          Effect.all([answered(to.send(a, rename("One"), ids[0])), answered(to.send(a, rename(" "), ids[1]))])
        const answers = yield* known(before)
        const check = Effect.fnUntraced(function* (to: Server) {
          for (const commandId of ids) {
            const other = yield* answered(to.send(a, rename("Two"), commandId))
            assert.include(other, "This command id was used for something else.")
          }
          assert.deepStrictEqual(yield* known(to), answers)
          assert.strictEqual((yield* shown(to, a)).title, "One")
        })
        yield* check(before)
        yield* before.kill
        yield* check(yield* boot(file))
      })
    )

    it.live.prop(
      "is answered the same by whichever of several clients, in whatever order and after restarts",
      Dealt,
      ({ seed }) =>
        Effect.gen(function* () {
          const file = yield* databaseFile
          const commands = [
            rename("One"),
            rename(" "),
            start(first, "say one"),
            start(second, "ask"),
            start(first, "say again"),
            { type: "turn.interrupt" as const, turnId: second },
            { type: "session.stop" as const },
            rename("Two")
          ].map((command, n) => ({ command, commandId: CommandId.make(`command-${n}`) }))
          const answers = new Map<CommandId, Set<string>>()
          const client = ({ send }: Pick<Server, "send">) =>
            Effect.gen(function* () {
              for (const { command, commandId } of yield* Random.shuffle([...commands, ...commands])) {
                const answer = yield* answered(send(a, command, commandId))
                answers.set(commandId, (answers.get(commandId) ?? new Set()).add(answer))
              }
            })
          for (let lives = 0; lives < 2; lives++) {
            const life = yield* boot(file)
            if (lives === 0) yield* life.create(a)
            yield* Effect.all([client(life), client(life), client(life)], { concurrency: "unbounded" })
            yield* life.kill
          }
          for (const { commandId } of commands) assert.lengthOf([...(answers.get(commandId) ?? [])], 1, commandId)
        }).pipe(Random.withSeed(seed)),
      runs(4)
    )
  })

  describe("lanes", () => {
    it.live("are parallel: a slow start in one thread delays neither another nor its own commands", () =>
      Effect.gen(function* () {
        const { create, ended, prompt, provider, send, until } = yield* server
        const gate = yield* Latch.make()
        provider.startGates.set(a, gate)
        yield* create(a)
        yield* create(b)
        yield* prompt(a, first, "say slow")
        yield* until(a, ({ session }) => session.state === "starting")
        yield* prompt(b, second, "say fast")
        assert.strictEqual(messageText(yield* ended(b, second), second), "fast")
        yield* send(a, rename("Still here"))
        yield* prompt(a, third, "say never")
        yield* send(a, { type: "turn.interrupt", turnId: third })
        const waiting = yield* until(a, () => true)
        assert.deepStrictEqual([waiting.title, waiting.session.state], ["Still here", "starting"])
        yield* gate.open
        assert.strictEqual(messageText(yield* ended(a, first), first), "slow")
      })
    )

    it.live("let Stop overtake what waits", () =>
      Effect.gen(function* () {
        const { create, ended, prompt, provider, send, until } = yield* server
        yield* create(a)
        yield* prompt(a, first, "hang")
        yield* until(a, (view) => statusOf(view, first) === "working")
        yield* prompt(a, second, "hang")
        yield* prompt(a, third, "say last")
        yield* send(a, { type: "turn.interrupt", turnId: second })
        yield* send(a, { type: "turn.interrupt", turnId: first })
        yield* send(a, hold(false))
        const view = yield* ended(a, third)
        assert.deepStrictEqual(
          view.turns.map(({ status, turnId }) => [turnId, status]),
          [
            [first, "cancelled"],
            [third, "completed"]
          ]
        )
        assert.deepStrictEqual(
          provider.prompts.map(({ turnId }) => turnId),
          [first, third]
        )
      })
    )

    it.live("let answers overtake what waits, and Stop overtake answers", () =>
      Effect.gen(function* () {
        const running = yield* server
        const { create, ended, prompt, send, until } = running
        yield* create(a)
        yield* prompt(a, first, "ask; say on")
        yield* prompt(a, second, "ask; say never")
        yield* prompt(a, third, "say last")
        yield* proceed(running, a)
        assert.strictEqual(messageText(yield* ended(a, first), first), "on")
        yield* until(a, (view) => statusOf(view, second) === "waiting")
        yield* send(a, { type: "turn.interrupt", turnId: second })
        yield* send(a, hold(false))
        const view = yield* ended(a, third)
        assert.strictEqual(statusOf(view, second), "cancelled")
        assert.strictEqual(messageText(view, second), "")
      })
    )
  })
}
