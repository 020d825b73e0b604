/** Carries a renaming to the other files: one search and replace in their folder, or a jump to the first of them. */
import { positionIn } from "./Lines.ts"
import { renamingBy } from "./Rename.ts"
import type { Idea, Known, Renaming, Scene } from "./Scene.ts"
import { placesOf } from "./Words.ts"

const inFolder = (uri: string, folder: string): boolean => uri.startsWith(folder.endsWith("/") ? folder : `${folder}/`)

/** The smallest folder of the workspace that holds all these files. */
const folderOf = (uris: ReadonlyArray<string>, folders: ReadonlyArray<string>): string | undefined =>
  folders
    .filter((folder) => uris.every((uri) => inFolder(uri, folder)))
    .toSorted((one, other) => other.length - one.length)[0]

const plainWord = /^\w+$/

/** How to search for a word. Undefined if the search would find parts of other words too. */
const searchFor = ({ from, to }: Renaming, texts: ReadonlyArray<string>) => {
  if (plainWord.test(from) && !to.includes("$")) return { search: `\\b${from}\\b`, replace: to, isRegex: true }
  const isAlone = texts.every((text) => text.split(from).length - 1 === placesOf(text, from, Infinity).length)
  return isAlone ? { search: from, replace: to, isRegex: false } : undefined
}

export const project = ({ folders, kinds, lastEdit, others, renamed, text, uri }: Scene): ReadonlyArray<Idea> => {
  const renaming = (lastEdit && renamingBy(lastEdit)) ?? renamed
  if (renaming === undefined) return []
  const holders = others.filter((other) => placesOf(other.text, renaming.from, 1).length > 0)
  const [first] = holders
  if (first === undefined) return []
  const found = searchFor(renaming, [text, ...holders.map((holder) => holder.text)])
  if (!kinds.has("searchAndReplace") || found === undefined) return jumpTo(first, renaming, kinds.has("jump"))
  const uris = [...new Set(holders.map((holder) => holder.uri))]
  const folder = folderOf([uri, ...uris], folders)
  if (folder !== undefined) return [{ kind: "searchAndReplace", uri: folder, ...found }]
  return uris.map((holder) => ({ kind: "searchAndReplace", uri: holder, ...found }))
}

const jumpTo = (holder: Known, { from }: Renaming, isOffered: boolean): ReadonlyArray<Idea> =>
  isOffered
    ? placesOf(holder.text, from, 1).map((at) => ({ kind: "jump", uri: holder.uri, position: positionIn(holder, at) }))
    : []
