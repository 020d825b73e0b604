/**
 * How many transactions were committed, counted in the database and again in a small file beside it. SQLite leaves out the end of a
 * journal that was damaged or cut, and says nothing: where the file knows of more than the database, that many are lost.
 */
import type { Problem } from "@signalbox/contracts/Problem"
import * as fs from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import * as DatabaseFiles from "./DatabaseFiles.ts"

/** What a journal has lost, or a database as a whole. */
export interface Loss {
  readonly of: "journal" | "database"
  readonly commits: number
  /** Milliseconds since 1970: when the first of them can have been, and when the last was. */
  readonly since: number
  readonly until: number
}

export interface CommitCount {
  /** What was lost before this was opened. */
  readonly loss: Loss | undefined
  /** Within a transaction: the next number. */
  readonly next: () => void
  /** Once it is committed. Never throws. */
  readonly committed: (at: number) => void
  /** After the database is closed. */
  readonly close: () => void
}

const fileOf = (database: string): string => `${database}-commits`

/** How many seconds the file looks back: beside the latest commit it holds one for each of them that had any. */
const seconds = 120
const entryBytes = 16

interface Entry {
  readonly count: number
  readonly at: number
}

const entriesIn = (file: string): ReadonlyArray<Entry> => {
  // To read a pipe may never end.
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

/** SQLite keeps this number for programs, in 32 bits. It is part of each transaction, and of copies. */
const countIn = (database: DatabaseSync): number =>
  Number(database.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0)

/** Read before the database: what is committed meanwhile is no loss. */
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

/** A full disk or one that can only be read is told by the database. A number that is too small tells of no loss. */
const attempt = <A>(work: () => A): A | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** `isNew`: the database held nothing. Then all that was counted is lost. Nothing else may be written meanwhile. */
export const open = (database: DatabaseSync, filename: string, isNew: boolean): CommitCount => {
  const place = fileOf(filename)
  // What can't be moved is left: then writes are not counted.
  attempt(() => DatabaseFiles.setAside(place))
  const loss = lossOf(database, filename, isNew)
  let count = countIn(database)
  // What it knows stays known until the next commit, unless that was told now.
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
      // Not synced: what a power cut takes from the journal, it may take from here.
      put(0)
      put(1 + (Math.floor(at / 1000) % seconds))
    },
    close: () => {
      if (file !== undefined) fs.closeSync(file)
      // All is in the database: there is no journal that could lose anything. A database that was taken away is told by the next.
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
