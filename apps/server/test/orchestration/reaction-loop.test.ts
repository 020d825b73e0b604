/** What a commit asks for is begun once, however many fibers look at the same state at a time. */
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { MaxOpsBeforeYield } from "effect/References"
import * as ReactionLoop from "../../src/orchestration/ReactionLoop.ts"
import { begun, created, logged } from "../support/ThreadEvents.ts"

const head = ThreadProjection.apply(undefined, logged(0, [created, ...begun.slice(0, 1)]))

describe("the loop between a thread and its agent", () => {
  it.effect("runs a turn once, wherever the scheduler cuts in while several fibers look", () =>
    Effect.gen(function* () {
      for (let ops = 4; ops <= 24; ops++) {
        const begun: Array<string> = []
        const loop = ReactionLoop.make({
          head: () => head,
          resume: "on-prompt",
          isLeaving: () => false,
          fork: (effect) => Effect.asVoid(Effect.forkDetach(effect)),
          carryOut: ({ type }) => {
            begun.push(type)
            return Effect.never
          }
        })
        const look = Effect.provideService(loop.follow({ type: "entered" }), MaxOpsBeforeYield, ops)
        yield* Effect.all([look, look, look], { concurrency: "unbounded", discard: true })
        assert.deepStrictEqual(begun, ["turn.run"], `at most ${ops} operations each`)
      }
    })
  )
})
