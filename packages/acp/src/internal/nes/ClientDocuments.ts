/** A client's copies of the documents of one session, and what the agent gets to hear of them. */
import * as Effect from "effect/Effect"
import { InvalidRequest } from "../protocol/AcpError.ts"
import type { ConnectionClosed } from "../rpc/JsonRpc.ts"
import { Lines } from "../text/Lines.ts"
import type { Change } from "../text/Lines.ts"
import type { Position, PositionEncoding, Range } from "../text/Position.ts"
import type { Capabilities } from "./Schema.ts"

/** A notification on its way to the agent. */
export type Told = Effect.Effect<void, ConnectionClosed | InvalidRequest>

export interface ClientDocument {
  readonly languageId: string
  readonly version: number
  readonly lines: Lines
  /** Whether the agent has this text by events. */
  readonly isShared: boolean
}

/** Events about documents, in UTF-16. Those that the agent does not want are not sent. */
export interface Events {
  /** Reports an opened document. The document is remembered in any case. A text above the limit is refused. */
  readonly didOpen: (document: {
    readonly uri: string
    readonly languageId: string
    readonly version: number
    readonly text: string
  }) => Told
  /**
   * Reports changes in order. Each applies to the result of the one before. The agent gets the form that it wants. A
   * request about the document that still runs is cancelled. A document that grows above the limit is closed.
   */
  readonly didChange: (document: {
    readonly uri: string
    readonly version: number
    readonly changes: ReadonlyArray<Change>
  }) => Told
  /** Reports a closed document. Its open suggestions end as `ignored`. */
  readonly didClose: (uri: string) => Told
  readonly didSave: (uri: string) => Told
  readonly didFocus: (focus: {
    readonly uri: string
    readonly position: Position
    readonly visibleRange: Range
  }) => Told
}

export interface ClientDocuments extends Events {
  readonly all: ReadonlyMap<string, ClientDocument>
}

interface Setup {
  readonly wants: NonNullable<NonNullable<Capabilities["events"]>["document"]>
  readonly encoding: PositionEncoding
  readonly longest: number
  readonly tell: (method: string, params: object) => Told
  /** Ends requests about a document that has changed. */
  readonly outdate: (uri: string) => void
  /** Ends the suggestions about a document that is closed. */
  readonly leave: (uri: string) => Told
}

export const make = ({ encoding, leave, longest, outdate, tell, wants }: Setup): ClientDocuments => {
  const all = new Map<string, ClientDocument>()
  const invalid = (method: string, message: string) => Effect.fail(new InvalidRequest({ method, message }))
  const tooLong = (method: string, uri: string) =>
    invalid(method, `${uri} has more than ${longest} characters, and is not reported`)

  /** Sends an event about an open document, if the agent wants it. */
  const event = (method: string, uri: string, wanted: unknown, params: (document: ClientDocument) => object): Told =>
    Effect.suspend(() => {
      const document = all.get(uri)
      if (document === undefined) return invalid(method, `${uri} is not open`)
      return wanted ? tell(method, { uri, ...params(document) }) : Effect.void
    })

  const didClose: Events["didClose"] = (uri) =>
    Effect.suspend(() => {
      const told = event("document/didClose", uri, wants.didClose, () => ({}))
      outdate(uri)
      return Effect.andThen(leave(uri), told).pipe(Effect.tap(() => Effect.sync(() => all.delete(uri))))
    })

  const didChange: Events["didChange"] = ({ changes, uri, version }) =>
    Effect.suspend(() => {
      const method = "document/didChange"
      const before = all.get(uri)
      if (before === undefined) return invalid(method, `${uri} is not open`)
      if (version <= before.version) return invalid(method, `Version ${version} is not after ${before.version}`)
      const isWanted = Boolean(wants.didChange)
      const isInPart = !isWanted || (wants.didChange?.syncKind === "incremental" && before.isShared)
      const { contentChanges, lines } = isInPart
        ? inPart(before.lines, changes, encoding)
        : inFull(before.lines.change(changes))
      if (lines.length > longest) return Effect.andThen(didClose(uri), tooLong(method, uri))
      outdate(uri)
      all.set(uri, { languageId: before.languageId, version, lines, isShared: isWanted })
      return isWanted ? tell(method, { uri, version, contentChanges }) : Effect.void
    })

  return {
    all,
    didOpen: ({ languageId, text, uri, version }) =>
      Effect.suspend(() => {
        const method = "document/didOpen"
        if (text.length > longest) return tooLong(method, uri)
        outdate(uri)
        all.set(uri, { languageId, version, lines: Lines.of(text), isShared: Boolean(wants.didOpen) })
        return event(method, uri, wants.didOpen, () => ({ languageId, version, text }))
      }),
    didChange,
    didClose,
    didSave: (uri) => event("document/didSave", uri, wants.didSave, () => ({})),
    didFocus: ({ position, uri, visibleRange }) =>
      event("document/didFocus", uri, wants.didFocus, ({ lines, version }) => ({
        version,
        position: lines.convert(position, "utf-16", encoding),
        visibleRange: lines.convertRange(visibleRange, "utf-16", encoding)
      }))
  }
}

const isSame = (one: Position, other: Position) => one.line === other.line && one.character === other.character

/** Changes as the agent gets them, and the text after them. */
interface Outgoing {
  readonly lines: Lines
  readonly contentChanges: ReadonlyArray<Change>
}

const inFull = (lines: Lines): Outgoing => ({ lines, contentChanges: [{ text: lines.text }] })

/** Positions are those of the copy. So an agent with other rules for places outside of a line comes to the same text. */
const inPart = (before: Lines, changes: ReadonlyArray<Change>, encoding: PositionEncoding): Outgoing => {
  let lines = before
  const contentChanges = changes.map(({ range, text }) => {
    if (!range) {
      lines = Lines.of(text)
      return { text }
    }
    const one = lines.offsetAt(range.start)
    const other = isSame(range.start, range.end) ? one : lines.offsetAt(range.end)
    const from = Math.min(one, other)
    const to = Math.max(one, other)
    const start = lines.positionAt(from, encoding)
    const end = to === from ? start : lines.positionAt(to, encoding)
    lines = lines.replace(from, to, text)
    return { range: { start, end }, text }
  })
  return { lines, contentChanges }
}
