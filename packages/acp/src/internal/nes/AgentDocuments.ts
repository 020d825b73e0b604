/** An agent's copies of the documents of one session. */
import { Lines } from "../text/Lines.ts"
import type { Change } from "../text/Lines.ts"
import type { PositionEncoding } from "../text/Position.ts"
import type { params } from "./Schema.ts"

/** A document as an agent has it. It never changes: a change makes another one. */
export interface Document {
  readonly uri: string
  /** Empty if the client has not reported it. */
  readonly languageId: string
  readonly version: number
  readonly lines: Lines
}

/** A change that was applied. Its ranges count in UTF-16, each in the text that the one before it has made. */
export interface Changed {
  readonly before: Document | undefined
  readonly document: Document
  readonly changes: ReadonlyArray<Change>
}

export interface Problem {
  readonly problem: string
}

/** Most documents of a session. Further ones are not kept. */
const most = 1_000

export interface AgentDocuments {
  readonly all: ReadonlyMap<string, Document>
  /** Adds a document. A problem says why it is not kept. */
  readonly open: (opened: (typeof params)["document/didOpen"]["Type"]) => Document | Problem
  /** Applies a change. A problem says why the copy can't follow it: then there is no copy any more. */
  readonly change: (changed: (typeof params)["document/didChange"]["Type"]) => Changed | Problem
  readonly close: (uri: string) => Document | undefined
}

export const make = (encoding: PositionEncoding): AgentDocuments => {
  const all = new Map<string, Document>()
  const full = (uri: string): Problem | undefined =>
    all.size < most || all.has(uri) ? undefined : { problem: `${uri} is not kept: ${most} documents are open` }

  const change: AgentDocuments["change"] = ({ contentChanges, uri, version }) => {
    const before = all.get(uri)
    if (before !== undefined && version <= before.version) {
      // What follows may be about a text that this one has made.
      all.delete(uri)
      return { problem: `Version ${version} of ${uri} is not after ${before.version}` }
    }
    const start = contentChanges.findLastIndex(({ range }) => range === undefined || range === null)
    if (before === undefined && start === -1) return { problem: `${uri} is not open` }
    const refusal = full(uri)
    if (refusal !== undefined) return refusal
    // What comes before a whole text makes no difference.
    const changes: Array<Change> = []
    let lines = before?.lines ?? Lines.of("")
    for (const { range, text } of contentChanges.slice(Math.max(start, 0))) {
      changes.push(range ? { range: lines.convertRange(range, encoding, "utf-16"), text } : { text })
      lines = lines.change(changes.slice(-1))
    }
    const document = { uri, languageId: before?.languageId ?? "", version, lines }
    all.set(uri, document)
    return { before, document, changes }
  }

  return {
    all,
    open: ({ languageId, text, uri, version }) => {
      const refusal = full(uri)
      if (refusal !== undefined) return refusal
      const document = { uri, languageId, version, lines: Lines.of(text) }
      all.set(uri, document)
      return document
    },
    change,
    close: (uri) => {
      const document = all.get(uri)
      all.delete(uri)
      return document
    }
  }
}
