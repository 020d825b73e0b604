/**
 * Locks between the processes of a user, for files that several of them read, change and write. The system ends a lock with its process,
 * however that ends.
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import { closeSync, openSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as PrivateFolder from "./PrivateFolder.ts"
import { SystemRefused, systemRefused } from "./SystemError.ts"

/**
 * Takes the lock, and returns what releases it. Throws the error of the system, or of SQLite.
 *
 * @param lock the file of the lock, in a folder that exists. It is made if it is missing, and stays
 * @param patience milliseconds to wait for another process. This wait blocks the event loop
 */
export const take = (lock: string, patience: number): (() => void) => {
  // Made here, since the database would be readable for others.
  closeSync(openSync(lock, "a", 0o600))
  const database = new DatabaseSync(lock, { timeout: patience })
  try {
    database.exec("BEGIN EXCLUSIVE")
  } catch (error) {
    database.close()
    throw error
  }
  return () => database.close()
}

/** A process that opens a file of SQLite a second time, and closes it, ends its own lock on it. So it takes one lock at a time. */
const here = Semaphore.makeUnsafe(1)

/** Waits up to five seconds for other processes, without blocking the event loop. */
const whileBusy = {
  while: ({ code }: SystemRefused) => code === busy,
  schedule: Schedule.spaced("20 millis"),
  times: 250
}
const busy = "BUSY"

const refusalOf = (error: unknown): SystemRefused => {
  const SQLITE_BUSY = 5
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY
    ? new SystemRefused({ code: busy, message: "another program is changing it" })
    : systemRefused(error)
}

/** Takes the lock, in a folder that is made if it is missing. */
const made = (lock: string): (() => void) => {
  PrivateFolder.make(dirname(lock))
  return take(lock, 0)
}

/** Does something while no other process has the lock. Locks are not nested. `refused` makes the error where the lock can't be had. */
export const alone = <A, E, R, Refusal>(
  lock: string,
  work: Effect.Effect<A, E, R>,
  refused: (refusal: SystemRefused) => Refusal
): Effect.Effect<A, E | Refusal, R> =>
  here.withPermits(1)(
    Effect.acquireUseRelease(
      Effect.try({ try: () => made(lock), catch: refusalOf }).pipe(Effect.retry(whileBusy), Effect.mapError(refused)),
      () => work,
      (release) => Effect.sync(release)
    )
  )
