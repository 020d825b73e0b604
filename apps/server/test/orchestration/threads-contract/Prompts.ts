/** What a prompt may count on, whatever happens to the server. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { databaseFile, messageText, type Server, statusOf, turnId } from "../../support/ThreadsHarness.ts"
import { a, type Boot, Dealt, first, hold, lettingGo, runs, second, settled } from "./Words.ts"

export const prompts = (boot: Boot): void => {
  describe("a prompt", () => {
    it.live.prop(
      "is carried out once, or lost and said so, whenever the server is killed",
      Dealt,
      ({ seed }) =>
        Effect.gen(function* () {
          const file = yield* databaseFile
          const texts = ["say one", "trickle 40", "flood 3000", "say four", "trickle 5"]
          const lives: Array<Server> = [yield* boot(file)]
          const current = () => lives.at(-1)!
          yield* current().create(a)
          for (const [n, text] of texts.entries()) yield* current().prompt(a, turnId(`turn-${n}`), text)
          for (let kills = 0; kills < 3; kills++) {
            const { ended, kill } = current()
            const turn = turnId(`turn-${yield* Random.nextIntBetween(0, texts.length - 1)}`)
            if (yield* Random.nextBoolean) yield* Effect.sleep(yield* Random.nextIntBetween(0, 15))
            else yield* ended(a, turn)
            yield* kill
            lives.push(yield* boot(file))
            yield* lettingGo(current(), a)
          }
          const view = yield* settled(current(), a, texts.length)
          const given = lives.map(({ provider }) => provider.prompts.map(({ turnId }) => turnId))
          assert.strictEqual(new Set(given.flat()).size, given.flat().length, "A prompt was sent twice.")
          for (const { problem, status, turnId } of view.turns) {
            assert.include(["completed", "lost"], status)
            if (status === "completed") assert.include(given.flat(), turnId)
            else assert.isTrue(problem?.nextSteps.some(({ action }) => action === "send-again"))
          }
          for (const turn of given.at(-1) ?? []) assert.strictEqual(statusOf(view, turn), "completed")
        }).pipe(Random.withSeed(seed)),
      runs(5)
    )

    it.live(
      "that was accepted waits for people after a restart; one that the agent had is lost, with what it said kept and marked",
      () =>
        Effect.gen(function* () {
          const file = yield* databaseFile
          const before = yield* boot(file)
          yield* before.create(a)
          yield* before.prompt(a, first, "trickle 20; ask; say never")
          yield* before.prompt(a, second, "say after all")
          yield* before.until(a, ({ requests }) => requests.length > 0)
          yield* before.kill
          const after = yield* boot(file)
          const lost = yield* after.ended(a, first)
          assert.deepStrictEqual([lost.held, lost.heldBy], [true, { turnId: first, why: "lost" }])
          yield* after.send(a, hold(false))
          const view = yield* after.ended(a, second)
          assert.deepStrictEqual(
            view.turns.map(({ status }) => status),
            ["lost", "completed"]
          )
          assert.strictEqual(messageText(view, first), Array.from({ length: 20 }, (_, n) => `${n} `).join(""))
          assert.deepStrictEqual(view.requests, [])
          const request = view.items.find(({ type }) => type === "request")
          assert.strictEqual(request?.type === "request" ? request.outcome.type : undefined, "expired")
          assert.deepStrictEqual(
            after.provider.prompts.map(({ turnId }) => turnId),
            [second]
          )
        })
    )
  })
}
