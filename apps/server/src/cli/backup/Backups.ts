/** `signalbox backup` and `signalbox restore`. */
import type { Problem } from "@signalbox/contracts/Problem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { existsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import * as AuditCopy from "../../audit/AuditCopy.ts"
import { auditIn, databaseIn, logsIn } from "../../base/StateDirectory.ts"
import * as LogFile from "../../telemetry/LogFile.ts"
import * as LogRecord from "../../telemetry/LogRecord.ts"
import * as Backup from "../../storage/Backup.ts"
import * as ForeignSchema from "../../storage/ForeignSchema.ts"
import type { StorageError } from "../../storage/StorageError.ts"
import { bytesText, countText } from "../terminal/Amount.ts"
import { failedWith } from "../terminal/Failure.ts"
import { stateInUse } from "../server/StateInUse.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface BackupFlags {
  readonly stateDir: Option.Option<string>
  readonly file: string
}

export const backup = Effect.fn("Backups.backup")(function* ({ file, stateDir }: BackupFlags) {
  const database = databaseIn(yield* StateFolder.of(stateDir))
  if (!existsSync(database)) return yield* nothingThere(database)
  const target = resolve(file)
  if (existsSync(logOf(target))) return yield* taken(logOf(target))
  const { bytes } = yield* Backup.backup(database, target).pipe(
    Effect.mapError((error) => failedWith(ofTheCopy(error)))
  )
  Terminal.err(`Copied all threads to ${target}, ${bytesText(bytes)}.`)
  const log = auditIn(dirname(database))
  if (!existsSync(log)) return
  yield* AuditCopy.copy(log, logOf(target)).pipe(
    Effect.mapError(({ problem }) => failedWith({ ...problem, title: "The audit log could not be copied." }))
  )
  Terminal.err(`Copied the audit log to ${logOf(target)}.`)
})

export const restore = Effect.fn("Backups.restore")(function* ({ file, stateDir }: BackupFlags) {
  const directory = yield* StateFolder.of(stateDir)
  const source = resolve(file)
  const restoring = { stateDirectory: directory, database: databaseIn(directory), source }
  const { dropped, held, movedTo } = yield* Backup.restore(restoring).pipe(
    Effect.mapError((error) =>
      error._tag === "StateInUse"
        ? stateInUse(directory, {
            why: "What it works with can't be exchanged under it.",
            instead: "Or choose another folder with --state-dir"
          })
        : failedWith(ofTheBackup(error))
    )
  )
  Terminal.err(`All threads are again as they are in ${source}.`)
  yield* restoreLog(logOf(source), auditIn(directory))
  if (dropped !== undefined) {
    const what = `Left out of it what Signalbox did not make: ${ForeignSchema.words(dropped)}.`
    Terminal.err(`${what} It would have run with what Signalbox writes.`)
    yield* note(directory, `${source} was restored. ${what}`)
  }
  if (held !== undefined)
    Terminal.err(
      `${countText(held, "prompt")} wait in it and are held: they may have been sent since. Resume is on the page.`
    )
  if (movedTo !== undefined) Terminal.err(`What was there before is kept as ${movedTo}.`)
})

/** The copy of the audit log beside a copy of the threads. */
const logOf = (file: string): string => `${file}-audit`

/** An audit log only grows: it is never replaced by an earlier one. */
const restoreLog = Effect.fnUntraced(function* (copy: string, log: string) {
  if (!existsSync(copy)) return
  if (existsSync(log)) return Terminal.err("The audit log stays as it is: it has what was decided since, too.")
  yield* AuditCopy.copy(copy, log).pipe(
    Effect.mapError(({ problem }) => failedWith({ ...problem, title: "The audit log could not be brought back." }))
  )
  Terminal.err("The audit log was brought back, too.")
})

const taken = (path: string) =>
  failedWith({
    code: "storage",
    title: `This file is there already. ${path}.`,
    cause: "Nothing was changed.",
    evidence: { path },
    nextSteps: [{ action: "set-option", label: "Choose another name" }]
  })

/** Writes to the server's log file. That is safe, since no server runs now. */
const note = Effect.fnUntraced(function* (directory: string, message: string) {
  const file = yield* LogFile.make({ folder: logsIn(directory) })
  const time = new Date(yield* Clock.currentTimeMillis).toISOString()
  file.append(LogRecord.toJson({ time, level: "warn", category: "Backups", message }))
}, Effect.scoped)

type Failure = Backup.BackupRefused | StorageError

/** The problem of a failed copy. A storage error concerns the copy's disk and file, not the database. */
const ofTheCopy = (error: Failure): Problem =>
  error._tag === "BackupRefused" ? error.problem : { ...error.problem, title: "The copy could not be made." }

/**
 * The problem of a backup that can't be restored. The next step is another backup, since a backup has no backup itself.
 */
const ofTheBackup = (error: Failure): Problem => {
  if (error._tag === "BackupRefused" || error.reason !== "corrupt") return error.problem
  const nextSteps = [{ action: "set-option" as const, label: "Take another backup" }]
  return { ...error.problem, title: "This is no sound backup. Nothing was changed.", nextSteps }
}

const nothingThere = (database: string) =>
  failedWith({
    code: "storage",
    title: "There is nothing to copy.",
    cause: "No server has kept anything in this state folder yet.",
    evidence: { path: database },
    nextSteps: [{ action: "set-option", label: "Name the folder with --state-dir" }]
  })
