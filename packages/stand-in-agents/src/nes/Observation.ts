/** Turns a request and what is remembered into a scene: the mind knows neither positions nor the protocol. */
import type { Document, Session, SuggestRequest } from "@signalbox/acp/NesAgent"
import type { Range } from "@signalbox/acp/Positions"
import type { Memory } from "./Memory.ts"
import type { FarFinding, Finding, Kind, Known, LastEdit, Scene, Span } from "./mind/Scene.ts"
import { editOf } from "./mind/UnifiedDiff.ts"

/** Longer texts get no suggestions, in UTF-16 units. */
const longest = 2 * 1024 * 1024
/** How many other texts are looked at, and how much of them. */
const mostOthers = 30
const longestOther = 500_000

const spanOf = ({ lines }: Document, { end, start }: Range): Span => ({
  start: lines.offsetAt(start),
  end: lines.offsetAt(end)
})

/** Other files and pieces of them: first of the same language, then by the time of their last use. */
const othersIn = ({ context, documents, uri }: SuggestRequest, language: string): ReadonlyArray<Known> => {
  const focused = new Map(context.openFiles.map((file) => [file.uri, file.lastFocusedMs ?? 0]))
  const recent = new Map(context.recentFiles.map((file, index) => [file.uri, -1 - index]))
  const rank = (document: Document) => focused.get(document.uri) ?? recent.get(document.uri) ?? -1000
  const isForeign = ({ languageId }: Document) =>
    language !== "" && languageId !== "" && languageId !== language ? 1 : 0
  const whole = [...documents.values()]
    .filter((document) => document.uri !== uri && document.lines.length <= longestOther)
    .toSorted((one, other) => isForeign(one) - isForeign(other) || rank(other) - rank(one))
    .map((document) => ({ uri: document.uri, text: document.lines.text, firstLine: 0 }))
  const pieces = context.relatedSnippets
    .filter((snippet) => !documents.has(snippet.uri))
    .flatMap(({ excerpts, uri }) => excerpts.map(({ startLine, text }) => ({ uri, text, firstLine: startLine })))
    .filter(({ text }) => text.length <= longestOther)
  return [...whole, ...pieces].slice(0, mostOthers)
}

/** The last edit: as it was seen, else by the history of the context. */
const lastEditIn = ({ context, documents }: SuggestRequest, memory: Memory): LastEdit | undefined => {
  const seen = memory.lastEdit
  if (seen !== undefined) {
    const text = documents.get(seen.uri)?.lines.text
    return text === undefined ? undefined : { ...seen, text }
  }
  for (const { diff, uri } of context.editHistory) {
    const text = documents.get(uri)?.lines.text
    const edit = text === undefined ? undefined : editOf(diff, text)
    if (text !== undefined && edit !== undefined) return { ...edit, uri, text }
  }
  return undefined
}

/** What the person did last, by the context. */
const lastActionIn = ({ context }: SuggestRequest) =>
  context.userActions.toSorted((one, other) => other.timestampMs - one.timestampMs)[0]

/** Whether the person moved the caret away from the lines of the last edit. */
const hasMoved = (request: SuggestRequest, { lines }: Document, edit: LastEdit | undefined): boolean => {
  const action = lastActionIn(request)
  if (action === undefined || !/cursor/i.test(action.action)) return false
  if (edit?.uri !== request.uri) return true
  const { line } = action.position
  // A diff has whole lines, so its edit ends at the start of the line behind it.
  return line < lines.positionAt(edit.at).line || line > lines.positionAt(edit.at + edit.inserted.length).line
}

/** The scene of a request. Undefined if the text is not known, or is too long. */
export const sceneOf = (
  request: SuggestRequest,
  document: Document | undefined,
  memory: Memory,
  { workspace }: Session,
  kinds: ReadonlySet<Kind>
): Scene | undefined => {
  if (document === undefined || document.lines.length > longest) return undefined
  const { context, position, selection, triggerKind, uri } = request
  const lastEdit = lastEditIn(request, memory)
  const shown = context.openFiles.find((file) => file.uri === uri)?.visibleRange ?? memory.visible.get(uri)
  const diagnostics = context.diagnostics.filter(({ severity }) => severity !== "hint")
  const selected = selection && spanOf(document, selection)
  return {
    uri,
    text: document.lines.text,
    caret: document.lines.offsetAt(position),
    selection: selected && selected.end > selected.start ? selected : undefined,
    visible: shown && spanOf(document, shown),
    trigger: triggerKind,
    lastEdit,
    renamed: memory.renamed,
    isMoving: hasMoved(request, document, lastEdit),
    isUndone: /undo/i.test(lastActionIn(request)?.action ?? ""),
    others: othersIn(request, document.languageId),
    findings: diagnostics.flatMap(({ message, range, severity, uri: place }): ReadonlyArray<Finding> =>
      place === uri ? [{ ...spanOf(document, range), message, isError: severity === "error" }] : []
    ),
    farFindings: diagnostics.flatMap(({ range, uri: place }): ReadonlyArray<FarFinding> =>
      place === uri ? [] : [{ uri: place, position: range.start }]
    ),
    folders: [...(workspace.workspaceFolders ?? []).map((folder) => folder.uri), workspace.workspaceUri ?? []].flat(),
    kinds
  }
}
