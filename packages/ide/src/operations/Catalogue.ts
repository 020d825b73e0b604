/** The functions of Dialect, as help and models get them. */
import type { DialectFunction } from "../dialect/DialectFunction.ts"

type Entry = Pick<DialectFunction, "parameters" | "summary">

const entries = {
  findDefinitions: {
    parameters: ["symbols"],
    summary: "where symbols are defined: an array of {name, kind, container, definedAt}"
  },
  findDefinition: { parameters: ["symbols"], summary: "the same as findDefinitions" },
  findReferences: {
    parameters: ["symbols"],
    summary: "where symbols are used: an array of {name, kind, container, definedAt, referencedAt}"
  },
  getSymbolInfo: {
    parameters: ["symbols"],
    summary: "types and documentation of symbols: an array of {name, kind, container, definedAt, info}"
  },
  search: {
    parameters: ["path", "regex", "extension?"],
    summary: "lines that a regular expression matches, below a folder or in a file: {matches, searchedFiles, isCut}"
  },
  searchFiles: { parameters: ["pattern", "path?"], summary: "the same, over all files or below a path" },
  findFiles: {
    parameters: ["namePattern", "path?"],
    summary: 'files by their names, such as "*.test.ts" or "src/**/*.ts": {files, isCut}'
  },
  lines: {
    parameters: ["path", "start", "end"],
    summary: "lines of a file, from 1, with the last one: {path, start, end, content}"
  },
  gitdiff: {
    parameters: ["range", "excludeUnstaged?", "excludeStaged?"],
    summary:
      'what changed in commits such as "main..HEAD" ("" for none), and what is not committed: {committed, staged, unstaged}, each {text, isCut}'
  },
  diagnostics: {
    parameters: ["path?"],
    summary:
      "what is wrong in a file, or in all files that were asked about so far: an array of {severity, message, at, code, source}"
  },
  selection: {
    parameters: [],
    summary: "what the user has selected in an editor, or null: {path, start, end, content}"
  }
} satisfies { readonly [name: string]: Entry }

export type Name = keyof typeof entries

const isName = (name: string): name is Name => Object.hasOwn(entries, name)

export const names: ReadonlyArray<Name> = Object.keys(entries).filter(isName)

/** A function without what it does. */
export const entryOf = (name: Name): Omit<DialectFunction, "run"> => ({ name, ...entries[name] })
