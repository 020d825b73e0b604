/**
 * Cuts Markdown into top-level blocks that can be read one by one. So only the last block of a growing text is read again. A cut is made
 * only where CommonMark can't join what stands on its two sides.
 */

/** What begins a code block: its marks, which also end it, and its language. */
export interface Fence {
  readonly marker: string
  readonly language: string
}

export type Block =
  | { readonly type: "markdown"; readonly source: string }
  /**
   * `open`: its closing fence has not arrived. It is a code block from its first line. `continues`: it began in the text before
   * this one.
   */
  | {
      readonly type: "code"
      readonly fence: Fence
      readonly code: string
      readonly open: boolean
      readonly continues: boolean
    }

const fence = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/
const definition = /^ {0,3}\[(?!\^)[^\]\n]+\]:\s*\S+.*$/gm

/** The most blocks, and the most UTF-16 units, that are read at once. No task of the page takes long over a text, however long that is. */
const mostBlocks = 100
const mostUnits = 16_384

/** Some blocks of a text. `start` and `end` are places in it; what follows begins at `end`. */
export interface Slice {
  readonly blocks: ReadonlyArray<Block>
  readonly start: number
  readonly end: number
}

/** Definitions of a text count in every block that names one. More than this is no list of links. */
const longestDefinitions = 8192

export const definitionsIn = (text: string): string => {
  const found = (text.match(definition) ?? []).join("\n")
  return found.length > longestDefinitions ? "" : found
}

export const splitBlocks = (text: string): ReadonlyArray<Block> => {
  const definitions = definitionsIn(text)
  const blocks: Array<Block> = []
  for (let at = 0; at < text.length;) {
    const slice = readSlice(text, at, definitions)
    blocks.push(...slice.blocks)
    at = slice.end
  }
  return blocks
}

/** The code block that is open where a text ends, begun in it or, as `within`, before it. */
export const openFence = (text: string, within?: Fence): Fence | undefined => {
  let last: Block | undefined
  for (let at = 0; at < text.length;) {
    const slice = readSlice(text, at, "", at === 0 ? within : undefined)
    last = slice.blocks.at(-1) ?? last
    at = slice.end
  }
  if (last === undefined) return within
  return last.type === "code" && last.open ? last.fence : undefined
}

/**
 * The blocks from `start` on, up to the bound of a slice. A block is never cut, a code block among them. `within`: the code block that
 * is open at `start`.
 */
export const readSlice = (text: string, start: number, definitions: string, within?: Fence): Slice => {
  const blocks: Array<Block> = []
  let pending: Array<string> = []
  let listed = false
  const flush = () => {
    const source = pending.join("\n").trimEnd()
    pending = []
    listed = false
    if (source.trim() === "") return
    blocks.push({
      type: "markdown",
      source: definitions !== "" && source.includes("[") ? `${source}\n\n${definitions}` : source
    })
  }
  /** Takes a code block whose code begins at `from`. Returns where it ends. */
  const takeCode = (from: number, fence: Fence, continues: boolean): number => {
    const end = closing(text, from, fence.marker)
    const code = text.slice(from, Math.max(from, end === undefined ? text.length : end.from - 1))
    blocks.push({ type: "code", fence, code, open: end === undefined, continues })
    return end === undefined ? text.length : end.next
  }
  let at = within === undefined ? start : takeCode(start, within, true)
  while (at < text.length) {
    const { line, next } = lineAt(text, at)
    const opening = fence.exec(line)
    const blankBefore = pending.length > 0 && pending.at(-1)?.trim() === ""
    // Inside a list or a quote a fence belongs to the item: the Markdown reader takes it.
    const isFence =
      opening !== null &&
      !(opening[1]?.startsWith("`") && opening[2]?.includes("`")) &&
      !(listed && line.startsWith(" "))
    const begins = isFence || (blankBefore && line.trim() !== "" && standsAlone(listed, line))
    if (begins) {
      flush()
      if (blocks.length >= mostBlocks || (blocks.length > 0 && at - start >= mostUnits))
        return { blocks, start, end: at }
    }
    if (!isFence) {
      pending.push(line)
      listed ||= listItem.test(line)
      at = next
      continue
    }
    const [language = ""] = (opening[2] ?? "").trim().split(/\s/)
    at = takeCode(next, { marker: opening[1] ?? "```", language }, false)
  }
  flush()
  return { blocks, start, end: text.length }
}

/** The line that begins at `at`, and where the next one does: behind the text where there is none. */
const lineAt = (text: string, at: number): { readonly line: string; readonly next: number } => {
  const end = text.indexOf("\n", at)
  return end === -1 ? { line: text.slice(at), next: text.length } : { line: text.slice(at, end), next: end + 1 }
}

const closing = (
  text: string,
  start: number,
  marker: string
): { readonly from: number; readonly next: number } | undefined => {
  const character = marker[0] ?? "`"
  for (let at = start; at < text.length;) {
    const { line, next } = lineAt(text, at)
    const match = fence.exec(line)
    if (match?.[1]?.startsWith(character) && match[1].length >= marker.length && match[2]?.trim() === "")
      return { from: at, next }
    at = next
  }
  return undefined
}

/** Whether a line after a blank one can't belong to what came before; `listed` says that a list was open there. */
const standsAlone = (listed: boolean, line: string): boolean => !/^[ \t]/.test(line) && !(listed && listItem.test(line))

/** A growing text up to its last whole character: half a surrogate pair and a dangling joiner wait for the rest. */
export const wholeCharacters = (text: string): string => text.replace(/(?:[\ud800-\udbff]|\u200d)$/, "")
