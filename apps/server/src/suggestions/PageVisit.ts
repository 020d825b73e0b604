/** One page of a thread, or an editor with a folder: its documents at the desk of the moment, and the answers that it gets. */
import { resolvePath } from "@signalbox/contracts/Paths"
import { Refused } from "@signalbox/contracts/Refused"
import type { DocumentReport, ReportsTaken, TextRange } from "@signalbox/contracts/DocumentReport"
import type { Suggestion, SuggestionAnswer, SuggestionEnd, SuggestionQuestion } from "@signalbox/contracts/Suggestions"
import * as LanguageId from "@signalbox/lsp/LanguageId"
import * as Effect from "effect/Effect"
import { type Diagnostic, type DocumentRefused, mostDocuments } from "../editing/Documents.ts"
import type { OfferedSuggestion } from "../editing/OpenSuggestions.ts"
import type { SuggestionDesk } from "../editing/SuggestionDesk.ts"
import * as PagePaths from "./PagePaths.ts"

export interface PageVisit {
  readonly folder: string
  readonly paths: PagePaths.PagePaths
  /** Gives the page a desk, which has none of its documents. */
  readonly sitAt: (desk: SuggestionDesk) => void
  /** Takes the page's documents from its desk. Their suggestions end as ignored. */
  readonly leave: (why: string) => Effect.Effect<void>
  readonly desk: () => SuggestionDesk | undefined
  /** Replaces what language servers find in a document of the page. `path`: absolute. Other documents are left alone. */
  readonly diagnose: (path: string, diagnostics: ReadonlyArray<Diagnostic>) => Effect.Effect<void>
  /** Sets the absolute paths of the files that the thread's agent edits. */
  readonly pause: (paths: ReadonlySet<string>) => void
  readonly report: (reports: ReadonlyArray<DocumentReport>) => Effect.Effect<ReportsTaken>
  readonly suggest: (question: SuggestionQuestion) => Effect.Effect<SuggestionAnswer, Refused>
  readonly end: (id: string, end: SuggestionEnd) => Effect.Effect<boolean>
}

