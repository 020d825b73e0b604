/**
 * The documents of a workspace that editors have open, in the order of what happens to them. Whoever has them reports
 * each event, and the agent that runs gets it at once.
 */
import * as Positions from "@signalbox/acp/Positions"
import type { NesSession } from "@signalbox/acp/Nes"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import {
  type Diagnostic,
  type Document,
  DocumentRefused,
  longestText,
  mostDocuments,
  type OpenedDocument,
  type TextChange,
  tooLong
} from "./Documents.ts"
import type { EditHistory } from "./EditHistory.ts"
import type { RecentFiles } from "./RecentFiles.ts"
import type { Sendable } from "./Sendable.ts"
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

type Agent = Pick<NesSession, "didChange" | "didClose" | "didFocus" | "didOpen" | "didSave">

export interface OpenDocuments {
  /** Opens a document. Returns why it is withheld, a sentence; undefined if it is sent. A document that is open already is replaced. */
  readonly open: (document: OpenedDocument) => Effect.Effect<string | undefined, DocumentRefused>
  readonly change: (change: Changed) => Effect.Effect<void, DocumentRefused>
  readonly close: (document: Named) => Effect.Effect<void, DocumentRefused>
  readonly save: (document: Named) => Effect.Effect<void, DocumentRefused>
  readonly focus: (focus: Focus) => Effect.Effect<void, DocumentRefused>
  /** Replaces the diagnostics of a document. */
  readonly diagnose: (document: Named, diagnostics: ReadonlyArray<Diagnostic>) => Effect.Effect<void, DocumentRefused>
  /** Takes a document away from the agent, since it may not be sent any more. */
  readonly withhold: (document: Named, why: string) => Effect.Effect<void, DocumentRefused>
  readonly get: (uri: string) => Document | undefined
  readonly all: () => ReadonlyArray<Document>
  /** Gives a new agent all that is open, and then each event. */
  readonly follow: (agent: Agent) => Effect.Effect<void>
  /** The agent has gone. */
  readonly unfollow: Effect.Effect<void>
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
  /** Runs with each change, before the agent gets it. */
  readonly onChange: (change: Changed) => Effect.Effect<void>
  /** Hands an event to the agent. It must end, whatever the agent does. */
  readonly deliver: (event: Effect.Effect<void, unknown>) => Effect.Effect<void>
  /** Runs with each end of a document, before the agent gets it. */
  readonly onClose: (uri: string) => Effect.Effect<void>
}

export const make = ({ actions, deliver, history, onChange, onClose, recent, sendable }: Options): OpenDocuments => {
  const documents = new Map<string, Document>()
  const inOrder = Semaphore.makeUnsafe(1).withPermits(1)
  let agent: Agent | undefined

  const refused = (uri: string, reason: DocumentRefused["reason"], message: string) =>
    Effect.fail(new DocumentRefused({ uri, reason, message }))

  /** An agent that has just gone needs no events, and a new one gets the documents as they are. */
  const report = (document: Document, event: (agent: Agent) => Effect.Effect<void, unknown>) =>
    agent === undefined || document.withheld !== undefined ? Effect.void : deliver(event(agent))

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

  const ending = (document: Document) =>
    Effect.gen(function* () {
      yield* onClose(document.uri)
      documents.delete(document.uri)
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
          if (documents.size >= mostDocuments)
            return yield* refused(uri, "tooMany", `More than ${mostDocuments} documents are open.`)
          const verdict = yield* sendable.of(uri)
          const why = verdict.type === "withheld" ? verdict.why : text.length > longestText ? tooLong : undefined
          const document: Document = {
            uri,
            editor,
            languageId,
            version,
            atMs: yield* Clock.currentTimeMillis,
            // Nobody needs the text of a document that is withheld for good.
            lines: Positions.of(verdict.type === "withheld" ? "" : text),
            withheld: why,
            focus: undefined,
            diagnostics: []
          }
          documents.set(uri, document)
          if (verdict.type === "may") recent.seen(uri, languageId)
          yield* report(document, ({ didOpen }) => didOpen(openFor(document)))
          return why
        })
      ),
    change: ({ changes, editor, uri, version }) =>
      known(
        { editor, uri },
        Effect.fnUntraced(function* (before) {
          if (version <= before.version)
            return yield* refused(uri, "stale", `Version ${version} of ${uri} does not follow ${before.version}.`)
          if (before.withheld !== undefined && before.withheld !== tooLong) {
            documents.set(uri, { ...before, version })
            return
          }
          yield* onChange({ uri, version, changes })
          const lines = before.lines.change(changes)
          const withheld = lines.length > longestText ? tooLong : undefined
          const atMs = yield* Clock.currentTimeMillis
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
    withhold: ({ editor, uri }, why) =>
      known(
        { editor, uri },
        Effect.fnUntraced(function* (document) {
          if (document.withheld !== undefined) return
          yield* onClose(uri)
          documents.set(uri, { ...document, withheld: why })
          yield* report(document, ({ didClose }) => didClose(uri))
        })
      ),
    follow: (next) =>
      inOrder(
        Effect.suspend(() => {
          agent = next
          return Effect.forEach(
            documents.values(),
            (document) => report(document, ({ didOpen }) => didOpen(openFor(document))),
            { discard: true }
          )
        })
      ),
    unfollow: Effect.sync(() => {
      agent = undefined
    })
  }
}
