/** Whether things can be kept: as the last one who wrote found it. */
import type { StorageHealth } from "@signalbox/contracts/Health"
import type { Problem } from "@signalbox/contracts/Problem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { StorageError } from "./StorageError.ts"

export class StorageState extends Context.Service<
  StorageState,
  {
    /** `failing`, with the problem, from a write that was refused until one is taken. While it fails, asking tries again. */
    readonly now: Effect.Effect<Pick<StorageHealth, "state" | "problem">>
  }
>()("./StorageState.ts") {}

/** What the state is made of: told after each write. */
export interface StorageNotes {
  readonly worked: () => void
  readonly failed: (error: StorageError) => void
}

/** `loss`: what was kept and is gone. Says in the log when it begins to fail and when it is over. `tryAgain` writes something, and notes how that went. */
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
      // An operation that is refused for what it is, or for its thread, says nothing about the next one.
      if (error.reason === "failed" || error.reason === "corrupt-thread") return
      if (failing?.reason !== error.reason) run(Effect.logWarning(error.message))
      failing = error
    }
  }
  return { state, notes }
})
