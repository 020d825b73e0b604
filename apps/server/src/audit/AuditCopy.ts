/** Copies the audit log to a new file, also while others write to it. */
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { type StorageError, storageError } from "../storage/StorageError.ts"

/** The copy is as the log is at one moment, and readable for its owner only. Fails if there is such a file. */
export const copy = Effect.fn("AuditCopy.copy")((path: string, target: string): Effect.Effect<void, StorageError> =>
  Effect.try({
    try: () => {
      fs.closeSync(fs.openSync(target, "wx", 0o600))
      try {
        const database = new DatabaseSync(path, { readOnly: true, timeout: 2000 })
        try {
          database.prepare("VACUUM INTO ?").run(target)
        } finally {
          database.close()
        }
        const copied = fs.openSync(target, "r+")
        fs.fsyncSync(copied)
        fs.closeSync(copied)
      } catch (error) {
        fs.rmSync(target, { force: true })
        throw error
      }
    },
    catch: storageError(target)
  })
)
