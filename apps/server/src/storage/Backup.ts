/** Copies of the database: made while a server uses it, and put in its place again while none does. */
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

/** A file is not what it would have to be. Nothing was changed. */
export class BackupRefused extends Schema.TaggedError<BackupRefused>()("BackupRefused", {
  path: Schema.String,
  /** What is wrong with it, a sentence. */
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
 * Copies `database`, as it is at one moment, to the new file `target`, readable for its owner only. The file is there once the copy is
 * whole and checked. A server may write meanwhile. Succeeds with the bytes of the copy. Fails with `BackupRefused` where `target` is there already or `database` is none
 * of ours; with `StorageError` on damage, a full disk, a folder that can't be written.
 */
export const backup = Effect.fn("Backup.backup")((database: string, target: string) =>
  attempt(target, () => {
    copyBeside(path.resolve(database), path.resolve(target))
    syncFolder(path.dirname(path.resolve(target)))
    return { bytes: fs.statSync(target).size }
  })
)

/** What a database is, as far as can be seen without writing a byte. */
export interface Inspection {
  /** The number of its shape; this version works with `latestShape`. */
  readonly shape: number
  readonly latestShape: number
  /** What SQLite found, when it looked at every page. */
  readonly problem?: Problem
  /** What its journal has lost, which the next server to start will tell. */
  readonly loss?: Problem
}

/** Looks at `database`, also beside a running server. Fails with `BackupRefused` where it is missing or none of ours. */
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
  /** The folder of `database`, and of the lock of the server that would use it. */
  readonly stateDirectory: string
  readonly database: string
  /** The copy that is put in the place of `database`. It stays. */
  readonly source: string
}

/** What restoring has done. */
export interface Restored {
  /** The new path of what was there before; absent when there was nothing. */
  readonly movedTo?: string
  /** What the copy held that no Signalbox has made, and that was left out. */
  readonly dropped?: ReadonlyArray<ForeignSchema.SchemaEntry>
  /** How many prompts wait in it, and are held. */
  readonly held?: number
}

/**
 * Puts a copy of `source` in the place of `database`, without what acts in it and is not ours. What was there is moved aside, and stays a
 * database that can be opened. Fails with `StateInUse` while a server runs, and with `BackupRefused` where `source` is no copy of a
 * Signalbox database. Fails with `StorageError` where it is damaged or newer than this version.
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
    // The journal first: without it the database is an older one, with another database it would be damage.
    for (const part of ["-wal", "-shm", "-commits", ""]) moveIfThere(`${database}${part}`, `${movedTo}${part}`)
    fs.renameSync(prepared, database)
    syncFolder(path.dirname(database))
    return { ...(moved && { movedTo }), ...(dropped.length > 0 && { dropped }), ...(held > 0 && { held }) }
  })
}, Effect.scoped)

interface Expected {
  readonly shape: number
  /** The schema that this shape has. */
  readonly ours: ReadonlyArray<ForeignSchema.SchemaEntry>
  readonly at: number
}

/** Drops from the copy of `source` what is not ours, and holds the prompts that wait. Refuses it where what is ours is not as we make it. */
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

/** What fails without a word of its own is said of `file`. */
const attempt = <A>(file: string, work: () => A): Effect.Effect<A, BackupRefused | StorageError> =>
  Effect.try({ try: work, catch: failedAt(file) })

/** Copies to a file beside `target`, which gets that name once it is whole. Takes away what copiers left that were killed. */
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
    // Another name for the file: it never takes the place of one that came meanwhile.
    fs.linkSync(draft, target)
  } catch (error) {
    if (fs.existsSync(target)) throw taken
    // Some disks, such as those of cameras, give a file one name only.
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

/** A process of another user lives, too. */
const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== "ESRCH"
  }
}

/** To a new file, and leaves none behind when it fails. */
const copy = (source: string, target: string): void => {
  mustExist(source)
  // SQLite writes into an empty file, and leaves its mode alone.
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

/** Whether a copy of `source` is whole, and of a shape that this version knows. */
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

/** `file` is what is said to be none of ours, should it be none. */
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

/** Names that were made or changed in it survive a power cut too. */
const syncFolder = (folder: string): void => {
  const opened = fs.openSync(folder, "r")
  fs.fsyncSync(opened)
  fs.closeSync(opened)
}
