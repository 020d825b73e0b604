/**
 * The paths that the input of a call names. Pure. Agents name the same thing in many ways, so members are known by name; a member
 * that is not known may hold a path too, and makes the input unclear.
 */
import { hasMoreMembers } from "@signalbox/contracts/Json"

export interface InputPaths {
  /** The paths as the input writes them, each once. */
  readonly paths: ReadonlyArray<string>
  /** Words to search for that may be the name of a file or folder, each once. */
  readonly words: ReadonlyArray<string>
  /** The input says where relative paths begin, so that they may begin anywhere. */
  readonly movesBase: boolean
  /** The first member that can't be understood, by name. */
  readonly unclear: string | undefined
}

/** A call with more members or deeper ones is unclear. */
const maxMembers = 512
const maxDepth = 16

/** An input with more members is not taken apart at all. */
const mostRead = 10_000
const tooMany: InputPaths = { paths: [], words: [], movesBase: false, unclear: "rawInput" }

const bases = ["cwd", "workdir", "workingdir", "workingdirectory", "basedir", "basepath", "root", "rootpath"]

/** Members that hold paths; written in lower case without `_` and `-`. */
const pathNames: ReadonlySet<string> = new Set([
  ...bases,
  "path",
  "paths",
  "file",
  "files",
  "filename",
  "filenames",
  "filepath",
  "filepaths",
  "abspath",
  "absolutepath",
  "relativepath",
  "relativeworkspacepath",
  "targetfile",
  "targetpath",
  "targetdirectory",
  "targetdirectories",
  "sourcepath",
  "destinationpath",
  "oldpath",
  "newpath",
  "notebookpath",
  "dir",
  "dirs",
  "dirpath",
  "directory",
  "directories",
  "folder",
  "folders",
  "roots",
  "searchpath",
  "searchpaths",
  "searchdirectory",
  "searchdirectories"
])
const baseNames: ReadonlySet<string> = new Set(bases)

/** Members that say what to look for. */
const patternNames: ReadonlySet<string> = new Set([
  "pattern",
  "patterns",
  "glob",
  "globs",
  "globpattern",
  "filepattern",
  "query",
  "regex",
  "regexp",
  "searchterm",
  "include",
  "includes",
  "includepattern",
  "exclude",
  "excludes",
  "excludepattern",
  "ignore"
])

/** Members that name the source or the target of a move. In other kinds of calls they may mean anything. */
const moveNames: ReadonlySet<string> = new Set(["source", "from", "destination", "to", "target"])

/** Members whose text is no path. */
const plainNames: ReadonlySet<string> = new Set(["toolname", "outputmode", "type", "encoding", "description"])

/** Members whose number or whose yes or no only says which part, how much or how. None makes a search follow links. */
const plainNumbers: ReadonlySet<string> = new Set([
  "offset",
  "limit",
  "line",
  "startline",
  "endline",
  "startlineoneindexed",
  "endlineoneindexedinclusive",
  "shouldreadentirefile",
  "viewrange",
  "headlimit",
  "maxresults",
  "maxcount",
  "maxdepth",
  "depth",
  "multiline",
  "casesensitive",
  "caseinsensitive",
  "ignorecase",
  "isregex",
  "isregexp",
  "respectgitignore",
  "respectgeminiignore",
  "recursive",
  "context",
  "i",
  "n",
  "a",
  "b",
  "c"
])

/** Members that hold others. */
const holders: ReadonlySet<string> = new Set(["args", "arguments", "input", "params", "filefilteringoptions"])

/** Members of an edit: the texts that are replaced and written, words about them, how often, and what holds several of them. */
const editNames: ReadonlySet<string> = new Set([
  "oldstring",
  "oldstr",
  "oldtext",
  "newstring",
  "newstr",
  "newtext",
  "content",
  "contents",
  "filetext",
  "codeedit",
  "instruction",
  "instructions",
  "explanation"
])
const editNumbers: ReadonlySet<string> = new Set(["replaceall", "allowmultiple", "expectedreplacements", "insertline"])
const editHolders: ReadonlySet<string> = new Set(["edits"])

/** @param kind what the call does, since an edit has texts that are no paths */
export const inInput = (rawInput: string | undefined, kind?: string): InputPaths => {
  const isEdit = kind === "edit"
  const isPlain = (key: string) => plainNames.has(key) || (isEdit && editNames.has(key))
  const isNumber = (key: string) => plainNumbers.has(key) || (isEdit && editNumbers.has(key))
  const isKnown = (name: string): boolean => {
    const key = keyOf(name)
    return (
      isPlain(key) ||
      isNumber(key) ||
      [pathNames, patternNames, holders].some((names) => names.has(key)) ||
      (isEdit && editHolders.has(key))
    )
  }
  if (rawInput !== undefined && hasMoreMembers(rawInput, mostRead)) return tooMany
  const paths = new Set<string>()
  const words = new Set<string>()
  let movesBase = false
  let unclear: string | undefined
  let members = 0

  const take = (name: string, value: unknown): void => {
    const key = keyOf(name)
    if (pathNames.has(key)) {
      if (baseNames.has(key)) movesBase = true
      if (typeof value === "string") paths.add(value)
      else if (value !== null) unclear ??= name
    } else if (value === null) return
    else if (typeof value !== "string") {
      if (!isNumber(key)) unclear ??= name
    } else if (isPlain(key)) return
    else if (moveNames.has(key)) {
      paths.add(value)
      unclear ??= name
    } else if (!patternNames.has(key) || mayLeadAway(value)) unclear ??= name
    else if (isWord(value)) words.add(value)
  }

  const waiting: Array<{ readonly name: string; readonly value: unknown; readonly depth: number }> = [
    { name: "rawInput", value: rawInput === undefined ? undefined : JSON.parse(rawInput), depth: 0 }
  ]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { depth, name, value } = next
    members += 1
    if (members > maxMembers || depth > maxDepth) {
      unclear ??= name
      break
    }
    if (typeof value !== "object" || value === null) take(name, value)
    else {
      // A name may itself be a path: `{ "files": { "/etc/passwd": true } }`.
      if (!Array.isArray(value) && depth > 0) unclear ??= Object.keys(value).find((key) => !isKnown(key))
      const inner: ReadonlyArray<readonly [string, unknown]> = Array.isArray(value)
        ? value.slice(0, maxMembers + 1).map((item: unknown) => [name, item] as const)
        : Object.entries(value)
      for (const [key, item] of inner.toReversed()) waiting.push({ name: key, value: item, depth: depth + 1 })
    }
  }
  return { paths: [...paths], words: [...words], movesBase, unclear }
}

const keyOf = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, "")

/** Whether a pattern may name something outside of the folder that is searched, or below a link. `**` and one name after it may not. */
const mayLeadAway = (pattern: string): boolean => {
  const names = pattern.startsWith("**/") ? pattern.slice(3) : pattern
  return /[/\\]/.test(names) || names.includes("..") || names.startsWith("~") || names.includes("$")
}

/** Without signs of a pattern it may be a name. */
const isWord = (pattern: string): boolean => pattern !== "" && !/[*?[\]{}()|^+]/.test(pattern)
