/** Writes to a file that are gathered for a moment, so that many small pieces are one write. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"

/**
 * Runs `write` for what was gathered within `gatherTime`, and once more when the scope closes. Call the result whenever there is something
 * to write. `write` takes what is there when it begins.
 */
export const make = Effect.fnUntraced(function* (
  gatherTime: Duration.Input,
  write: Effect.Effect<void>
): Effect.fn.Return<() => void, never, Scope.Scope> {
  const filled = Latch.makeUnsafe(false)
  const flush = Effect.suspend(() => {
    filled.closeUnsafe()
    return write
  })
  yield* Effect.addFinalizer(() => flush)
  yield* filled.await.pipe(
    Effect.andThen(Effect.sleep(gatherTime)),
    // A started write is finished before the scope closes.
    Effect.andThen(Effect.uninterruptible(flush)),
    Effect.forever,
    Effect.forkScoped
  )
  return () => void filled.openUnsafe()
})
