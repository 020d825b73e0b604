/** The names of tape files: `<thread>-<session>.ndjson`. Further parts are `….2.ndjson`, `….3.ndjson` and so on. */
import type { ProviderSessionId, ThreadId } from "@signalbox/contracts/Ids"
import { createHash } from "node:crypto"

const extension = ".ndjson"
/** The longest thread id that is used in a name unchanged. */
const longestThread = 100

export interface TapeName {
  /** The thread's part of the name: see {@link ofThread}. */
  readonly thread: string
  /** One run of an agent process; a UUID. */
  readonly session: string
  /** The name of the first part. */
  readonly first: string
  /** The number of the part, from 1. */
  readonly part: number
}

/**
 * The thread's part of a name. Clients choose thread ids, so an id must never become a path, and two ids never the same
 * name.
 */
export const ofThread = (threadId: ThreadId): string => {
  const encoded = encodeURIComponent(threadId)
  if (encoded.length <= longestThread) return encoded
  const digest = createHash("sha256").update(threadId).digest("hex").slice(0, 32)
  return `${encoded.slice(0, longestThread - digest.length)}~${digest}`
}

export const of = (threadId: ThreadId, providerSessionId: ProviderSessionId): string =>
  `${ofThread(threadId)}-${encodeURIComponent(providerSessionId)}${extension}`

/** The file of a part, given the file of the first part. Works with and without a folder. */
export const ofPart = (first: string, part: number): string => {
  if (part === 1) return first
  const stem = first.endsWith(extension) ? first.slice(0, -extension.length) : first
  return `${stem}.${part}${extension}`
}

/** The session is a UUID, so the thread `a` can't be confused with a thread `a-b`. */
const pattern = /^(.+)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.([1-9][0-9]*))?\.ndjson$/

/** The parts of a file's name; undefined if the file isn't a tape. */
export const parse = (name: string): TapeName | undefined => {
  const match = pattern.exec(name)
  if (match === null) return undefined
  const [, thread = "", session = "", part = "1"] = match
  return { thread, session, first: `${thread}-${session}${extension}`, part: Number(part) }
}
