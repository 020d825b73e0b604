/** Names of files in what agents, programs and people write. Pure, linear, and by the text alone: nobody looks whether a file is there. */

/** `line`: from 1. */
export interface FileName {
  readonly path: string
  readonly line?: number
}

/** Longer words are no names of files. */
const longest = 400

/** What may stand behind a path: `:12`, `:12:3`, `:12-20`, `#L12`, `#L12-L20`, `(12,3)`. */
const withPlace = /^([^:#()]+)(?::(\d{1,7})(?:[:-]\d{1,7})?|#L(\d{1,7})(?:-L?\d{1,7})?|\((\d{1,7})(?:,\d{1,7})?\))?$/

/** Letters of patterns, code and markup, which no name has. */
const noName = /[\s*?{}<>"'`$=,;|&!\\]/

/** Endings that name a file also where no folder stands before it. */
const endings = new Set(
  (
    "astro bash c cc cfg cjs conf cpp cs css csv cts cxx dart dockerfile ex exs fish go gradle graphql h hpp htm html ini ipynb java jl js json " +
    "json5 jsonc jsonl jsx kt kts less lock lua md mdx mjs mts nix php proto ps1 py pyi rb rs rst sass scala scss sh sql svelte svg swift tex tf " +
    "toml ts tsx txt vue xml yaml yml zig zsh"
  ).split(" ")
)

/** A word that is the name of a file, such as `src/a.ts:12`. Undefined if it may be anything else. */
export const fileNamed = (word: string): FileName | undefined => {
  if (word.length > longest) return undefined
  const [, path, ...lines] = withPlace.exec(word) ?? []
  if (path === undefined || noName.test(path) || isAddress(path)) return undefined
  const line = lines.find((found) => found !== undefined)
  const name = path.slice(path.lastIndexOf("/") + 1)
  const ending = /^[^.].*\.([A-Za-z0-9]{1,12})$/.exec(name)?.[1]
  const isHidden = /^\.[a-z]/i.test(name) && path !== name
  if (ending === undefined && !isHidden) return undefined
  // "Node.js" is a word.
  const isFile = path !== name || line !== undefined || (endings.has(ending?.toLowerCase() ?? "") && !isProduct(name))
  return isFile ? { path, ...(line !== undefined && Number(line) > 0 && { line: Number(line) }) } : undefined
}

/** "example.com/a.html" is an address without its scheme. */
const isAddress = (path: string): boolean => /^[^/]+\.(?:com|dev|io|net|org)\//i.test(path)

const isProduct = (name: string): boolean => /^[A-Z][A-Za-z]*\.js$/.test(name)

/** The file of a link's address: a path, or a `file:` address. Undefined for any other address. */
export const fileAddressed = (address: string): FileName | undefined => {
  const isFile = address.startsWith("file://")
  const rest = decoded(isFile ? address.slice("file://".length) : address)
  if (rest.length > longest || rest === "" || rest.startsWith("#")) return undefined
  const [, path, ...lines] = withPlace.exec(rest) ?? []
  if (path === undefined || (!isFile && /[?*]/.test(path))) return undefined
  const line = lines.find((found) => found !== undefined)
  return { path, ...(line !== undefined && Number(line) > 0 && { line: Number(line) }) }
}

/** An address without its escapes, or as it is where they are wrong. */
const decoded = (address: string): string => {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/** A word without what ends a sentence behind it. */
const withoutStops = (word: string): string => {
  let end = word.length
  while (end > 0 && ".,:!?…".includes(word.charAt(end - 1))) end -= 1
  return word.slice(0, end)
}

/** A name of a file in a text, from an offset to another. */
export interface NamedPlace extends FileName {
  readonly from: number
  readonly to: number
}

/** Longer texts are not searched. */
const longestText = 1_000_000

/** The names of files in a text. `onlyPlaces`: those with a line. A name without a folder counts only with a line, too. */
export const filesIn = (text: string, onlyPlaces = false): ReadonlyArray<NamedPlace> => {
  if (text.length > longestText) return []
  const found: Array<NamedPlace> = []
  for (const { 0: word, index } of text.matchAll(/[^\s"'`<>|[\]{};“”‘’]+/g)) {
    if (word.length > longest || !word.includes(".")) continue
    const begins = /^[(@]*/.exec(word)?.[0].length ?? 0
    const core = withoutStops(word.slice(begins))
    const name = fileNamed(core) ?? (core.endsWith(")") ? fileNamed(core.slice(0, -1)) : undefined)
    if (name === undefined || (name.line === undefined && (onlyPlaces || !name.path.includes("/")))) continue
    const length = fileNamed(core) === undefined ? core.length - 1 : core.length
    found.push({ ...name, from: index + begins, to: index + begins + length })
  }
  return found
}
