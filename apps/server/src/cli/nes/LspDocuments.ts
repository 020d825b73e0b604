/**
 * The documents of the editor. A change that looks like an accepted suggestion is held until the next message: an
 * editor applies a suggestion first, and says then that it was accepted.
 */
import type { Suggestion } from "@signalbox/acp/NesSchema"
import * as Positions from "@signalbox/acp/Positions"
import * as Effect from "effect/Effect"
import type { DocumentRefused, OpenedDocument, TextChange } from "../../editing/Documents.ts"
import type { SuggestionDesk } from "../../editing/SuggestionDesk.ts"
import type { OpenText } from "./LspEdits.ts"
import type { LspOffers } from "./LspOffers.ts"

interface LspDocument extends OpenText {
  /** The number for the agent: it rises, whatever the editor's numbers do. */
  readonly rising: number
  readonly held: Held | undefined
  readonly languageId: string
}

/** Changes that the agent does not have yet, and the suggestions that they look like. */
interface Held {
  readonly changes: ReadonlyArray<TextChange>
  readonly ids: ReadonlyArray<string>
}

export interface LspDocuments {
  /** Opens a document. Returns why it is kept from the agent, a sentence, or undefined. */
  readonly open: (document: OpenedDocument) => Effect.Effect<string | undefined, DocumentRefused>
  readonly change: (
    uri: string,
    version: number | null,
    changes: ReadonlyArray<TextChange>
  ) => Effect.Effect<void, DocumentRefused>
  readonly close: (uri: string) => Effect.Effect<void, DocumentRefused>
  readonly save: (uri: string) => Effect.Effect<void, DocumentRefused>
  readonly get: (uri: string) => OpenText | undefined
  readonly all: () => ReadonlyArray<OpenText>
  /** Gives the agent the changes that were held. */
  readonly settle: Effect.Effect<void, DocumentRefused>
  /** A suggestion without an end, for the texts that the agent has. */
  readonly find: (id: string) => Suggestion | undefined
  /** The editor has applied a suggestion. Returns whether it was open. */
  readonly accept: (id: string) => Effect.Effect<boolean, DocumentRefused>
}

export const make = (
  desk: Pick<SuggestionDesk, "accept" | "change" | "close" | "find" | "open" | "save">,
  offers: LspOffers
): LspDocuments => {
  const documents = new Map<string, LspDocument>()
  /** Documents for which there was no room. */
  const turnedAway = new Set<string>()

  const brought = ({ languageId, lines, rising, uri }: LspDocument) =>
    desk.open({ uri, languageId, version: rising, text: lines.text }).pipe(
      Effect.tap(() => Effect.sync(() => turnedAway.delete(uri))),
      Effect.catchIf(
        ({ reason }) => reason === "tooMany",
        ({ message }) =>
          Effect.as(
            Effect.sync(() => turnedAway.add(uri)),
            message
          )
      )
    )

  const send = (document: LspDocument, changes: ReadonlyArray<TextChange>) => {
    const { rising, uri } = document
    // Others may have been closed since.
    return turnedAway.has(uri) ? Effect.asVoid(brought(document)) : desk.change({ uri, version: rising, changes })
  }

  const settleThose = (isMeant: (document: LspDocument) => boolean) =>
    Effect.suspend(() =>
      Effect.forEach(
        [...documents.values()].filter(isMeant),
        (document) => {
          const { held } = document
          if (held === undefined) return Effect.void
          documents.set(document.uri, { ...document, held: undefined })
          return send(document, held.changes)
        },
        { discard: true }
      )
    )
  const settle = settleThose(() => true)

  const change: LspDocuments["change"] = Effect.fnUntraced(function* (uri, version, changes) {
    const before = documents.get(uri)
    if (before === undefined) return yield* desk.change({ uri, version: version ?? 0, changes })
    const lines = before.lines.change(changes)
    const ids = offers.leadingTo(uri, lines)
    // A suggestion may come in several messages: one for each document, and in some editors one for each edit.
    const goesOn = ({ held }: LspDocument) => held?.ids.some((id) => ids.includes(id)) === true
    const held: Held | undefined =
      ids.length === 0
        ? undefined
        : goesOn(before)
          ? {
              changes: [...(before.held?.changes ?? []), ...changes],
              ids: ids.filter((id) => before.held?.ids.includes(id))
            }
          : { changes, ids }
    yield* settleThose((document) => !goesOn(document))
    const rising = Math.max(before.rising + 1, version ?? 0)
    const after: LspDocument = { ...before, version, lines, rising, held }
    documents.set(uri, after)
    if (held !== undefined) return
    offers.typed(uri)
    yield* send(after, changes)
  })

  return {
    open: (document) =>
      Effect.andThen(
        settle,
        Effect.suspend(() => {
          const { languageId, text, uri, version } = document
          const rising = Math.max((documents.get(uri)?.rising ?? -1) + 1, version)
          offers.drop(uri)
          const opened = { uri, languageId, version, rising, lines: Positions.of(text), held: undefined }
          documents.set(uri, opened)
          return brought(opened)
        })
      ),
    change,
    close: (uri) =>
      Effect.andThen(
        settle,
        Effect.suspend(() => {
          documents.delete(uri)
          offers.drop(uri)
          return turnedAway.delete(uri) ? Effect.void : desk.close({ uri })
        })
      ),
    save: (uri) =>
      Effect.andThen(
        settle,
        Effect.suspend(() => (turnedAway.has(uri) ? Effect.void : desk.save({ uri })))
      ),
    get: (uri) => documents.get(uri),
    all: () => [...documents.values()],
    settle,
    find: desk.find,
    accept: (id) => Effect.tap(desk.accept(id), () => settle)
  }
}
