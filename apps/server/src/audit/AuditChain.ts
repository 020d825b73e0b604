/** The chain of the audit log: the text of an entry, its hash, and what breaks the chain. Pure. */
import { AuditEntry, noHash } from "@signalbox/contracts/Audit"
import { canonicalJson } from "@signalbox/contracts/CanonicalJson"
import { isRecord } from "@signalbox/contracts/Json"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { objectOf, textOf } from "../base/Json.ts"

type Unplaced<Entry> = Entry extends unknown ? Omit<Entry, "format" | "previous" | "sequence"> : never

/** An entry before it has its place in the log. */
export type AuditDraft = Unplaced<AuditEntry>

/** An entry as it is stored. */
export interface Link {
  readonly sequence: number
  /** SHA-256 of `text`, in hexadecimal digits. */
  readonly hash: string
  /** The entry without its hash, in canonical JSON. It names the hash of the entry before. */
  readonly text: string
}

/** The place of the newest entry. */
export type Head = Pick<Link, "hash" | "sequence">

export const start: Head = { sequence: 0, hash: noHash }

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex")

/** Chains a draft to the newest entry. */
export const next = (head: Head, draft: AuditDraft): Link => {
  const sequence = head.sequence + 1
  const text = canonicalJson({ ...draft, format: 1, sequence, previous: head.hash })
  return { sequence, hash: hashOf(text), text }
}

const decodeEntry = Schema.decodeUnknownOption(AuditEntry)

/** Undefined if the text is no entry of this version. */
export const entryOf = (text: string): AuditEntry | undefined => Option.getOrUndefined(decodeEntry(jsonOf(text)))

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The line of an entry in an exported log: the entry and its hash, in canonical JSON. */
export const lineOf = ({ hash, text }: Link): string => canonicalJson({ ...objectOf(jsonOf(text)), hash })

/**
 * The entry of an exported line. Undefined if the line is not as `lineOf` and `written` make it: then a reader may see another entry than
 * the one that is proved.
 */
export const linkOf = (line: string, written: (line: string) => string): Link | undefined => {
  const value = jsonOf(line)
  if (!isRecord(value)) return undefined
  const { hash, ...entry } = value
  const { sequence } = entry
  if (typeof hash !== "string" || typeof sequence !== "number") return undefined
  const text = textFor(entry)
  return text !== undefined && written(canonicalJson(value)) === line ? { sequence, hash, text } : undefined
}

/** Undefined if it is nested too deep. */
const textFor = (entry: object): string | undefined => {
  try {
    return canonicalJson(entry)
  } catch {
    return undefined
  }
}

/** The first break of a chain. */
export interface Break {
  /** The entry at which it shows. */
  readonly sequence: number
  /** A sentence. */
  readonly what: string
}

/** Looks at entries in their order. Undefined: the entry continues the chain. */
export const check = (before: Head, link: Link): Break | undefined => {
  const { hash, sequence, text } = link
  const broken = (what: string): Break => ({ sequence, what })
  const expected = before.sequence + 1
  if (sequence > expected) return broken(`${missing(expected, sequence - 1)} before it.`)
  if (sequence < expected) return broken(`It is out of order: entry ${expected} has its place here.`)
  if (hashOf(text) !== hash) return broken("It was changed: its content does not have its hash.")
  const value = jsonOf(text)
  if (!isRecord(value)) return broken("It is no entry: it can't be read.")
  const { previous, sequence: own, type } = value
  if (own !== sequence) return broken(`It was moved: it was written as entry ${String(own)}.`)
  if (previous !== before.hash)
    return broken(
      sequence === 1
        ? "It does not begin a log: something was before it."
        : `It does not continue entry ${before.sequence}: one of the two was put in the place of another.`
    )
  if (type === "restart") return broken(`A new log begins here. ${textOf(value, "why") ?? ""}`)
  return undefined
}

const missing = (first: number, last: number): string =>
  first === last ? `Entry ${first} is missing` : `Entries ${first} to ${last} are missing`
