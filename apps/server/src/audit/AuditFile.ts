/**
 * The file of the audit log, for writing: `audit.sqlite` in the state folder. A server and runs write to it at the same time. It is a
 * database of its own, so that a thread that is deleted leaves its decisions. Synchronous, since a decision and its entry are one step.
 */
import { codeOf } from "@signalbox/system/SystemError"
import * as fs from "node:fs"
import { basename } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import * as SharedDatabase from "../storage/SharedDatabase.ts"
import { StorageError, storageError } from "../storage/StorageError.ts"
import * as AuditChain from "./AuditChain.ts"

export interface AuditFile {
  /**
   * Writes entries in one transaction, and returns them. Throws a `StorageError` if none of them was written.
   *
   * @param durable synced to the disk, so that they survive a power cut. Otherwise they survive the end of the process
   */
  readonly append: (drafts: ReadonlyArray<AuditChain.AuditDraft>, durable: boolean) => ReadonlyArray<AuditChain.Link>
  readonly close: () => void
}

/** The number of the shape that this version writes. */
const shape = 1

/** Milliseconds that a writer waits for another one. This wait blocks the event loop, and a write takes less than one. */
const busyTimeout = 250

/** A member of an entry that is not JSON is null, so that one damaged entry hides no other. */
const member = (name: string, path: string): string =>
  `${name} AS (CASE WHEN json_valid(entry) THEN ${path
    .split(" or ")
    .map((one) => `entry ->> '${one}'`)
    .reduceRight((rest, one) => (rest === "" ? one : `coalesce(${one}, ${rest})`), "")} END) STORED`

const schema = `
CREATE TABLE IF NOT EXISTS entries (
  sequence INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,
  ${member("type", "$.type")},
  ${member("at", "$.at")},
  ${member("request", "$.requestId")},
  ${member("thread", "$.threadId")},
  ${member("agent", "$.agent")},
  ${member("folder", "$.folder")},
  ${member("effect", "$.effect")},
  ${member("decider", "$.by.type")},
  ${member("rule", "$.by.rule.id or $.judgement.rule.id")},
  entry TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS entries_at ON entries (type, at);
CREATE INDEX IF NOT EXISTS entries_request ON entries (request);
CREATE INDEX IF NOT EXISTS entries_thread ON entries (thread);
CREATE INDEX IF NOT EXISTS entries_rule ON entries (rule, at, decider, effect) WHERE rule IS NOT NULL;
CREATE TRIGGER IF NOT EXISTS entries_stay BEFORE DELETE ON entries
  BEGIN SELECT RAISE(ABORT, 'entries of the audit log are never deleted'); END;
CREATE TRIGGER IF NOT EXISTS entries_never_change BEFORE UPDATE ON entries
  BEGIN SELECT RAISE(ABORT, 'entries of the audit log are never changed'); END;
CREATE TRIGGER IF NOT EXISTS entries_are_never_replaced BEFORE INSERT ON entries
  WHEN EXISTS (SELECT 1 FROM entries WHERE sequence = NEW.sequence)
  BEGIN SELECT RAISE(ABORT, 'entries of the audit log are never replaced'); END;
PRAGMA user_version = ${shape};
`

interface Opened {
  readonly database: DatabaseSync
  readonly append: AuditFile["append"]
}

const connect = (path: string): Opened => {
  const database = SharedDatabase.open(path, busyTimeout)
  try {
    const found = Number(database.prepare("PRAGMA user_version").get()?.["user_version"])
    if (found > shape) throw new StorageError({ reason: "newer", path, detail: `it has the shape number ${found}` })
    SharedDatabase.useWriteAheadLog(database, busyTimeout)
    if (found < shape) database.exec(`BEGIN IMMEDIATE; ${schema} COMMIT`)
    return { database, append: appender(database) }
  } catch (error) {
    database.close()
    throw error
  }
}

