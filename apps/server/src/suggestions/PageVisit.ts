/** One page that edits files of one thread: its documents at the desk of the moment, and the answers that it gets. */
import { resolvePath } from "@signalbox/contracts/Paths"
import { Refused } from "@signalbox/contracts/Refused"
import type {
  DocumentReport,
  ReportsTaken,
  Suggestion,
  SuggestionAnswer,
  SuggestionEnd,
  SuggestionQuestion,
  TextRange
} from "@signalbox/contracts/Suggestions"
import * as Effect from "effect/Effect"
import type { DocumentRefused } from "../editing/Documents.ts"
import * as LanguageId from "../editing/LanguageId.ts"
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
  /** Sets the absolute paths of the files that the thread's agent edits. */
  readonly pause: (paths: ReadonlySet<string>) => void
  readonly report: (reports: ReadonlyArray<DocumentReport>) => Effect.Effect<ReportsTaken>
  readonly suggest: (question: SuggestionQuestion) => Effect.Effect<SuggestionAnswer, Refused>
  readonly end: (id: string, end: SuggestionEnd) => Effect.Effect<boolean>
}

/** `folder`: that of the thread, absolute. */
export const make = (folder: string): PageVisit => {
  const editor = crypto.randomUUID()
  const paths = PagePaths.make(folder)
  /** The documents of the page at its desk. */
  const open = new Set<string>()
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
        return Effect.tap(desk.open({ ...named, languageId: LanguageId.of(path), version, text }), () =>
          Effect.sync(() => {
            paths.name(path)
            open.add(uri)
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
      if (isTaken.failure.reason === "elsewhere") elsewhere.add(path)
      else if (isTaken.failure.reason === "tooMany") withheld.set(path, isTaken.failure.message)
      else again.add(path)
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
