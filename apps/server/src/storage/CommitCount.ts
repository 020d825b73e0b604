/**
 * Counts committed transactions, in the database and also in a small file beside it. SQLite silently skips the end of a
 * damaged or cut journal. If the file has a higher count than the database, the difference is lost.
 */
import type { Problem } from "@signalbox/contracts/Problem"
import * as fs from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import * as DatabaseFiles from "./DatabaseFiles.ts"

/** Commits that a journal, or a whole database, has lost. */
export interface Loss {
  readonly of: "journal" | "database"
  readonly commits: number
  /** Milliseconds since 1970: the earliest possible time of the first lost commit, and the time of the last one. */
  readonly since: number
  readonly until: number
}

export interface CommitCount {
  /** Commits that were lost before the database was opened. */
  readonly loss: Loss | undefined
  /** Increments the count. To be called inside the transaction. */
  readonly next: () => void
  /** Notes the commit in the file. To be called after the commit; never throws. */
  readonly committed: (at: number) => void
  /** To be called after the database is closed. */
  readonly close: () => void
}

const fileOf = (database: string): string => `${database}-commits`

/**
 * Seconds of history in the file. Besides the latest commit, it holds one commit for each of these seconds that had
 * any.
 */
const seconds = 120
const entryBytes = 16

interface Entry {
  readonly count: number
  readonly at: number
}

const entriesIn = (file: string): ReadonlyArray<Entry> => {
  // Reading a pipe may never end.
  if (fs.statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return []
  const bytes = fs.readFileSync(file).subarray(0, (seconds + 1) * entryBytes)
  const entries = Array.from({ length: Math.floor(bytes.length / entryBytes) }, (_, index) => ({
    count: bytes.readDoubleLE(index * entryBytes),
    at: bytes.readDoubleLE(index * entryBytes + 8)
  }))
  return entries.filter(
    ({ at, count }) => Number.isSafeInteger(count) && Number.isSafeInteger(at) && count > 0 && at > 0
  )
}

/**
 * The count in the database: a number of 32 bits that SQLite keeps for applications. It is part of each transaction and
 * of each copy.
 */
const countIn = (database: DatabaseSync): number =>
  Number(database.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0)

/**
 * The loss, if there is one. Reads the file before the database, so that a commit in between isn't taken for a loss.
 */
export const lossOf = (database: DatabaseSync, filename: string, isNew = false): Loss | undefined => {
  const entries = entriesIn(fileOf(filename))
  const count = countIn(database)
  const [latest] = entries
  if (latest === undefined || latest.count <= count) return undefined
  const known = entries.filter((entry) => entry.count <= count).map(({ at }) => at)
  return {
    of: isNew ? "database" : "journal",
    commits: latest.count - count,
    since: Math.max(0, ...known),
    until: latest.at
  }
}

/**
 * Runs work on the file and ignores failures. The database reports a full or read-only disk itself, and too small a
 * count reports no loss.
 */
const attempt = <A>(work: () => A): A | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

/**
 * Opens the count. `isNew`: the database was empty, so every counted commit is lost. Nobody else may write meanwhile.
 */
export const open = (database: DatabaseSync, filename: string, isNew: boolean): CommitCount => {
  const place = fileOf(filename)
  // If the file's place can't be cleared, commits are not counted.
  attempt(() => DatabaseFiles.setAside(place))
  const loss = lossOf(database, filename, isNew)
  let count = countIn(database)
  // The file keeps its content until the next commit, unless its loss is reported now.
  if (isNew || loss !== undefined) attempt(() => fs.rmSync(place, { force: true }))
  const file = attempt(() => fs.openSync(place, fs.constants.O_WRONLY | fs.constants.O_CREAT, 0o600))
  const entry = Buffer.alloc(entryBytes)
  const put = (index: number) =>
    file === undefined ? undefined : attempt(() => fs.writeSync(file, entry, 0, entryBytes, index * entryBytes))
  return {
    loss,
    next: () => database.exec(`PRAGMA user_version = ${count + 1}`),
    committed: (at) => {
      count += 1
      entry.writeDoubleLE(count, 0)
      entry.writeDoubleLE(at, 8)
      // Not synced: a power cut may lose commits of the journal, and may lose their counts here too.
      put(0)
      put(1 + (Math.floor(at / 1000) % seconds))
    },
    close: () => {
      if (file !== undefined) fs.closeSync(file)
      // Everything is in the database, and no journal is left that could lose commits. If the database was removed, the
      // next start reports it.
      if (!fs.existsSync(`${filename}-wal`) && fs.existsSync(filename)) fs.rmSync(place, { force: true })
    }
  }
}

const timeOf = (at: number): string => new Date(at).toISOString().slice(0, 19).replace("T", " ")

const titles: Readonly<Record<Loss["of"], (commits: number) => string>> = {
  journal: (commits) => `The database lost its last ${commits === 1 ? "write" : `${commits} writes`}.`,
  database: (commits) => `The database was empty, and lost ${commits === 1 ? "1 write" : `${commits} writes`}.`
}

const causes: Readonly<Record<Loss["of"], string>> = {
  journal: "Its journal was damaged or cut while no server used it.",
  database: "Its file was emptied or taken away while no server used it."
}

/** The loss as a problem for people. */
export const problemOf = ({ commits, of, since, until }: Loss, path: string): Problem => ({
  code: "storage",
  title: titles[of](commits),
  cause: `${causes[of]} What was written ${since === 0 ? "" : `after ${timeOf(since)} `}until ${timeOf(until)} (UTC) is not there.`,
  evidence: { path },
  nextSteps: [
    {
      action: "run-command",
      label: "Look at the threads of that time; an earlier state is in your backups",
      command: "signalbox restore FILE"
    }
  ]
})
