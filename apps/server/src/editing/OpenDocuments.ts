/**
 * The documents of a workspace that editors have open, in the order of what happens to them. Whoever has them reports
 * each event, and those who follow get it at once.
 */
import * as Positions from "@signalbox/acp/Positions"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import {
  type Diagnostic,
  type Document,
  type DocumentFollower,
  DocumentRefused,
  longestText,
  mostDocuments,
  type OpenedDocument,
  type TextChange,
  tooLong
} from "./Documents.ts"
import type { EditHistory } from "./EditHistory.ts"
import type { RecentFiles } from "./RecentFiles.ts"
import type { Sendable, Verdict } from "./Sendable.ts"
import type { UserActions } from "./UserActions.ts"

/** A document of an editor. */
export interface Named {
  readonly uri: string
  readonly editor?: string | undefined
}

/** A place in a document, and the part of it that is in sight. */
export interface Focus extends Named {
  readonly position: Positions.Position
  readonly visibleRange: Positions.Range
}

const tooMany = `${mostDocuments} files are open, and no more get suggestions. Close some of them, and write here again.`

/** Milliseconds after which a document that changes is looked at again. */
const checkedMs = 1000

export interface OpenDocuments {
  /** Opens a document. Returns why it is withheld, a sentence; undefined if it is sent. A document that is open already is replaced. */
  readonly open: (document: OpenedDocument) => Effect.Effect<string | undefined, DocumentRefused>
  readonly change: (change: Changed) => Effect.Effect<void, DocumentRefused>
  readonly close: (document: Named) => Effect.Effect<void, DocumentRefused>
  readonly save: (document: Named) => Effect.Effect<void, DocumentRefused>
  readonly focus: (focus: Focus) => Effect.Effect<void, DocumentRefused>
  /** Replaces the diagnostics of a document. */
  readonly diagnose: (document: Named, diagnostics: ReadonlyArray<Diagnostic>) => Effect.Effect<void, DocumentRefused>
  /** Looks again at which documents may be sent: people change their lists, and git's, at any time. */
  readonly check: Effect.Effect<void>
  readonly get: (uri: string) => Document | undefined
  readonly all: () => ReadonlyArray<Document>
  /** Gives a new follower all that is open, and then each event. */
  readonly follow: (follower: DocumentFollower) => Effect.Effect<void>
  /** The follower has gone. */
  readonly unfollow: (follower: DocumentFollower) => Effect.Effect<void>
}

export interface Changed extends Named {
  /** Higher than the version before. */
  readonly version: number
  /** In order: each change is about what the one before it has made. */
  readonly changes: ReadonlyArray<TextChange>
}

export interface Options {
  readonly sendable: Sendable
  readonly history: EditHistory
  readonly actions: UserActions
  readonly recent: RecentFiles
  /** Runs with each change, before others get it. */
  readonly onChange: (change: Changed) => Effect.Effect<void>
  /** Runs with each end of a document, before others get it. */
  readonly onClose: (uri: string) => Effect.Effect<void>
}

