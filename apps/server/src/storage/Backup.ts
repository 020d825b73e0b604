/** Copies the database while a server uses it, and restores a copy while no server does. */
import type { Problem } from "@signalbox/contracts/Problem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { codeOf } from "@signalbox/system/SystemError"
import * as CommitCount from "./CommitCount.ts"
import * as DatabaseFiles from "./DatabaseFiles.ts"
import * as ForeignSchema from "./ForeignSchema.ts"
import * as Migrations from "./Migrations.ts"
import * as StateLock from "./StateLock.ts"
import { StorageError, storageError } from "./StorageError.ts"
import * as WaitingPrompts from "./WaitingPrompts.ts"

/** A file can't be used as asked, for example because it is no database of ours. Nothing was changed. */
export class BackupRefused extends Schema.TaggedError<BackupRefused>()("BackupRefused", {
  path: Schema.String,
  /** What is wrong with the file, a sentence. */
  title: Schema.String,
  /** What to do about it, a sentence. */
  remedy: Schema.String
}) {
  override get message(): string {
    return `${this.title} ${this.path}. ${this.remedy}`
  }

  get problem(): Problem {
    const { path, remedy, title } = this
    const nextSteps = [{ action: "check-again" as const, label: remedy }]
    return { code: "storage", title, cause: "Nothing was changed.", evidence: { path }, nextSteps }
  }
}

/**
 * Copies one consistent state of `database` to the new file `target`, which only its owner can read. The file appears
 * once the copy is complete and checked. A server may write meanwhile. Succeeds with the bytes of the copy. Fails with
 * `BackupRefused` if `target` exists or `database` isn't ours. Fails with `StorageError` on damage, a full disk, or a
 * folder that can't be written.
 */
export const backup = Effect.fn("Backup.backup")((database: string, target: string) =>
  attempt(target, () => {
    copyBeside(path.resolve(database), path.resolve(target))
    syncFolder(path.dirname(path.resolve(target)))
    return { bytes: fs.statSync(target).size }
  })
)

/** What is known of a database without writing a byte. */
export interface Inspection {
  /** The version of its schema. This version of Signalbox works with `latestShape`. */
  readonly shape: number
  readonly latestShape: number
  /** The damage that SQLite found when it checked every page. */
  readonly problem?: Problem
  /** What its journal has lost. The next server that starts reports it. */
  readonly loss?: Problem
}

/** Inspects `database`, also while a server runs. Fails with `BackupRefused` if it is missing or isn't ours. */
export const inspect = Effect.fn("Backup.inspect")((database: string) =>
  attempt(database, (): Inspection => {
    mustExist(database)
    return reading(path.resolve(database), (opened) => {
      const shape = shapeOf(opened, database)
      const damage = damageOf(opened, database, "quick_check")
      const lost = CommitCount.lossOf(opened, path.resolve(database))
      const loss = lost && CommitCount.problemOf(lost, database)
      return {
        shape,
        latestShape: Migrations.latest,
        ...(loss && { loss }),
        ...(damage && { problem: damage.problem })
      }
    })
  })
)

export interface Restoring {
  /** The folder of `database`, which also holds the server's lock. */
  readonly stateDirectory: string
  readonly database: string
  /** The copy that replaces `database`. The copy itself stays. */
  readonly source: string
}

/** The result of restoring. */
export interface Restored {
  /** The new path of the replaced database; absent if there was none. */
  readonly movedTo?: string
  /** Schema entries of the copy that no Signalbox has made. They were left out. */
  readonly dropped?: ReadonlyArray<ForeignSchema.SchemaEntry>
  /** The number of waiting prompts in the copy. They are held. */
  readonly held?: number
}

/**
 * Replaces `database` by a copy of `source`, without schema entries that Signalbox has not made. The replaced database
 * is moved aside and can still be opened. Fails with `StateInUse` while a server runs. Fails with `BackupRefused` if
 * `source` is no copy of a Signalbox database. Fails with `StorageError` if it is damaged or newer than this version.
 */
export const restore = Effect.fn("Backup.restore")(function* ({
  database,
  source,
  stateDirectory
}: Restoring): Effect.fn.Return<Restored, BackupRefused | StateLock.StateInUse | StorageError, Scope.Scope> {
  yield* Layer.build(Layer.fresh(StateLock.layer(stateDirectory)))
  const at = yield* Clock.currentTimeMillis
  const movedTo = `${database}.before-${new Date(at).toISOString().replaceAll(":", "-")}`
  const prepared = `${database}.restoring`
  yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(prepared, { force: true })))
  const shape = yield* attempt(source, () => {
    fs.rmSync(prepared, { force: true })
    copy(path.resolve(source), prepared)
    return reading(prepared, (copied) => shapeOf(copied, source))
  })
  const ours = yield* Migrations.schemaAt(shape)
  return yield* attempt(source, (): Restored => {
    const { dropped, held } = cleanse(prepared, source, { shape, ours, at })
    const moved = fs.existsSync(database)
    // The journal moves first. A database without its journal is just older, but a journal beside another database
    // would damage that one.
    for (const part of ["-wal", "-shm", "-commits", ""]) moveIfThere(`${database}${part}`, `${movedTo}${part}`)
    fs.renameSync(prepared, database)
    syncFolder(path.dirname(database))
    return { ...(moved && { movedTo }), ...(dropped.length > 0 && { dropped }), ...(held > 0 && { held }) }
  })
}, Effect.scoped)

interface Expected {
  readonly shape: number
  /** The schema of this shape. */
  readonly ours: ReadonlyArray<ForeignSchema.SchemaEntry>
  readonly at: number
}

