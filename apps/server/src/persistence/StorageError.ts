/** How keeping things on disk fails. Each reason explains itself to people as a `Problem`. */
import type { NextStep, Problem } from "@signalbox/contracts/Problem"
import * as Schema from "effect/Schema"

const Reason = Schema.Literals(["locked", "corrupt", "read-only", "unwritable", "full", "newer", "failed"])
type Reason = typeof Reason.Type

const titles: Readonly<Record<Reason, string>> = {
  locked: "The database is locked by another program.",
  corrupt: "The database is damaged.",
  "read-only": "The database can only be read.",
  unwritable: "The database can't be written.",
  full: "The disk is full.",
  newer: "The database was written by a newer Signalbox.",
  failed: "The database refused an operation."
}

const remedies: Readonly<Record<Reason, string>> = {
  locked: "Close the program that holds it, then try again.",
  corrupt: "Move the file away and start again, or restore it from a backup.",
  "read-only": "Allow writing to the file and to its folder, then try again.",
  unwritable: "Choose a state folder that you may write to.",
  full: "Free some space; what waits is then written.",
  newer: "Use that version, or another state folder.",
  failed: "Restart the server."
}

/** `detail` is what SQLite or the operating system said. */
export class StorageError extends Schema.TaggedError<StorageError>()("StorageError", {
  reason: Reason,
  path: Schema.String,
  detail: Schema.String
}) {
  override get message(): string {
    return `${titles[this.reason]} ${this.path}: ${this.detail}. ${remedies[this.reason]}`
  }

  /** Whether the same operation may succeed later without anybody mending the file. */
  get passing(): boolean {
    return this.reason === "locked" || this.reason === "full" || this.reason === "unwritable"
  }

  get problem(): Problem {
    const step: NextStep = { action: this.passing ? "wait" : "restart", label: remedies[this.reason] }
    return {
      code: "storage",
      title: titles[this.reason],
      cause: this.detail,
      evidence: { path: this.path },
      nextSteps: [step]
    }
  }
}

/** Sorts what `node:sqlite` or `node:fs` threw, also inside an error of the SQL client. */
export const storageError =
  (path: string) =>
  (thrown: unknown): StorageError => {
    if (thrown instanceof StorageError) return thrown
    const cause = innermost(thrown)
    const detail = cause instanceof Error ? cause.message : String(cause)
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
