/** Gathers what an agent may know beside the document: other files, edits, actions, diagnostics. Bounded, and never of a withheld file. */
import type { Context } from "@signalbox/acp/NesSchema"
import * as Effect from "effect/Effect"
import type { Document } from "./Documents.ts"
import type { EditHistory } from "./EditHistory.ts"
import type { RecentFiles } from "./RecentFiles.ts"
import * as RelatedSnippets from "./RelatedSnippets.ts"
import type { Sendable, Verdict } from "./Sendable.ts"
import type { UserActions } from "./UserActions.ts"

/** Most files, and most bytes of one file and of all, whose texts are sent. */
const mostFiles = 10
const longestFile = 64 * 1024
const longestOfAll = 256 * 1024
/** Most documents and diagnostics that are listed. */
const mostListed = 50
const mostDiagnostics = 100
const longestMessage = 2000

export interface Sources {
  readonly documents: () => ReadonlyArray<Document>
  readonly history: EditHistory
  readonly actions: UserActions
  readonly recent: RecentFiles
  readonly sendable: Pick<Sendable, "ofAll" | "read">
}

interface Text {
  readonly uri: string
  readonly languageId: string
  readonly text: string
}

/** `line`: where the cursor is in the document. */
export const collect = Effect.fn("ContextCollector.collect")(function* (
  document: Document,
  line: number,
  { actions, documents, history, recent, sendable }: Sources
): Effect.fn.Return<Context> {
  const open = documents()
  const others = recent
    .list()
    .filter(({ uri }) => uri !== document.uri)
    .slice(0, mostFiles)
  const named = [...open, ...others, ...history.list(), ...actions.list()].map(({ uri }) => uri)
  const verdicts = yield* sendable.ofAll(named)
  const isSent = ({ uri }: { readonly uri: string }) => verdicts.get(uri)?.type === "may"
  const texts = yield* textsOf(sendable, others.filter(isSent), open, verdicts)
  const sent = open.filter(isSent)
  /** Lists are cut, so the document itself comes first. */
  const ownFirst = (one: { readonly uri: string }, other: { readonly uri: string }) =>
    Number(other.uri === document.uri) - Number(one.uri === document.uri)
  return {
    recentFiles: texts,
    relatedSnippets: RelatedSnippets.find(document.lines.text, line, texts),
    editHistory: history.list().filter(isSent),
    userActions: actions.list().filter(isSent),
    openFiles: sent
      .toSorted(ownFirst)
      .slice(0, mostListed)
      .map(({ focus, languageId, uri }) => ({
        uri,
        languageId,
        ...(focus !== undefined && { visibleRange: focus.visibleRange, lastFocusedMs: focus.atMs })
      })),
    diagnostics: sent
      .flatMap(({ diagnostics }) => diagnostics)
      .toSorted(ownFirst)
      .slice(0, mostDiagnostics)
      .map((diagnostic) => ({ ...diagnostic, message: diagnostic.message.slice(0, longestMessage) }))
  }
})

/** The texts of files: of an open one as it is in the editor, and of others as they are on the disk. */
const textsOf = Effect.fnUntraced(function* (
  sendable: Pick<Sendable, "read">,
  files: ReadonlyArray<Pick<Text, "languageId" | "uri">>,
  documents: ReadonlyArray<Document>,
  verdicts: ReadonlyMap<string, Verdict>
) {
  const texts: Array<Text> = []
  let left = longestOfAll
  for (const { languageId, uri } of files) {
    const document = documents.find((one) => one.uri === uri)
    const verdict = verdicts.get(uri)
    if (verdict?.type !== "may") continue
    const text = document?.lines.text ?? (yield* sendable.read(verdict.path, longestFile))?.text
    if (text === undefined || text.length > Math.min(longestFile, left)) continue
    left -= text.length
    texts.push({ uri, languageId, text })
  }
  return texts
})
