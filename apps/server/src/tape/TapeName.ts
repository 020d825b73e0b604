/**
 * What the files of tapes are called: `<thread>-<session>.ndjson`, and for what did not fit into that one `….2.ndjson`,
 * `….3.ndjson` and so on.
 */
import type { ProviderSessionId, ThreadId } from "@signalbox/contracts/Ids"
import { createHash } from "node:crypto"

const extension = ".ndjson"
/** Characters of a thread's id that may stand in a name as they are. */
const longestThread = 100

export interface TapeName {
  /** The thread as it stands in the name: see {@link ofThread}. */
  readonly thread: string
  /** One run of an agent process; a UUID. */
  readonly session: string
  /** The name of the first part. */
  readonly first: string
  /** From 1. */
  readonly part: number
}

/** Clients choose the ids of threads: a path must not be among the choices, and no id may come to mean another one. */
export const ofThread = (threadId: ThreadId): string => {
  const encoded = encodeURIComponent(threadId)
  if (encoded.length <= longestThread) return encoded
  const digest = createHash("sha256").update(threadId).digest("hex").slice(0, 32)
  return `${encoded.slice(0, longestThread - digest.length)}~${digest}`
}

export const of = (threadId: ThreadId, providerSessionId: ProviderSessionId): string =>
  `${ofThread(threadId)}-${encodeURIComponent(providerSessionId)}${extension}`

/** The file of a part, given that of the first; both with or without a folder. */
export const ofPart = (first: string, part: number): string => {
  if (part === 1) return first
  const stem = first.endsWith(extension) ? first.slice(0, -extension.length) : first
  return `${stem}.${part}${extension}`
}

/** Sessions are named by a UUID, so that a thread `a` is not taken for a thread `a-b`. */
const pattern = /^(.+)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.([1-9][0-9]*))?\.ndjson$/

/** Undefined for a file that is none of ours. */
export const parse = (name: string): TapeName | undefined => {
  const match = pattern.exec(name)
  if (match === null) return undefined
  const [, thread = "", session = "", part = "1"] = match
  return { thread, session, first: `${thread}-${session}${extension}`, part: Number(part) }
}