/**
 * Drops foreign schema entries from the copy of `source`, and holds its waiting prompts. Refuses the copy if
 * Signalbox's own entries were altered.
 */
const cleanse = (copied: string, source: string, { at, ours, shape }: Expected) => {
  const database = new DatabaseSync(copied)
  try {
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA journal_mode = DELETE")
    const { altered, foreign } = ForeignSchema.compare(ours, ForeignSchema.read(database))
    if (altered.length > 0)
      throw new BackupRefused({
        path: source,
        title: `This backup is not as Signalbox makes it: ${ForeignSchema.namesOf(altered)}.`,
        remedy: "Take another backup."
      })
    if (foreign.length > 0) {
      ForeignSchema.remove(database, foreign)
      check(database, source)
    }
    return { dropped: foreign, held: WaitingPrompts.hold(database, shape, at) }
  } finally {
    database.close()
  }
}

const failedAt =
  (file: string) =>
  (error: unknown): BackupRefused | StorageError =>
    error instanceof BackupRefused ? error : storageError(file)(error)

/** Runs `work`. Any failure but a `BackupRefused` becomes a `StorageError` about `file`. */
const attempt = <A>(file: string, work: () => A): Effect.Effect<A, BackupRefused | StorageError> =>
  Effect.try({ try: work, catch: failedAt(file) })

/**
 * Copies to a file beside `target`, which gets that name when the copy is complete. Removes drafts of killed processes.
 */
const copyBeside = (source: string, target: string): void => {
  const taken = new BackupRefused({
    path: target,
    title: "This file is there already.",
    remedy: "Choose another name."
  })
  if (fs.existsSync(target)) throw taken
  removeLeft(target)
  const draft = draftOf(target, process.pid)
  copy(source, draft)
  try {
    // A hard link: unlike a rename, it never replaces a file that was made meanwhile.
    fs.linkSync(draft, target)
  } catch (error) {
    if (fs.existsSync(target)) throw taken
    // Some file systems, such as those of cameras, have no hard links.
    if (!oneNameOnly.has(codeOf(error) ?? "")) throw error
    fs.renameSync(draft, target)
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

const oneNameOnly: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"])

const draftOf = (target: string, pid: number): string => `${target}.${pid}.partial`

const removeLeft = (target: string): void => {
  const folder = path.dirname(target)
  if (!fs.existsSync(folder)) return
  for (const name of fs.readdirSync(folder)) {
    const left = path.join(folder, name)
    const pid = Number(/\.(\d{1,10})\.partial$/.exec(name)?.[1])
    if (left === draftOf(target, pid) && !lives(pid)) fs.rmSync(left, { force: true })
  }
}

/** Whether a process exists. A process of another user counts too. */
const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== "ESRCH"
  }
}

/** Copies to a new file, and removes it if the copy fails. */
const copy = (source: string, target: string): void => {
  mustExist(source)
  // The file is made first: SQLite writes into an empty file and keeps its mode.
  fs.closeSync(fs.openSync(target, "wx", 0o600))
  try {
    reading(source, (database) => database.prepare("VACUUM INTO ?").run(target))
    reading(target, (database) => check(database, source))
    syncFile(target)
  } catch (error) {
    fs.rmSync(target, { force: true })
    throw error
  }
}

/** Checks that a copy of `source` is complete, and that this version knows its shape. */
const check = (copied: DatabaseSync, source: string): void => {
  const shape = shapeOf(copied, source)
  if (shape > Migrations.latest) throw Migrations.newer(source, shape)
  const damage = damageOf(copied, source, "integrity_check")
  if (damage) throw damage
}

const mustExist = (file: string): void => {
  if (!fs.existsSync(file))
    throw new BackupRefused({ path: file, title: "There is no such file.", remedy: "Check the name." })
}

/** The shape of a database. An error names `file` as the one that isn't ours. */
const shapeOf = (database: DatabaseSync, file: string): number => {
  const tables = database
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name IN (?, 'threads')")
    .all(Migrations.table)
  if (tables.length !== 2) throw noneOfOurs(file)
  const shape = database.prepare(`SELECT max(migration_id) AS shape FROM ${Migrations.table}`).get()?.shape
  if (typeof shape !== "number" || shape < 1) throw noneOfOurs(file)
  return shape
}

const noneOfOurs = (file: string): BackupRefused =>
  new BackupRefused({ path: file, title: "This is no Signalbox database.", remedy: "Check the name." })

const damageOf = (database: DatabaseSync, file: string, check: "quick_check" | "integrity_check") => {
  const verdict = database.prepare(`PRAGMA ${check}(1)`).get()?.[check]
  return verdict === "ok"
    ? undefined
    : new StorageError({ reason: "corrupt", path: file, detail: `${check} says: ${String(verdict)}` })
}

const reading = <A>(file: string, work: (database: DatabaseSync) => A): A => {
  DatabaseFiles.check(file)
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return work(database)
  } catch (error) {
    throw failedAt(file)(error)
  } finally {
    database.close()
  }
}

const moveIfThere = (from: string, to: string): void => {
  if (fs.existsSync(from)) fs.renameSync(from, to)
}

const syncFile = (file: string): void => {
  const opened = fs.openSync(file, "r+")
  fs.fsyncSync(opened)
  fs.closeSync(opened)
}

/** Syncs a folder, so that new and changed names in it survive a power cut. */
const syncFolder = (folder: string): void => {
  const opened = fs.openSync(folder, "r")
  fs.fsyncSync(opened)
  fs.closeSync(opened)
}
