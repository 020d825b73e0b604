/** Repeats the last edit where the same text stands: in its file from the caret on, then in other files. */
import { essence } from "./Edit.ts"
import { inTurn } from "./InTurn.ts"
import { indentation, lineAround, nextLineStart } from "./Lines.ts"
import { isRenaming } from "./Rename.ts"
import type { Change, Edit, Idea, Known, LastEdit, Scene } from "./Scene.ts"
import { nameAfter, nameBefore, placesOf } from "./Words.ts"

/** The longest edit that is repeated, in UTF-16 units. */
const longest = 600
/** How many places are looked at in one text. */
const mostPlaces = 200

/** What stands around an edit, on its line. An edit is repeated where both sides are the same. */
interface Around {
  readonly left: string
  readonly right: string
}

/** The word at the start of a line's rest, with one sign behind it. */
const tokenAfter = (right: string): string => {
  const name = nameAfter(right, 0)
  return name === "" ? "" : right.slice(0, name.length + 1)
}

/** The word at the end of a line's beginning, with one sign behind it. */
const tokenBefore = (left: string): string => {
  const name = nameBefore(left, left.length)
  if (name !== "") return name
  const before = nameBefore(left, left.length - 1)
  return before === "" ? "" : left.slice(left.length - before.length - 1)
}

/** Ends of a text that belongs to the name behind it: `this.`, `await `, `!`. */
const leadsOn = /[.:>!&*-]$|\w\s$/
/** Beginnings of a text that belongs to the name before it: `.length`, `?.`, `(`, `::`. */
const goesOn = /^(?:\.|\?\.|!|::|->|\[|\()/

/** What may have to stand around a place, the most exact first. */
const surroundings = (text: string, edit: Edit): ReadonlyArray<Around> => {
  const end = edit.at + edit.inserted.length
  const left = text.slice(lineAround(text, edit.at).start, edit.at)
  const right = text.slice(end, lineAround(text, end).end)
  const before = tokenBefore(left)
  const after = tokenAfter(right)
  const whole = { left: left.trimStart(), right: right.trimEnd() }
  const both = before !== "" && after !== "" ? [{ left: before, right: after }] : []
  if (edit.removed !== "") return [whole, ...both, { left: "", right: "" }]
  return [
    whole,
    ...both,
    ...(leadsOn.test(edit.inserted) ? [{ left: "", right: after }] : []),
    ...(goesOn.test(edit.inserted) ? [{ left: before, right: "" }] : [])
  ]
}

/** A text that says enough to be searched for: it holds a name of three letters, or two names. */
const isTelling = (text: string): boolean => /\w{3}|\w\W+\w/.test(text)

/** The places in a text where the edit can be made once more, with these surroundings. */
const changesWith = (known: Known, own: LastEdit, edit: Edit, { left, right }: Around): ReadonlyArray<Change> => {
  const wanted = left + edit.removed + right
  if (!isTelling(wanted)) return []
  const { text } = known
  return placesOf(text, wanted, mostPlaces)
    .map((place) => {
      const start = place + left.length
      return { start, end: start + edit.removed.length, text: edit.inserted }
    })
    .filter(({ end, start }) => {
      const isOwn = known.uri === own.uri && start <= edit.at + edit.inserted.length && end >= edit.at
      const isDone = edit.removed === "" && (text.startsWith(edit.inserted, start) || endsBefore(text, edit, start))
      return !isOwn && !isDone
    })
}

const endsBefore = (text: string, { inserted }: Edit, at: number): boolean =>
  text.slice(Math.max(0, at - inserted.length), at) === inserted

/** The edit on the line below, if it was made at the start of a line that looks the same. */
const belowIt = ({ text }: LastEdit, edit: Edit): Change | undefined => {
  const { at, inserted, removed } = edit
  if (removed !== "" || !/[^\w$]$/.test(inserted)) return undefined
  const line = lineAround(text, at)
  const indent = text.slice(line.start, at)
  const below = nextLineStart(text, line.end)
  if (below === undefined || indentation(indent) !== indent || at + inserted.length >= line.end) return undefined
  const next = text.slice(below, lineAround(text, below).end)
  const isAlike = indentation(next) === indent && next.trim() !== "" && !next.startsWith(indent + inserted)
  const start = below + indent.length
  return isAlike && /\w/.test(next.charAt(indent.length)) ? { start, end: start, text: inserted } : undefined
}

export const repeat = (scene: Scene): ReadonlyArray<Idea> => {
  const { isUndone, lastEdit, renamed, selection } = scene
  if (lastEdit === undefined || isUndone) return []
  const edit = essence(lastEdit)
  if (edit === undefined || edit.removed.length + edit.inserted.length > longest) return []
  if (selection && edit.removed !== "" && scene.text.slice(selection.start, selection.end) === edit.removed) {
    const change = { ...selection, text: edit.inserted }
    return [{ kind: "edit", uri: scene.uri, changes: [change], caret: selection.start + edit.inserted.length }]
  }
  if (isRenaming(lastEdit, renamed)) return []
  for (const around of surroundings(lastEdit.text, edit)) {
    const ideas = inTurn(scene, (known) => changesWith(known, lastEdit, edit, around))
    if (ideas.length > 0) return ideas
  }
  const below = lastEdit.uri === scene.uri ? belowIt(lastEdit, edit) : undefined
  return below ? inTurn(scene, ({ uri }) => (uri === scene.uri ? [below] : [])) : []
}