export const make = ({ actions, history, onChange, onClose, recent, sendable }: Options): OpenDocuments => {
  const documents = new Map<string, Document>()
  /** When it was last decided whether a document may be sent. */
  const checkedAt = new Map<string, number>()
  const inOrder = Semaphore.makeUnsafe(1).withPermits(1)
  const followers = new Set<DocumentFollower>()

  const refused = (uri: string, reason: DocumentRefused["reason"], message: string) =>
    Effect.fail(new DocumentRefused({ uri, reason, message }))

  /** A withheld document is reported to nobody. */
  const report = (document: Document, event: (follower: DocumentFollower) => Effect.Effect<void>) =>
    document.withheld === undefined ? Effect.forEach(followers, event, { discard: true }) : Effect.void

  const openFor = ({ languageId, lines, uri, version }: Document) => ({ uri, languageId, version, text: lines.text })

  const known = <A, E>({ editor, uri }: Named, use: (document: Document) => Effect.Effect<A, E>) =>
    inOrder(
      Effect.suspend((): Effect.Effect<A, DocumentRefused | E> => {
        const document = documents.get(uri)
        if (document === undefined) return refused(uri, "notOpen", `${uri} is not open.`)
        if (document.editor !== editor) return refused(uri, "elsewhere", `Another editor has opened ${uri}.`)
        return use(document)
      })
    )

  /** Goes by what was decided now: the agent gets the document, or loses it. */
  const decided = Effect.fnUntraced(function* (document: Document, verdict: Verdict, atMs: number) {
    const { languageId, lines, uri, withheld: before } = document
    const withheld = whyNot(verdict, lines.length)
    checkedAt.set(uri, atMs)
    if (withheld === before) return
    if (before === undefined) yield* onClose(uri)
    const after: Document = { ...document, withheld }
    documents.set(uri, after)
    if (before === undefined) yield* report(document, ({ didClose }) => didClose(uri))
    else if (withheld === undefined) {
      recent.seen(uri, languageId)
      yield* report(after, ({ didOpen }) => didOpen(openFor(after)))
    }
  })

  const checked = Effect.gen(function* () {
    const verdicts = yield* sendable.ofAll([...documents.keys()])
    const atMs = yield* Clock.currentTimeMillis
    for (const document of documents.values()) {
      const verdict = verdicts.get(document.uri)
      if (verdict !== undefined) yield* decided(document, verdict, atMs)
    }
  })

  /** The document as it is after it was looked at again, if that was not done just now. */
  const recheckedOf = Effect.fnUntraced(function* (uri: string, atMs: number) {
    const document = documents.get(uri)
    const age = atMs - (checkedAt.get(uri) ?? 0)
    if (document === undefined || (age >= 0 && age < checkedMs)) return document
    yield* decided(document, yield* sendable.of(uri), atMs)
    return documents.get(uri)
  })

  const ending = (document: Document) =>
    Effect.gen(function* () {
      yield* onClose(document.uri)
      documents.delete(document.uri)
      checkedAt.delete(document.uri)
      yield* report(document, ({ didClose }) => didClose(document.uri))
    })

  return {
    get: (uri) => documents.get(uri),
    all: () => [...documents.values()],
    open: ({ editor, languageId, text, uri, version }) =>
      inOrder(
        Effect.gen(function* () {
          const before = documents.get(uri)
          if (before !== undefined) yield* ending(before)
          if (documents.size >= mostDocuments) return yield* refused(uri, "tooMany", tooMany)
          const verdict = yield* sendable.of(uri)
          const why = whyNot(verdict, text.length)
          const atMs = yield* Clock.currentTimeMillis
          const document: Document = {
            uri,
            editor,
            languageId,
            version,
            atMs,
            lines: Positions.of(text),
            withheld: why,
            focus: undefined,
            diagnostics: []
          }
          documents.set(uri, document)
          checkedAt.set(uri, atMs)
          if (verdict.type === "may") recent.seen(uri, languageId)
          yield* report(document, ({ didOpen }) => didOpen(openFor(document)))
          return why
        })
      ),
    change: ({ changes, editor, uri, version }) =>
      known(
        { editor, uri },
        Effect.fnUntraced(function* ({ version: last }) {
          if (version <= last)
            return yield* refused(uri, "stale", `Version ${version} of ${uri} does not follow ${last}.`)
          const atMs = yield* Clock.currentTimeMillis
          const before = yield* recheckedOf(uri, atMs)
          if (before === undefined) return
          const lines = before.lines.change(changes)
          if (before.withheld !== undefined && before.withheld !== tooLong) {
            // Its text is kept for the time when it may be sent.
            documents.set(uri, { ...before, version, lines, atMs })
            return
          }
          yield* onChange({ uri, version, changes })
          const withheld = lines.length > longestText ? tooLong : undefined
          const after: Document = { ...before, version, lines, withheld, atMs }
          documents.set(uri, after)
          if (withheld === undefined && before.withheld === undefined) {
            history.changed({ uri, before: before.lines, after: lines }, atMs)
            actions.changed(uri, changes, atMs)
            yield* report(after, ({ didChange }) => didChange({ uri, version, changes }))
          } else if (withheld === undefined) yield* report(after, ({ didOpen }) => didOpen(openFor(after)))
          else yield* report(before, ({ didClose }) => didClose(uri))
        })
      ),
    close: (named) => known(named, ending),
    save: (named) => known(named, (document) => report(document, ({ didSave }) => didSave(document.uri))),
    focus: ({ editor, position, uri, visibleRange }) =>
      known(
        { editor, uri },
        Effect.fnUntraced(function* (document) {
          const atMs = yield* Clock.currentTimeMillis
          documents.set(uri, { ...document, focus: { position, visibleRange, atMs } })
          if (document.withheld !== undefined) return
          recent.seen(uri, document.languageId)
          actions.moved(uri, position, atMs)
          yield* report(document, ({ didFocus }) => didFocus({ uri, position, visibleRange }))
        })
      ),
    diagnose: (named, diagnostics) =>
      known(named, (document) => Effect.sync(() => void documents.set(document.uri, { ...document, diagnostics }))),
    check: inOrder(checked),
    follow: (follower) =>
      inOrder(
        Effect.gen(function* () {
          // Much time may have gone by since the documents were opened.
          yield* checked
          followers.add(follower)
          for (const document of documents.values())
            if (document.withheld === undefined) yield* follower.didOpen(openFor(document))
        })
      ),
    unfollow: (follower) => Effect.sync(() => void followers.delete(follower))
  }
}

const whyNot = (verdict: Verdict, length: number): string | undefined =>
  verdict.type === "withheld" ? verdict.why : length > longestText ? tooLong : undefined
