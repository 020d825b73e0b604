/** Knows which texts a server has of our documents, and makes the messages that bring it up to date. */
import type { Change, Lines, PositionEncoding } from "@signalbox/acp/Positions"
import type { Document } from "../documents/Document.ts"
import type { SyncOptions } from "./SyncOptions.ts"

/** A notification to send, in this order. */
export interface Message {
  readonly method: string
  readonly params: object
}

export interface SentDocuments {
  /** Messages that bring the server up to date with this text. It counts as sent at once. */
  readonly bring: (document: Document) => ReadonlyArray<Message>
  /** Messages that end the server's hold on a document. */
  readonly close: (path: string) => ReadonlyArray<Message>
  /** Messages that announce the saving of a document. */
  readonly willSave: (path: string) => ReadonlyArray<Message>
  /** Messages that report a saved document. */
  readonly save: (path: string) => ReadonlyArray<Message>
  readonly of: (path: string) => Document | undefined
  readonly all: () => ReadonlyArray<Document>
  readonly count: () => number
}

/** Most documents of the disk that a server has open. The one that was asked about longest ago is closed first. */
const mostOpen = 64

/** Changes one after the other, with places as the server counts them. */
const changesFor = (from: Lines, changes: ReadonlyArray<Change>, encoding: PositionEncoding): ReadonlyArray<object> => {
  let lines = from
  return changes.map((change) => {
    const { range, text } = change
    if (range === undefined || range === null) {
      lines = lines.change([change])
      return { text }
    }
    const one = lines.offsetAt(range.start)
    const other = lines.offsetAt(range.end)
    const start = lines.positionAt(Math.min(one, other), encoding)
    const end = lines.positionAt(Math.max(one, other), encoding)
    lines = lines.change([change])
    return { range: { start, end }, text }
  })
}

export interface Options {
  readonly encoding: PositionEncoding
  readonly syncOf: (document: Document) => SyncOptions
}

export const make = ({ encoding, syncOf }: Options): SentDocuments => {
  /** In the order of their last use. */
  const sent = new Map<string, Document>()

  const closing = (document: Document): ReadonlyArray<Message> =>
    syncOf(document).opensAndCloses
      ? [{ method: "textDocument/didClose", params: { textDocument: { uri: document.uri } } }]
      : []

  const opening = (document: Document): ReadonlyArray<Message> => {
    const { languageId, lines, uri, version } = document
    const textDocument = { uri, languageId, version, text: lines.text }
    return syncOf(document).opensAndCloses ? [{ method: "textDocument/didOpen", params: { textDocument } }] : []
  }

  const changing = (known: Document, document: Document): ReadonlyArray<Message> => {
    const { kind } = syncOf(document)
    if (kind === "none") return []
    const { lines, since, uri, version } = document
    const isNext = since?.version === known.version
    const contentChanges =
      kind === "incremental" && isNext ? changesFor(known.lines, since.changes, encoding) : [{ text: lines.text }]
    return [{ method: "textDocument/didChange", params: { textDocument: { uri, version }, contentChanges } }]
  }

  /** Closes documents of the disk beyond the limit. */
  const evicted = (): ReadonlyArray<Message> => {
    const messages: Array<Message> = []
    const ofDisk = [...sent.values()].filter(({ owner }) => owner === "disk")
    for (const document of ofDisk.slice(0, Math.max(0, ofDisk.length - mostOpen))) {
      sent.delete(document.path)
      messages.push(...closing(document))
    }
    return messages
  }

  return {
    bring: (document) => {
      const known = sent.get(document.path)
      sent.delete(document.path)
      sent.set(document.path, document)
      if (known === undefined) return [...opening(document), ...evicted()]
      if (known.opening !== document.opening) return [...closing(known), ...opening(document)]
      return known.version === document.version ? [] : changing(known, document)
    },
    close: (path) => {
      const known = sent.get(path)
      if (known === undefined) return []
      sent.delete(path)
      return closing(known)
    },
    willSave: (path) => {
      const known = sent.get(path)
      if (known === undefined || !syncOf(known).willSave) return []
      // The reason 1: asked for by a person.
      return [{ method: "textDocument/willSave", params: { textDocument: { uri: known.uri }, reason: 1 } }]
    },
    save: (path) => {
      const known = sent.get(path)
      if (known === undefined) return []
      const { saves } = syncOf(known)
      const text = saves === "text" ? { text: known.lines.text } : {}
      return saves === "none"
        ? []
        : [{ method: "textDocument/didSave", params: { textDocument: { uri: known.uri }, ...text } }]
    },
    of: (path) => sent.get(path),
    all: () => [...sent.values()],
    count: () => sent.size
  }
}
