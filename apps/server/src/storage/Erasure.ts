/**
 * What is deleted leaves no trace in the database file. SQLite overwrites the rows (`secure_delete`). But where it rebuilds a page it leaves
 * copies of rows in the room between the others. Only a file that is written anew holds nothing but what is kept.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { Sqlite } from "./Sqlite.ts"

export interface Erasure {
  /** Notes in the transaction that deletes that a rewrite is owed from then on, also by the next server. */
  readonly owe: () => void
  /**
   * Returns when a rewrite is over that began after this was called. The log says when one is not possible now. It is tried again every now
   * and then, at the end and at the next start: what was deleted stays deleted.
   */
  readonly settle: Effect.Effect<void>
}

/**
 * Bytes in use up to which the file is rewritten at once: writers wait for about a second meanwhile. A larger file is rewritten when the
 * server ends.
 */
export const AtOnce = Context.Reference("@signalbox/server/storage/Erasure/AtOnce", {
  defaultValue: () => 128 * 1024 * 1024
})

/** How long a rewrite that was not possible is left alone. */
const patience = "10 minutes"

/** Makes the erasure for a database that is up to date. It settles what is owed already before it returns. */
export const make = Effect.gen(function* () {
  const { prepare, read, rewrite, transaction } = yield* Sqlite
  const atOnce = yield* AtOnce
  const insert = yield* prepare("INSERT INTO erasures DEFAULT VALUES")
  const clear = yield* prepare("DELETE FROM erasures WHERE number <= ?")
  const select = yield* prepare(
    `SELECT (SELECT max(number) FROM erasures) AS owed, (page_count - freelist_count) * page_size AS bytes
     FROM pragma_page_count, pragma_freelist_count, pragma_page_size`
  )
  const turn = yield* Semaphore.make(1)
  let asked = 0
  let tried = 0
  let told = false

  const attempt = Effect.fnUntraced(
    function* (limit: number) {
      // Those who waited to delete more go first: one rewrite is enough for all of them.
      yield* Effect.yieldNow
      // Before it is read what is owed: whoever asks after that may have deleted after that.
      tried = asked
      const { bytes, owed } = yield* read(() => ({ ...select.get() }))
      if (typeof owed !== "number") return
      if (Number(bytes) > limit) {
        if (!told) yield* Effect.logWarning(`${traces} until the server ends: it is too large to be rewritten now.`)
        told = true
        return
      }
      if (Number(bytes) > atOnce) yield* Effect.logInfo("The database is rewritten, since threads were deleted.")
      const { refused } = yield* Effect.withSpan(rewrite, "Erasure.rewrite")
      if (refused !== undefined) return yield* Effect.logWarning(`${traces}, which could not be rewritten: ${refused}.`)
      yield* transaction(() => clear.run(owed))
    },
    Effect.catch(({ message }) => Effect.logWarning(`${traces}: ${message}`)),
    Effect.uninterruptible
  )
  const settle = Effect.suspend(() => {
    const number = ++asked
    return turn.withPermit(Effect.suspend(() => (tried >= number ? Effect.void : attempt(atOnce))))
  })

  yield* Effect.addFinalizer(() => turn.withPermit(attempt(Infinity)))
  yield* settle
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(patience), settle)))
  return { owe: () => void insert.run(), settle } satisfies Erasure
})

const traces = "Words of deleted threads may stand in the database file"
