/** Suggestions of the server as they are shown in a document. */
import type { LineEnd } from "@signalbox/contracts/Documents"
import type { Suggestion } from "@signalbox/contracts/Suggestions"
import { ChangeSet, type Text } from "@codemirror/state"
import { changesOf, type Change } from "./edits.ts"
import type { Offered, OfferedEdit } from "./offer.ts"
import { offsetOf } from "../reporting/positions.ts"

/** A suggestion in the document that it was asked for. Undefined if it can't be shown. */
export const offeredIn = (path: string, doc: Text, lineEnd: LineEnd, suggestion: Suggestion): Offered | undefined => {
  const { id } = suggestion
  if (suggestion.path === path && suggestion.kind === "edit") return editIn(doc, lineEnd, suggestion)
  const name = nameOf(suggestion.path)
  const step = { type: "step", id, line: undefined, preview: [] } as const
  switch (suggestion.kind) {
    case "edit": {
      const line = (suggestion.edits[0]?.range.start.line ?? 0) + 1
      return { ...step, words: `open ${name}, line ${line}` }
    }
    case "jump": {
      const line = suggestion.position.line + 1
      if (suggestion.path !== path) return { ...step, words: `open ${name}, line ${line}` }
      const at = doc.lineAt(offsetOf(doc, lineEnd, suggestion.position))
      return {
        ...step,
        words: `jump to line ${at.number}`,
        line: at.number,
        preview: [{ text: at.text, kind: "same" }]
      }
    }
    case "rename": {
      const at = suggestion.path === path ? wordAt(doc, offsetOf(doc, lineEnd, suggestion.position)) : ""
      return {
        ...step,
        words: "choose what to rename",
        preview: [
          { text: at, kind: "old" },
          { text: suggestion.newName, kind: "new" }
        ]
      }
    }
    case "searchAndReplace":
      return {
        ...step,
        words: "choose what to replace",
        preview: [
          // A pattern for a whole word reads as the word.
          { text: suggestion.isRegex ? suggestion.search.replaceAll("\\b", "") : suggestion.search, kind: "old" },
          { text: suggestion.replace, kind: "new" }
        ]
      }
  }
}

/** An edit of a document. Undefined if nothing of it can be drawn. */
export const editIn = (
  doc: Text,
  lineEnd: LineEnd,
  { cursor, edits, id }: Extract<Suggestion, { readonly kind: "edit" }>
): OfferedEdit | undefined => {
  const changes = changesOf(doc, lineEnd, edits)
  if (changes === undefined || changes.length === 0) return undefined
  const set = ChangeSet.of([...changes], doc.length, lineEnd === "mixed" ? "\n" : undefined)
  const caret = cursor === undefined ? endOf(set, changes) : offsetOf(set.apply(doc), lineEnd, cursor)
  return { type: "edit", id, changes, caret }
}

/** Behind what was put in last. */
const endOf = (set: ChangeSet, changes: ReadonlyArray<Change>): number => set.mapPos(changes.at(-1)?.to ?? 0, 1)

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** The word at an offset, or just before it. */
const wordAt = (doc: Text, offset: number): string => {
  const { from, text } = doc.lineAt(offset)
  for (const { 0: word, index } of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu))
    if (from + index <= offset && offset <= from + index + word.length) return word
  return ""
}
