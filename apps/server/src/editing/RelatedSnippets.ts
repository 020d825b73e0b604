/** Finds places in other files that have the same symbols as the lines around the cursor. By words alone, and bounded. */
import type { Context } from "@signalbox/acp/NesSchema"

export type RelatedSnippet = NonNullable<Context["relatedSnippets"]>[number]

/** Lines before and behind the cursor whose symbols count, and lines around each place that is found. */
const around = 8
const margin = 3
const mostSymbols = 24
const shortestSymbol = 4
/** Most files, most places in one file, and most characters of a file that are searched. */
const mostFiles = 5
const mostPlaces = 4
const longestText = 256 * 1024
const longestLine = 1000

const word = /[\p{L}_$][\p{L}\p{N}_$]{0,99}/gu

const linesOf = (text: string): ReadonlyArray<string> => text.split(/\r\n|\r|\n/)

const symbolsIn = (line: string): ReadonlyArray<string> =>
  (line.slice(0, longestLine).match(word) ?? []).filter(({ length }) => length >= shortestSymbol)

/** The symbols around a line, the nearest first. */
const symbolsAround = (lines: ReadonlyArray<string>, line: number): ReadonlySet<string> => {
  const near = [...lines.keys()]
    .slice(Math.max(0, line - around), line + around + 1)
    .toSorted((one, other) => Math.abs(one - line) - Math.abs(other - line))
  return new Set(near.flatMap((index) => symbolsIn(lines[index] ?? "")).slice(0, mostSymbols))
}

export interface Searched {
  readonly uri: string
  readonly text: string
}

/** `files`: the other files, the most recent first. */
export const find = (text: string, line: number, files: ReadonlyArray<Searched>): ReadonlyArray<RelatedSnippet> => {
  const symbols = symbolsAround(linesOf(text.slice(0, longestText)), line)
  const found: Array<RelatedSnippet> = []
  for (const { text: other, uri } of files) {
    if (found.length >= mostFiles) break
    const excerpts = excerptsOf(linesOf(other.slice(0, longestText)), symbols)
    if (excerpts.length > 0) found.push({ uri, excerpts })
  }
  return found
}

/** The places with the most symbols, in the order of the file. */
const excerptsOf = (lines: ReadonlyArray<string>, symbols: ReadonlySet<string>): RelatedSnippet["excerpts"] => {
  const places = lines
    .map((text, line) => ({ line, count: new Set(symbolsIn(text).filter((symbol) => symbols.has(symbol))).size }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count || one.line - other.line)
    .slice(0, mostPlaces)
    .toSorted((one, other) => one.line - other.line)
  const excerpts: Array<{ startLine: number; endLine: number }> = []
  for (const { line } of places) {
    const startLine = Math.max(0, line - margin)
    const endLine = Math.min(lines.length - 1, line + margin)
    const before = excerpts.at(-1)
    if (before !== undefined && startLine <= before.endLine + 1) before.endLine = endLine
    else excerpts.push({ startLine, endLine })
  }
  return excerpts.map(({ endLine, startLine }) => ({
    startLine,
    endLine,
    text: lines
      .slice(startLine, endLine + 1)
      .map((one) => one.slice(0, longestLine))
      .join("\n")
  }))
}
