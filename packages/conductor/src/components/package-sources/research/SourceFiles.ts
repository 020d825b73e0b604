/** Reads and searches files in the folders of a researcher. Each answer is bounded, and so is the work for it. */
import { reasonOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { type Checkouts, ReadRefused } from "./Checkouts.ts"

export interface Output {
  readonly text: string
  /** Whether there is more than `text` holds. */
  readonly isCut: boolean
}

const mostText = 64 * 1024
const mostFiles = 20_000
const mostSearched = 1024 * 1024
const mostLine = 400

/** Folders that hold no source. */
const skipped: ReadonlySet<string> = new Set([".git", "node_modules"])
/** Cargo and other tools mark folders with this file that hold only what they have made. */
const cacheTag = "CACHEDIR.TAG"

/** The first lines that fit. */
const joined = (lines: ReadonlyArray<string>, none: string): Output => {
  if (lines.length === 0) return { text: none, isCut: false }
  let size = 0
  const fitting = lines.findIndex((line) => (size += line.length + 1) > mostText)
  return { text: lines.slice(0, fitting === -1 ? undefined : fitting).join("\n"), isCut: fitting !== -1 }
}

/** The files below a folder, or the file itself. Links are not followed, so all is inside. */
const filesBelow = async (
  root: string
): Promise<{ readonly files: ReadonlyArray<string>; readonly isCut: boolean }> => {
  if ((await stat(root)).isFile()) return { files: [root], isCut: false }
  const files: Array<string> = []
  const folders = [root]
  // Folders are added meanwhile.
  for (const folder of folders) {
    const entries = await readdir(folder, { withFileTypes: true })
    if (folder !== root && entries.some(({ name }) => name === cacheTag)) continue
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      if (files.length === mostFiles || folders.length === mostFiles) return { files, isCut: true }
      if (entry.isFile()) files.push(join(folder, entry.name))
      else if (entry.isDirectory() && !skipped.has(entry.name)) folders.push(join(folder, entry.name))
    }
  }
  return { files, isCut: false }
}

const attempt = <A>(path: string, what: () => Promise<A>): Effect.Effect<A, ReadRefused> =>
  Effect.tryPromise({
    try: what,
    catch: (error) => new ReadRefused({ message: `${path} can't be read: ${reasonOf(error)}.` })
  })

export const list = Effect.fnUntraced(function* (checkouts: Checkouts, path: string) {
  const root = yield* checkouts.follow(path)
  const { files, isCut } = yield* attempt(path, () => filesBelow(root))
  const output = joined(files, "There are no files.")
  return { ...output, isCut: output.isCut || isCut }
})

export const read = Effect.fnUntraced(function* (checkouts: Checkouts, path: string, first = 1, last?: number) {
  const lines = (yield* checkouts.read(path)).split("\n")
  const from = Math.max(1, Math.trunc(first) || 1)
  const numbered = lines.slice(from - 1, last).map((line, index) => `${from + index}\t${line}`)
  return joined(numbered, `The file has ${lines.length} lines.`)
})

const isBinary = (text: string): boolean => text.slice(0, 8000).includes("\0")

/** Undefined if the file is too long to be searched. */
const matchesIn = async (file: string, wanted: string): Promise<ReadonlyArray<string> | undefined> => {
  if ((await stat(file)).size > mostSearched) return undefined
  const text = await readFile(file, "utf8")
  if (isBinary(text) || !text.toLowerCase().includes(wanted)) return []
  return text
    .split("\n")
    .flatMap((line, index) =>
      line.toLowerCase().includes(wanted) ? [`${file}:${index + 1}: ${line.slice(0, mostLine)}`] : []
    )
}

/** Most files that are named. */
const mostNamed = 20

const notSearched = (files: ReadonlyArray<string>): string => {
  if (files.length === 0) return ""
  const more = files.length > mostNamed ? `, and ${files.length - mostNamed} more` : ""
  return `\nNot searched, since they are longer than 1 MiB: ${files.slice(0, mostNamed).join(", ")}${more}`
}

export const search = Effect.fnUntraced(function* (checkouts: Checkouts, path: string, text: string) {
  if (text.trim() === "" || text.includes("\n") || text.length > 1000)
    return yield* new ReadRefused({ message: "The text is one line, with 1 to 1,000 characters." })
  const root = yield* checkouts.follow(path)
  return yield* attempt(path, async () => {
    const { files, isCut } = await filesBelow(root)
    const found: Array<string> = []
    const tooLong: Array<string> = []
    let size = 0
    for (const file of files) {
      const lines = await matchesIn(file, text.toLowerCase())
      if (lines === undefined) tooLong.push(file)
      for (const line of lines ?? []) {
        found.push(line)
        size += line.length + 1
      }
      if (size > mostText) break
    }
    const output = joined(found, "Nothing was found.")
    return { text: output.text + notSearched(tooLong), isCut: output.isCut || isCut }
  })
})
