/** What a thread says when something fails between it and its agent that no adapter has words for. */
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import { problemOf } from "../../src/orchestration/ReactionProblems.ts"
import { StorageError } from "../../src/storage/StorageError.ts"

describe("a failure that is nobody's", () => {
  it("of the disk is reported as that, and not as an error inside Signalbox", () => {
    const full = new StorageError({ reason: "full", path: "/state/signalbox.sqlite", detail: "disk is full" })
    for (const cause of [Cause.die(full), Cause.fail(full)]) {
      const { code, nextSteps, title } = problemOf(cause)
      assert.deepStrictEqual([code, title], ["storage", "The disk is full."])
      assert.deepStrictEqual(
        nextSteps.map(({ action }) => action),
        ["wait", "send-again"]
      )
    }
  })

  it("of any other kind is reported with its words", () => {
    const { cause, code } = problemOf(Cause.die(new Error("Odd.")))
    assert.deepStrictEqual([code, cause], ["internal", "Odd."])
  })
})