/** `folder`: that of the thread or of the editor, absolute. */
export const make = (folder: string): PageVisit => {
  const editor = crypto.randomUUID()
  const paths = PagePaths.make(folder)
  /** The documents of the page at its desk. */
  const open = new Set<string>()
  /** Why documents are not at the desk, which had no room for them. */
  const turnedAway = new Map<string, string>()
  const hasRoom = (desk: SuggestionDesk) => desk.all().length < mostDocuments
  let at: SuggestionDesk | undefined
  let off = "Nobody makes suggestions yet."
  let paused: ReadonlySet<string> = new Set()

  const reported = (
    desk: SuggestionDesk,
    report: DocumentReport
  ): Effect.Effect<string | undefined, DocumentRefused> => {
    const uri = paths.uriOf(report.path)
    const named = { uri, editor }
    switch (report.type) {
      case "opened": {
        const { path, text, version } = report
        return Effect.tap(desk.open({ ...named, languageId: LanguageId.ofPath(path), version, text }), () =>
          Effect.sync(() => {
            paths.name(path)
            open.add(uri)
            turnedAway.delete(uri)
          })
        )
      }
      case "changed":
        return Effect.as(desk.change({ ...named, version: report.version, changes: report.changes }), undefined)
      case "saved":
        return Effect.as(desk.save(named), undefined)
      case "focused":
        return Effect.as(
          desk.focus({ ...named, position: report.position, visibleRange: whole(report.visible, report.position) }),
          undefined
        )
      case "closed":
        open.delete(uri)
        turnedAway.delete(uri)
        return Effect.as(desk.close(named), undefined)
    }
  }

  const report: PageVisit["report"] = Effect.fnUntraced(function* (reports) {
    const withheld = new Map<string, string>()
    const again = new Set<string>()
    const elsewhere = new Set<string>()
    const desk = at
    for (const one of desk === undefined ? [] : reports) {
      const { path, type } = one
      if (desk === undefined || (again.has(path) && type !== "opened")) continue
      const isTaken = yield* Effect.result(reported(desk, one))
      if (isTaken._tag === "Success") {
        again.delete(path)
        elsewhere.delete(path)
        if (isTaken.success !== undefined) withheld.set(path, isTaken.success)
        continue
      }
      // What is not open needs no end.
      if (type === "closed") continue
      const { message, reason } = isTaken.failure
      const uri = paths.uriOf(path)
      if (reason === "elsewhere") elsewhere.add(path)
      else if (reason === "tooMany") {
        turnedAway.set(uri, message)
        withheld.set(path, message)
      }
      // Once there is room, its whole text is needed.
      else if (!turnedAway.has(uri) || hasRoom(desk)) again.add(path)
    }
    return {
      withheld: [...withheld].map(([path, why]) => ({ path, why })),
      again: [...again],
      elsewhere: [...elsewhere]
    }
  }, Effect.uninterruptible)

  const suggest: PageVisit["suggest"] = Effect.fnUntraced(function* ({ path, position, selection, trigger, version }) {
    const desk = at
    if (desk === undefined) return { type: "off", why: off }
    if (paused.has(resolvePath(path, folder))) return { type: "paused", why: agentEdits }
    const uri = paths.uriOf(path)
    const document = desk.get(uri)
    const why = turnedAway.get(uri)
    if (document === undefined && why !== undefined && !hasRoom(desk)) return { type: "withheld", why }
    if (document === undefined) return { type: "notOpen" }
    if (document.editor !== editor) return { type: "elsewhere" }
    if (document.version !== version) return { type: "overtaken" }
    const answer = yield* desk
      .suggest({ uri, editor, position, trigger, ...(selection !== undefined && { selection }) })
      .pipe(
        Effect.catchTags({
          ProviderError: ({ problem }) => Effect.fail(new Refused({ problem })),
          DocumentRefused: ({ reason }) =>
            Effect.succeed({ type: reason === "elsewhere" ? "elsewhere" : "notOpen" } as const)
        })
      )
    if (answer.type !== "suggestions") return answer
    // The thread's agent may have begun meanwhile.
    if (paused.has(resolvePath(path, folder))) {
      yield* Effect.forEach(answer.suggestions, ({ id }) => desk.reject(id, "ignored"), { discard: true })
      return { type: "paused", why: agentEdits }
    }
    return {
      ...answer,
      suggestions: answer.suggestions.map((one) => shown(one, paths)),
      dropped: answer.dropped.map(({ kind, why }) => ({ kind, why }))
    }
  })

  return {
    folder,
    paths,
    sitAt: (desk) => {
      at = desk
      open.clear()
      turnedAway.clear()
    },
    leave: (why) =>
      Effect.suspend(() => {
        const desk = at
        at = undefined
        off = why
        if (desk === undefined) return Effect.void
        const left = [...open]
        open.clear()
        // Those that another page has opened since are not ours any more.
        return Effect.forEach(left, (uri) => Effect.ignore(desk.close({ uri, editor })), { discard: true })
      }),
    desk: () => at,
    diagnose: (path, diagnostics) =>
      Effect.suspend(() => {
        const uri = paths.uriOf(path)
        if (at === undefined || !open.has(uri) || at.get(uri)?.editor !== editor) return Effect.void
        return Effect.ignore(at.diagnose({ uri, editor }, diagnostics))
      }),
    pause: (now) => {
      paused = now
    },
    report,
    suggest,
    end: (id, end) =>
      Effect.suspend(() => {
        if (at === undefined) return Effect.succeed(false)
        return end === "accepted" ? at.accept(id) : at.reject(id, end)
      })
  }
}

const agentEdits = "The agent of this thread edits the file."

/** The protocol knows one part that is in sight. */
const whole = (visible: ReadonlyArray<TextRange>, position: TextRange["start"]): TextRange => ({
  start: visible.at(0)?.start ?? position,
  end: visible.at(-1)?.end ?? position
})

/** A suggestion as the page knows its file. */
const shown = (suggestion: OfferedSuggestion, { pathOf }: PagePaths.PagePaths): Suggestion => {
  const about = { id: suggestion.id, path: pathOf(suggestion.uri) }
  switch (suggestion.kind) {
    case "edit": {
      const { cursorPosition, edits } = suggestion
      return { kind: "edit", ...about, edits, ...(cursorPosition && { cursor: cursorPosition }) }
    }
    case "jump":
      return { kind: "jump", ...about, position: suggestion.position }
    case "rename":
      return { kind: "rename", ...about, position: suggestion.position, newName: suggestion.newName }
    case "searchAndReplace": {
      const { isRegex, replace, search } = suggestion
      return { kind: "searchAndReplace", ...about, search, replace, isRegex: isRegex === true }
    }
  }
}
