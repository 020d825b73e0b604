/**
 * Erases deleted data from the database file. SQLite overwrites deleted rows (`secure_delete`). But when it rebuilds a
 * page, it leaves copies of rows in the free space of the page. Only a rewritten file holds nothing but the kept data.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { Sqlite } from "./Sqlite.ts"

export interface Erasure {
  /** Notes that a rewrite is due, in the deleting transaction. The next server knows it too. */
  readonly owe: () => void
  /**
   * Returns after a rewrite that began after this call. If a rewrite is not possible now, the log says so, and this
   * returns too. The rewrite is tried again from time to time, at the end and at the next start. Deleted data stays
   * deleted in any case.
   */
  readonly settle: Effect.Effect<void>
}

/**
 * The largest file, in used bytes, that is rewritten at once. Writers wait about a second meanwhile. A larger file is
 * rewritten when the server ends.
 */
export const AtOnce = Context.Reference("@signalbox/server/storage/Erasure/AtOnce", {
  defaultValue: () => 128 * 1024 * 1024
})

/** The wait before a failed rewrite is tried again. */
const patience = "10 minutes"

/** Makes the erasure of a migrated database. A rewrite that is already due is done before it returns. */
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
      // Other deletions that wait go first, so that one rewrite is enough for all of them.
      yield* Effect.yieldNow
      // Read before the due count: a later caller may have deleted after that.
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
