/** Lines of files, as operations return them. */
import type { FileRange } from "@signalbox/contracts/IdeOperation"
import * as Effect from "effect/Effect"
import { FolderRefused, type SessionFolder } from "../files/SessionFolder.ts"

/** The offsets at which the lines of a text begin. A line ends with LF, CRLF or CR. */
const beginsOf = (text: string): ReadonlyArray<number> => {
  const begins = [0]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) begins.push(at + 1)
  }
  return begins
}

const withoutEnd = (line: string): string => line.replace(/\r?\n$|\r$/, "")

/** A part of a text that does not hold the whole text in memory. */
const copied = (part: string): string => Buffer.from(part, "utf16le").toString("utf16le")

const isLine = (number: number): boolean => Number.isSafeInteger(number) && number > 0

/** The lines of a file from `start` to `end`, both counted from 1 and both with it. The ends of lines stay as they are in the file. */
export const between = Effect.fnUntraced(function* (
  folder: SessionFolder,
  path: string,
  start: number,
  end: number
): Effect.fn.Return<FileRange, FolderRefused> {
  if (!isLine(start) || !isLine(end) || end < start)
    return yield* new FolderRefused({
      message: "Lines are counted from 1, and the last one is not before the first one."
    })
  const text = yield* folder.read(path)
  const begins = beginsOf(text)
  // What ends with a line break has no line behind it.
  const count = text.length > 0 && begins.at(-1) === text.length ? begins.length - 1 : begins.length
  const last = Math.min(end, count)
  const from = begins[start - 1]
  if (from === undefined || start > count)
    return yield* new FolderRefused({
      message: `${path} has ${count} line${count === 1 ? "" : "s"}, and no line ${start}.`
    })
  const content = text.slice(from, begins[last] ?? text.length)
  return {
    path: folder.nameOf(yield* folder.follow(path)),
    start: { line: start, column: 1 },
    end: { line: last, column: withoutEnd(text.slice(begins[last - 1] ?? 0, begins[last] ?? text.length)).length + 1 },
    content: copied(content)
  }
})

/** Most files that are read for the lines of places, and most names of them. */
const mostFiles = 100
const mostNames = 1000
/** Most characters of all these files. They are read one after the other. */
const mostText = 64 * 1024 * 1024
/** Most characters of a line. */
const mostLine = 300

const shortened = (line: string): string => (line.length > mostLine ? `${line.slice(0, mostLine)}…` : line)

/** These lines of a text, by their numbers. Lines that are not there are left out. */
const linesOf = (text: string, wanted: ReadonlySet<number>): ReadonlyMap<number, string> => {
  const begins = beginsOf(text)
  return new Map(
    [...wanted].flatMap((line) => {
      const from = begins[line - 1]
      return from === undefined
        ? []
        : [[line, copied(shortened(withoutEnd(text.slice(from, begins[line] ?? text.length))))] as const]
    })
  )
}

/** Adds its line to each place that has no content. A file that can't be read adds none. */
export const added = Effect.fnUntraced(function* (
  folder: SessionFolder,
  ranges: ReadonlyArray<FileRange>
): Effect.fn.Return<ReadonlyArray<FileRange>, FolderRefused> {
  const without = ranges.filter(({ content }) => content === undefined)
  const names = [...new Set(without.map(({ path }) => path))].slice(0, mostNames)
  // One file may have many names.
  const places = new Map<string, string>()
  for (const name of names) {
    const place = yield* Effect.orElseSucceed(folder.follow(name), () => undefined)
    if (place !== undefined) places.set(name, place)
  }
  const wanted = new Map<string, Set<number>>()
  for (const { path, start } of without) {
    const place = places.get(path)
    if (place === undefined) continue
    const lines = wanted.get(place)
    if (lines !== undefined) lines.add(start.line)
    else if (wanted.size < mostFiles) wanted.set(place, new Set([start.line]))
  }
  const found = new Map<string, ReadonlyMap<number, string>>()
  let read = 0
  for (const [place, lines] of wanted) {
    const text = yield* Effect.orElseSucceed(folder.readAt(place), () => "")
    read += text.length
    if (read > mostText)
      return yield* new FolderRefused({
        message: `The files of these places are too long together: ${mostText} characters may be read for their lines. Ask about fewer symbols at once.`
      })
    found.set(place, linesOf(text, lines))
  }
  return ranges.map((range) => {
    const content = found.get(places.get(range.path) ?? "")?.get(range.start.line) ?? ""
    return range.content !== undefined || content === "" ? range : { ...range, content }
  })
})
