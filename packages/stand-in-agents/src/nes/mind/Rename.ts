/** Carries the renaming of one word through its file. */
import { essence } from "./Edit.ts"
import type { Idea, LastEdit, Renaming, Scene } from "./Scene.ts"
import { isName, nameBefore, placesOf, renamedIn, widened } from "./Words.ts"

/** A file with more places of a word is left to a client that can rename. */
const most = 1000

/** Words of languages, which nobody renames. */
const reserved = new Set(
  (
    "abstract and as async await bool boolean break case catch char class const continue def default delete do double " +
    "else end enum except export extends false final finally float fn for from func function go if impl implements " +
    "import in int interface is let long loop match mod module mut namespace new nil none null number of or package " +
    "pass private protected pub public raise readonly return self static str string struct super switch then this " +
    "throw true try type typeof undefined use val var void where while with yield None True False String"
  ).split(" ")
)

const isOwnName = (word: string): boolean => isName(word) && !reserved.has(word)

const declaring = new Set(
  "class const def enum fn func function import interface let module namespace struct trait type var".split(" ")
)

/** Whether a name is declared here: a word of the language says so, or nothing above holds it. A member is no declaration. */
const isDeclared = (text: string, start: number, name: string): boolean => {
  const before = text.slice(Math.max(0, start - 40), start).trimEnd()
  if (/[.:>]$/.test(before)) return false
  return declaring.has(nameBefore(before, before.length)) || placesOf(text.slice(0, start), name, 1).length === 0
}

/** The word that an edit has changed into another one. */
const changedWord = ({ text, ...edit }: LastEdit): (Renaming & { readonly start: number }) | undefined => {
  const { at, inserted, removed } = essence(edit) ?? edit
  const { end, start } = widened(text, { start: at, end: at + inserted.length })
  const to = text.slice(start, end)
  const from = text.slice(start, at) + removed + text.slice(at + inserted.length, end)
  return from === to || !isOwnName(from) || !isOwnName(to) ? undefined : { start, from, to }
}

/** The renaming that an edit began: it changed a name where that is declared, and the new one stands nowhere else. */
export const renamingBy = (edit: LastEdit): Renaming | undefined => {
  const { from, start, to } = changedWord(edit) ?? { from: "", start: 0, to: "" }
  const isBegun = to !== "" && isDeclared(edit.text, start, from) && placesOf(edit.text, to, 2).length === 1
  return isBegun ? { from, to } : undefined
}

/** Whether the edit belongs to a renaming, which goes through the file at once. */
export const isRenaming = (edit: LastEdit, renamed: Renaming | undefined): boolean => {
  const word = changedWord(edit)
  return (word && word.from === renamed?.from && word.to === renamed.to) || renamingBy(edit) !== undefined
}

export const rename = (scene: Scene): ReadonlyArray<Idea> => {
  const { caret, kinds, lastEdit, text, uri } = scene
  if (lastEdit === undefined || lastEdit.uri !== uri) return []
  const renaming = renamingBy(lastEdit)
  if (renaming === undefined) return []
  const changes = renamedIn(text, renaming, most + 1)
  const next = changes.find(({ start }) => start >= caret) ?? changes[0]
  if (next === undefined) return []
  if (kinds.has("rename")) return [{ kind: "rename", uri, at: next.start, ...renaming }]
  if (changes.length > most) return []
  const isBefore = changes.filter(({ start }) => start < caret).length
  return [{ kind: "edit", uri, changes, caret: caret + isBefore * (renaming.to.length - renaming.from.length) }]
}
