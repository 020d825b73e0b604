/** The error of storage. Each reason has a `Problem` that explains it to people. */
import type { NextStep, Problem } from "@signalbox/contracts/Problem"
import * as Schema from "effect/Schema"
import { messageOf } from "@signalbox/system/SystemError"

const Reason = Schema.Literals([
  "locked",
  "corrupt",
  "corrupt-thread",
  "read-only",
  "unwritable",
  "full",
  "newer",
  "lock-lost",
  "file-lost",
  "lock-unusable",
  "not-a-file",
  "failed"
])
type Reason = typeof Reason.Type

const titles: Readonly<Record<Reason, string>> = {
  locked: "The database is locked by another program.",
  corrupt: "The database is damaged.",
  "corrupt-thread": "This thread's record is damaged.",
  "read-only": "The database can only be read.",
  unwritable: "The database can't be written.",
  full: "The disk is full.",
  newer: "The database was written by a newer Signalbox.",
  "lock-lost": "This server no longer has its state folder to itself.",
  "file-lost": "The database was taken away under the running server.",
  "lock-unusable": "The lock of the state folder can't be used.",
  "not-a-file": "Something else is in the place of a file of the database.",
  failed: "The database refused an operation."
}

/** The cause of each reason. `detail` is its evidence. */
const causes: Readonly<Record<Reason, string>> = {
  locked: "It stayed locked for two seconds",
  corrupt: "What is in it can't be right",
  "corrupt-thread": "The database is sound, but not what it holds of this thread",
  "read-only": "Writing was refused",
  unwritable: "It could not be opened or written",
  full: "There was no room for what was to be written",
  newer: "This version can't work with it",
  "lock-lost":
    "Another Signalbox may use the folder now, so that nothing more is written. The lock that kept it out is gone",
  "file-lost": "What is written to a file that nobody can find again is lost, so that nothing more is written",
  "lock-unusable": "It keeps a second server out of the folder, and could not be taken",
  "not-a-file": "It can't be read or written",
  failed: "SQLite said"
}

const nextSteps: Readonly<Record<Reason, NextStep>> = {
  locked: { action: "wait", label: "Close the program that holds it; it is then tried again." },
  corrupt: {
    action: "run-command",
    label: "Restore it from a backup, or move the file away and start again.",
    command: "signalbox restore FILE"
  },
  "corrupt-thread": {
    action: "run-command",
    label: "Restore a backup, or delete the thread. The other threads are not affected.",
    command: "signalbox restore FILE"
  },
  "read-only": { action: "wait", label: "Allow writing to the file and to its folder; it is then tried again." },
  unwritable: { action: "wait", label: "Choose a folder that you may write to, or allow writing to this one." },
  full: { action: "wait", label: "Free some space; what waits is then written." },
  newer: { action: "restart", label: "Use that version, or another state folder." },
  "lock-lost": { action: "restart", label: "Start the server again." },
  "file-lost": { action: "restart", label: "Put the file back if you have it, and start the server again." },
  "lock-unusable": {
    action: "restart",
    label: "Move it away while no Signalbox uses the folder; the next start makes a new one."
  },
  "not-a-file": { action: "restart", label: "Move it away while no Signalbox uses the folder, and start again." },
  failed: { action: "restart", label: "Restart the server." }
}

/** A failure of storage. `detail`: the message of SQLite or of the operating system. */
export class StorageError extends Schema.TaggedError<StorageError>()("StorageError", {
  reason: Reason,
  path: Schema.String,
  detail: Schema.String
}) {
  override get message(): string {
    return `${titles[this.reason]} ${this.path}: ${this.detail}. ${nextSteps[this.reason].label}`
  }

  /** Whether the same operation may succeed later, without a restart. */
  get passing(): boolean {
    return nextSteps[this.reason].action === "wait"
  }

  get problem(): Problem {
    return {
      code: "storage",
      title: titles[this.reason],
      cause: `${causes[this.reason]}: ${this.detail}.`,
      evidence: { path: this.path },
      nextSteps: [nextSteps[this.reason]]
    }
  }
}

/** Classifies what `node:sqlite` or `node:fs` threw, also inside an error of the SQL client. */
export const storageError =
  (path: string) =>
  (thrown: unknown): StorageError => {
    if (thrown instanceof StorageError) return thrown
    const cause = innermost(thrown)
    const detail = messageOf(cause)
    return new StorageError({ path, detail, reason: reasonOf(cause) })
  }

const innermost = (thrown: unknown): unknown => {
  if (typeof thrown !== "object" || thrown === null || "errcode" in thrown) return thrown
  if ("reason" in thrown && typeof thrown.reason === "object") return innermost(thrown.reason)
  if ("cause" in thrown && thrown.cause !== undefined) return innermost(thrown.cause)
  return thrown
}

/** Primary result codes of SQLite (https://sqlite.org/rescode.html) and error codes of the operating system. */
const reasonOf = (cause: unknown): Reason => {
  if (typeof cause !== "object" || cause === null) return "failed"
  if ("errcode" in cause && typeof cause.errcode === "number") {
    // SQLITE_IOERR_SHORT_READ: the file ends before its content does.
    if (cause.errcode === 522) return "corrupt"
    switch (cause.errcode & 0xff) {
      case 5: // SQLITE_BUSY
      case 6: // SQLITE_LOCKED
        return "locked"
      case 11: // SQLITE_CORRUPT
      case 26: // SQLITE_NOTADB
        return "corrupt"
      case 8: // SQLITE_READONLY
        return "read-only"
      case 10: // SQLITE_IOERR
      case 14: // SQLITE_CANTOPEN
        return "unwritable"
      case 13: // SQLITE_FULL
        return "full"
      default:
        return "failed"
    }
  }
  if (!("code" in cause)) return "failed"
  switch (cause.code) {
    case "EACCES":
    case "EPERM":
    case "ENOTDIR":
    case "EEXIST":
    case "EISDIR":
    case "ENOENT":
      return "unwritable"
    case "EROFS":
      return "read-only"
    case "ENOSPC":
    case "EDQUOT":
      return "full"
    default:
      return "failed"
  }
}
