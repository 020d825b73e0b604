/**
 * A pattern of paths: `*` and `?` stand for characters within a name, `**` for any number of names. All else stands for itself, brackets
 * too. No regular expression is made of it.
 */
import * as NamePattern from "../shell/NamePattern.ts"
import * as TextPattern from "./TextPattern.ts"

/** Folders that patterns begin at, without links. */
export interface Bases {
  readonly home: string
  /** The folder of the session. */
  readonly project: string
  /** The folder in which relative patterns begin. */
  readonly folder: string
}

/** The names of an absolute pattern, from the root on. */
export type PathPattern = ReadonlyArray<string>

const namesOf = (path: string): ReadonlyArray<string> => path.split("/").filter((name) => name !== "" && name !== ".")

/** An absolute pattern of what people write. A pattern that begins with `**` begins at the root. */
export const of = (text: string, { folder, home, project }: Bases): PathPattern => {
  if (text.startsWith("/")) return namesOf(text)
  if (text === "~" || text.startsWith("~/")) return [...namesOf(home), ...namesOf(text.slice(1))]
  const named = /^\$\{project\}(?=\/|$)/.exec(text)?.[0]
  if (named !== undefined) return [...namesOf(project), ...namesOf(text.slice(named.length))]
  if (/^\*\*(?:\/|$)/.test(text)) return namesOf(text)
  const names = [...namesOf(folder)]
  for (const name of namesOf(text)) {
    if (name === "..") names.pop()
    else names.push(name)
  }
  return names
}

/** The names before the first one with a sign of a pattern. */
export const literalHead = (pattern: PathPattern): ReadonlyArray<string> => {
  const end = pattern.findIndex((name) => /[*?]/.test(name))
  return end === -1 ? pattern : pattern.slice(0, end)
}

const isName = (pattern: string, name: string): boolean => TextPattern.matches(pattern, name, "?")

/** The names of paths that were compared last. One path is compared with many patterns. */
const split = new Map<string, ReadonlyArray<string>>()

const mostSplit = 64

const namesOfPath = (path: string): ReadonlyArray<string> => {
  const known = split.get(path)
  if (known !== undefined) return known
  const names = namesOf(path)
  if (split.size >= mostSplit) split.clear()
  split.set(path, names)
  return names
}

/** Whether an absolute path without `.` and `..` is as a pattern says. `folder/**` means the folder itself, too. */
export const matches = (pattern: PathPattern, path: string): boolean => {
  const names = namesOfPath(path)
  let at = 0
  let from = 0
  let star = -1
  let mark = 0
  while (from < names.length) {
    const wanted = pattern[at]
    const name = names[from] ?? ""
    if (wanted === "**") {
      star = at++
      mark = from
    } else if (wanted !== undefined && isName(wanted, name)) {
      at++
      from++
    } else if (star >= 0) {
      at = star + 1
      from = ++mark
    } else return false
  }
  while (pattern[at] === "**") at++
  return at === pattern.length
}

/**
 * Whether a pattern may be about a name in a folder. It follows all places of the pattern where a level may be, so it takes pattern × levels
 * steps.
 *
 * @param below patterns for file names, one for each level below the folder
 */
export const mayMatchBelow = (pattern: PathPattern, folder: string, below: ReadonlyArray<string>): boolean => {
  const levels = [
    ...namesOfPath(folder).map((name) => ({ name, isGlob: false })),
    ...below.map((name) => ({ name, isGlob: true }))
  ]
  let places = skip(pattern, new Set([0]))
  for (const { isGlob, name } of levels) {
    const next = new Set<number>()
    for (const place of places) {
      const wanted = pattern[place]
      if (wanted === "**") next.add(place)
      else if (wanted !== undefined && (isGlob ? NamePattern.mayBeBoth(wanted, name) : isName(wanted, name)))
        next.add(place + 1)
    }
    places = skip(pattern, next)
  }
  return places.has(pattern.length)
}

/** `**` may stand for no name at all. */
const skip = (pattern: PathPattern, places: ReadonlySet<number>): ReadonlySet<number> => {
  const all = new Set(places)
  for (const place of all) if (pattern[place] === "**") all.add(place + 1)
  return all
}
