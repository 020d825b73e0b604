/** Suggestions in words: for hints, and for those who hear the page. */
import type { Text } from "@codemirror/state"
import type { Offer, Offered, OfferedEdit } from "./offer.ts"

/** Longer texts are cut where they are read out. */
const longest = 120

const cut = (text: string): string => {
  const line = text
    .split("\n")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(" ⏎ ")
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

/** "replace a by b", "insert b", "delete a", "change 3 places". */
const what = (doc: Text, { changes }: OfferedEdit): string => {
  const [first] = changes
  if (first === undefined) return "nothing"
  if (changes.length > 1) return `change ${changes.length} places`
  const old = doc.sliceString(first.from, first.to)
  if (old === "") return `insert ${cut(first.insert)}`
  return first.insert === "" ? `delete ${cut(old)}` : `replace ${cut(old)} by ${cut(first.insert)}`
}

/** What a screen reader says of the suggestion that is shown. */
export const heard = (doc: Text, { all, at }: Offer, isNear: (edit: OfferedEdit) => boolean): string | undefined => {
  const shown = all[at]
  if (shown === undefined) return undefined
  const which = all.length === 1 ? "Suggestion" : `Suggestion ${at + 1} of ${all.length}`
  return `${which}${body(doc, shown, isNear)}${all.length > 1 ? " Alt right bracket shows the next." : ""}`
}

const body = (doc: Text, shown: Offered, isNear: (edit: OfferedEdit) => boolean): string => {
  if (shown.type === "step") return `: ${shown.words}. Press Tab for it, Escape to dismiss.`
  const line = doc.lineAt(shown.changes[0]?.from ?? 0).number
  const does = `, line ${line}: ${what(doc, shown)}.`
  return `${does} Press Tab to ${isNear(shown) ? "accept" : "jump there"}, Escape to dismiss.`
}

/** What was done by an accepted edit. */
export const done = (doc: Text, edit: OfferedEdit): string => `Accepted: ${what(doc, edit)}.`
