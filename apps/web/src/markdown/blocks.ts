/**
 * Cuts Markdown into top-level blocks that can be read one by one, so that of a growing text only the last block is read again.
 * A cut is made only where CommonMark can't join what stands on its two sides.
 */

export type Block =
  | { readonly type: "markdown"; readonly source: string }
  /** `open`: its closing fence has not arrived. It is a code block from its first line. */
  | { readonly type: "code"; readonly language: string; readonly code: string; readonly open: boolean }

const fence = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/
const definition = /^ {0,3}\[(?!\^)[^\]\n]+\]:\s*\S+.*$/gm

export const splitBlocks = (text: string): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  const definitions = (text.match(definition) ?? []).join("\n")
  let pending: Array<string> = []
  const flush = () => {
    const source = pending.join("\n").trimEnd()
    pending = []
    if (source.trim() === "") return
    blocks.push({
      type: "markdown",
      source: definitions !== "" && source.includes("[") ? `${source}\n\n${definitions}` : source
    })
  }
  const lines = text.split("\n")
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ""
    const opening = fence.exec(line)
    // Inside a list or a quote a fence belongs to the item: the Markdown reader takes it.
    if (opening && !(opening[1]?.startsWith("`") && opening[2]?.includes("`")) && !inContainer(pending, line)) {
      flush()
      const marker = opening[1] ?? "```"
      const end = closing(lines, index + 1, marker)
      blocks.push({
        type: "code",
        language: (opening[2] ?? "").trim().split(/\s/)[0] ?? "",
        code: lines.slice(index + 1, end ?? lines.length).join("\n"),
        open: end === undefined
      })
      index = end ?? lines.length
      continue
    }
    if (pending.length > 0 && pending.at(-1)?.trim() === "" && line.trim() !== "" && standsAlone(pending, line)) flush()
    pending.push(line)
  }
  flush()
  return blocks
}

const closing = (lines: ReadonlyArray<string>, from: number, marker: string): number | undefined => {
  const character = marker[0] ?? "`"
  for (let index = from; index < lines.length; index++) {
    const match = fence.exec(lines[index] ?? "")
    if (match?.[1]?.startsWith(character) && match[1].length >= marker.length && match[2]?.trim() === "") return index
  }
  return undefined
}

/** Whether a list is open in `pending` and an indented fence may belong to it. A fence at the margin ends any list. */
const inContainer = (pending: ReadonlyArray<string>, line: string): boolean =>
  line.startsWith(" ") && pending.some((before) => listItem.test(before))

/** Whether a line after a blank one can't belong to what came before. */
const standsAlone = (pending: ReadonlyArray<string>, line: string): boolean => {
  if (/^[ \t]/.test(line)) return false
  return !(listItem.test(line) && pending.some((before) => listItem.test(before)))
}

/** A growing text up to its last whole character: half a surrogate pair and a dangling joiner wait for the rest. */
export const wholeCharacters = (text: string): string => text.replace(/(?:[\ud800-\udbff]|\u200d)$/, "")
