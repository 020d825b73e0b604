/** The state of storage: whether the last write succeeded. */
import type { StorageHealth } from "@signalbox/contracts/Health"
import type { Problem } from "@signalbox/contracts/Problem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { StorageError } from "./StorageError.ts"

export class StorageState extends Context.Service<
  StorageState,
  {
    /**
     * `failing`, with its problem, after a refused write until the next successful one. While it fails, reading this
     * tries a write.
     */
    readonly now: Effect.Effect<Pick<StorageHealth, "state" | "problem">>
  }
>()("./StorageState.ts") {}

/** Must be called after each write, with its outcome. */
export interface StorageNotes {
  readonly worked: () => void
  readonly failed: (error: StorageError) => void
}

/**
 * Makes the state. It logs when writes begin to fail, and when they succeed again. `loss`: commits that are lost.
 * `tryAgain` writes something and notes the outcome.
 */
export const make = Effect.fnUntraced(function* (tryAgain: Effect.Effect<void, StorageError>, loss?: Problem) {
  const run = Effect.runForkWith(yield* Effect.context())
  let failing: StorageError | undefined

  const state = StorageState.of({
    now: Effect.suspend(() => (failing === undefined ? Effect.void : Effect.ignore(tryAgain))).pipe(
      Effect.map(() =>
        failing === undefined
          ? { state: "ok", ...(loss && { problem: loss }) }
          : { state: "failing", problem: failing.problem }
      )
    )
  })
  const notes: StorageNotes = {
    worked: () => {
      if (failing === undefined) return
      failing = undefined
      run(Effect.logInfo("The database takes writes again."))
    },
    failed: (error) => {
      // A failure of one operation or of one thread says nothing about the next write.
      if (error.reason === "failed" || error.reason === "corrupt-thread") return
      if (failing?.reason !== error.reason) run(Effect.logWarning(error.message))
      failing = error
    }
  }
  return { state, notes }
})
