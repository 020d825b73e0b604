/** An editor for probes: one session for suggestions, led as the editor of Signalbox leads it, with the sample open. */
import * as Nes from "@signalbox/acp/Nes"
import type { Context, Offer, RejectReason, Suggestion, SuggestRequest } from "@signalbox/acp/NesSchema"
import * as Positions from "@signalbox/acp/Positions"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { fileURLToPath } from "node:url"
import { mostCharacters, mostEdits, mostSuggestions } from "../editing/SuggestionCheck.ts"
import { OwnFolders } from "../workspace/ProtectedPaths.ts"
import * as TextFiles from "../workspace/TextFiles.ts"
import type { Processes } from "./Processes.ts"
import * as NesCaller from "./NesCaller.ts"
import type { Greeted } from "./OpenSession.ts"
import { keepsDocuments } from "./SuggestionOffer.ts"
import * as Sample from "./SuggestionSample.ts"
import { workspaceOf } from "./SuggestionStart.ts"
import type { Answer } from "./Wire.ts"

/** A question, and all that came of it. */
export interface Question {
  readonly params: unknown
  /** The document that was asked about. */
  readonly uri: string
  readonly answer: Answer
  readonly durationMs: number
  /** The suggestions that Signalbox would show, in UTF-16. */
  readonly shown: ReadonlyArray<Suggestion>
  /** The suggestions that Signalbox would refuse to show, with the reasons. */
  readonly refused: ReadonlyArray<Nes.Refusal>
  /** The text of the document when it was asked about. */
  readonly lines: Positions.Lines
  /** The text before its last change. */
  readonly before: Positions.Lines
}

export type Editor = Effect.Success<ReturnType<typeof open>>

/** An open editor. Its session ends with the scope. */
export const open = Effect.fnUntraced(function* (
  agent: Greeted,
  { folder, limits }: Pick<Processes, "folder" | "limits">,
  offer: Offer
) {
  const caller = NesCaller.make(agent, limits().suggestion)
  let refused: Array<Nes.Refusal> = []
  const session = yield* Nes.start(caller.client, offer, workspaceOf(folder), {
    textOf: textIn({ roots: [folder], own: yield* OwnFolders, hardLinks: "read" }),
    limits: { suggestions: mostSuggestions, edits: mostEdits, characters: mostCharacters },
    onRefused: (refusal) => refused.push(refusal)
  })
  const { main, other } = Sample.make(folder)
  const { uri } = main
  let { version } = main
  let lines = Positions.of(main.text)
  let before = lines

  const visible = () => ({ start: lines.positionAt(0), end: lines.positionAt(lines.length) })

  /** Makes changes that are all about the text as it is now, and don't overlap. */
  const changeAll = Effect.fnUntraced(function* (changes: ReadonlyArray<Sample.Change>) {
    before = lines
    version += 1
    // From the last to the first, so that each is about the text as it was.
    const sent = changes
      .toSorted((one, next) => one.from - next.from || one.to - next.to)
      .toReversed()
      .map(({ from, text, to }) => ({ range: { start: before.positionAt(from), end: before.positionAt(to) }, text }))
    lines = lines.change(sent)
    yield* session.didChange({ uri, version, changes: sent })
  })

  /** The context of the editor. An agent without events gets the document itself, too. */
  const context = Effect.map(Clock.currentTimeMillis, (now): Context => {
    const own = keepsDocuments(agent.nes) ? [] : [{ uri, languageId: main.languageId, text: lines.text }]
    return {
      recentFiles: [...own, { uri: other.uri, languageId: other.languageId, text: other.text }],
      relatedSnippets: [],
      editHistory: [{ uri, diff: Sample.firstDiff }],
      userActions: [{ action: "insertChar", uri, position: lines.positionAt(0), timestampMs: now }],
      openFiles: [
        { uri, languageId: main.languageId, visibleRange: visible(), lastFocusedMs: now },
        { uri: other.uri, languageId: other.languageId }
      ],
      diagnostics: []
    }
  })

  /** Asks for suggestions at a UTF-16 offset of the text. */
  const ask = Effect.fnUntraced(function* (
    offset: number,
    triggerKind: SuggestRequest["triggerKind"],
    given?: Context
  ): Effect.fn.Return<Question> {
    refused = []
    const position = lines.positionAt(offset)
    const request: SuggestRequest = { uri, position, triggerKind, ...(given && { context: given }) }
    const shown = yield* Effect.exit(session.suggest(request))
    const { answer, durationMs, params } = caller.last()
    return { params, uri, answer, durationMs, shown: Exit.isSuccess(shown) ? shown.value : [], refused, lines, before }
  })

  /** Accepts a suggestion, and makes its edits. */
  const accept = Effect.fnUntraced(function* (suggestion: Suggestion) {
    yield* session.accept(suggestion.id)
    if (suggestion.kind !== "edit" || suggestion.uri !== uri) return
    yield* changeAll(
      suggestion.edits.map(({ newText, range }) => ({
        from: lines.offsetAt(range.start),
        to: lines.offsetAt(range.end),
        text: newText
      }))
    )
  })

  yield* session.didOpen(other)
  yield* session.didOpen(main)
  yield* session.didFocus({ uri, position: lines.positionAt(0), visibleRange: visible() })
  return {
    encoding: session.encoding,
    change: (makes: (lines: Positions.Lines) => Sample.Change) => Effect.suspend(() => changeAll([makes(lines)])),
    context,
    ask,
    accept,
    reject: (id: string, reason: RejectReason) => session.reject(id, reason),
    save: session.didSave(uri),
    close: session.didClose(uri)
  }
})

/** Reads files of the workspace that are not open, so that places in them can be checked. */
const textIn = (grant: Parameters<typeof TextFiles.read>[0]) => (uri: string) =>
  Effect.try(() => fileURLToPath(uri)).pipe(
    Effect.flatMap((path) => TextFiles.read(grant, path)),
    Effect.option,
    Effect.map(Option.getOrUndefined)
  )