const appender = (database: DatabaseSync): AuditFile["append"] => {
  const newest = database.prepare("SELECT sequence, hash FROM entries ORDER BY sequence DESC LIMIT 1")
  const insert = database.prepare("INSERT INTO entries (sequence, hash, entry) VALUES (?, ?, ?)")
  const head = (): AuditChain.Head => {
    const { hash, sequence } = newest.get() ?? AuditChain.start
    return { hash: String(hash), sequence: Number(sequence) }
  }
  // An entry that can't be counted on from is found when the file is opened.
  head()
  let isDurable = false
  return (drafts, durable) => {
    if (durable !== isDurable) database.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}`)
    isDurable = durable
    database.exec("BEGIN IMMEDIATE")
    try {
      let last = head()
      const links = drafts.map((draft) => {
        const link = AuditChain.next(last, draft)
        insert.run(link.sequence, link.hash, link.text)
        last = link
        return link
      })
      database.exec("COMMIT")
      return links
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK")
      throw error
    }
  }
}

/** What is known of a log that had to be put aside. */
interface Lost {
  readonly kept?: string
  readonly why: string
}

/** Whether a failure says that the file itself can't be used any more, and not only now: its content or its tables are not ours. */
const isBeyondUse = (path: string, error: unknown): boolean => {
  const { reason } = storageError(path)(error)
  if (reason === "corrupt" || reason === "not-a-file") return true
  if (codeOf(error) === "ERR_OUT_OF_RANGE") return true
  const SQLITE_ERROR = 1
  return typeof error === "object" && error !== null && "errcode" in error && error.errcode === SQLITE_ERROR
}

/** Puts the file aside under another name, with its journal. */
const putAside = (path: string, at: number, { detail }: StorageError): Lost => {
  const kept = `${path}.damaged-${new Date(at).toISOString().replaceAll(":", "-")}`
  for (const part of ["-wal", "-shm", ""])
    if (fs.lstatSync(`${path}${part}`, { throwIfNoEntry: false }) !== undefined)
      fs.renameSync(`${path}${part}`, `${kept}${part}`)
  return { kept: basename(kept), why: `The log before it could not be used: ${detail}.` }
}

/** Device and number of the file at a path. */
const identityOf = (path: string): string | undefined => {
  const found = fs.statSync(path, { throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}

/**
 * Opens the log for writing. A log that is damaged is put aside, and a new one says so in its first entry. Throws a `StorageError`.
 *
 * @param now milliseconds since 1970
 */
export const open = (path: string, now: () => number): AuditFile => {
  const failed = storageError(path)
  const made = (): Opened & { readonly identity: string | undefined } => {
    const before = identityOf(path)
    const opened = opening()
    return { ...opened, identity: before ?? identityOf(path) }
  }
  const opening = (): Opened => {
    try {
      return connect(path)
    } catch (error) {
      if (!isBeyondUse(path, error)) throw error
      return begunAnew(putAside(path, now(), failed(error)))
    }
  }
  const begunAnew = (lost: Lost): Opened => {
    const opened = connect(path)
    opened.append([{ type: "restart", at: now(), ...lost }], true)
    return opened
  }
  const attempt = <A>(work: () => A): A => {
    try {
      return work()
    } catch (error) {
      throw failed(error)
    }
  }
  let current = attempt(made)

  /** Nobody would find again what is written to a file that was taken away. */
  const isThere = (): boolean => identityOf(path) === current.identity
  const reopen = (): void => {
    current.database.close()
    current =
      identityOf(path) === undefined
        ? { ...begunAnew({ why: "The log before it was taken away while it was in use." }), identity: identityOf(path) }
        : made()
  }
  /** Begins anew in place of a file whose damage has shown. Another process may have done so meanwhile. */
  const replace = (error: unknown): void => {
    if (!isThere()) return reopen()
    current.database.close()
    current = { ...begunAnew(putAside(path, now(), failed(error))), identity: identityOf(path) }
  }
  return {
    append: (drafts, durable) =>
      attempt(() => {
        if (!isThere()) reopen()
        try {
          return current.append(drafts, durable)
        } catch (error) {
          if (!isBeyondUse(path, error)) throw error
          replace(error)
          return current.append(drafts, durable)
        }
      }),
    close: () => current.database.close()
  }
}
