/**
 * Finds the lines of files that a regular expression matches. A thread of its own reads and matches, and is ended at a deadline: a pattern
 * of an agent may take forever, and thousands of files take their time.
 */
import * as PathPattern from "@signalbox/permission/rules/PathPattern"
import { FileRange } from "@signalbox/contracts/IdeOperation"
import * as StoppableThread from "@signalbox/system/StoppableThread"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import * as ProjectFiles from "./ProjectFiles.ts"
import { FolderRefused, type SessionFolder } from "./SessionFolder.ts"

export interface Found {
  /** One for each line, with the text of the line. */
  readonly matches: ReadonlyArray<FileRange>
  readonly searchedFiles: number
  /** Whether there may be more. */
  readonly isCut: boolean
  /** Files that were too long. */
  readonly notSearched?: ReadonlyArray<string>
}

/** Most matches of one search. */
export const mostMatches = 500
const mostPattern = 1000
const mostFileBytes = 2 * 1024 * 1024
const mostNamed = 20
/** Most characters of a line that are shown. */
const mostLine = 400

const deadlineMs = 5000

/** Runs in the thread. A file is opened without waiting, and searched only if it is regular and in one of the roots. */
const program = `
const fs = require("node:fs")
const { constants } = fs
const answer = ({ files, mostFileBytes, mostLine, mostMatches, mostNamed, pattern, roots }) => {
  let regex
  try { regex = new RegExp(pattern, "gmu") } catch {
    try { regex = new RegExp(pattern, "gm") } catch (error) { return { invalid: String(error.message) } }
  }
  const isInside = (place) => roots.some((root) => place === root || place.startsWith(root.endsWith("/") ? root : root + "/"))
  const placeOf = (fd, path) => {
    try { return fs.readlinkSync("/proc/self/fd/" + fd) } catch { return fs.realpathSync(path) }
  }
  const tooLong = []
  const textOf = ({ name, path }) => {
    let fd
    try { fd = fs.openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK) } catch { return undefined }
    try {
      const stats = fs.fstatSync(fd)
      if (!stats.isFile() || !isInside(placeOf(fd, path))) return undefined
      if (stats.size > mostFileBytes) {
        if (tooLong.length < mostNamed) tooLong.push(name)
        return undefined
      }
      const bytes = fs.readFileSync(fd)
      return bytes.subarray(0, 8000).includes(0) ? undefined : bytes.toString("utf8")
    } catch { return undefined } finally { fs.closeSync(fd) }
  }
  const matches = []
  let searchedFiles = 0
  const look = (name, text) => {
    let line = 1
    let counted = 0
    const lineOf = (at) => {
      for (let next = text.indexOf("\\n", counted); next !== -1 && next < at; next = text.indexOf("\\n", counted)) {
        line += 1
        counted = next + 1
      }
      return line
    }
    regex.lastIndex = 0
    for (let match = regex.exec(text); match !== null; match = regex.exec(text)) {
      if (matches.length === mostMatches) return true
      const at = match.index
      const behind = at + match[0].length
      const begin = at === 0 ? 0 : text.lastIndexOf("\\n", at - 1) + 1
      const found = text.indexOf("\\n", at)
      const end = found === -1 ? text.length : found
      const start = { line: lineOf(at), column: at - begin + 1 }
      const from = end - begin > mostLine ? Math.max(begin, at - 100) : begin
      const content = text.slice(from, Math.min(end, from + mostLine)).replace(/\\r$/, "")
      const last = behind <= end ? start.line : lineOf(behind)
      const lastBegin = behind <= end ? begin : text.lastIndexOf("\\n", behind - 1) + 1
      matches.push({ path: name, start, end: { line: last, column: behind - lastBegin + 1 }, content })
      if (Math.max(end, behind) >= text.length) return false
      regex.lastIndex = Math.max(end + 1, behind)
    }
    return false
  }
  for (const file of files) {
    const text = textOf(file)
    if (text === undefined) continue
    searchedFiles += 1
    if (look(file.name, text)) return { matches, searchedFiles, tooLong, isCut: true }
  }
  return { matches, searchedFiles, tooLong, isCut: false }
}
`

const readAnswer = Schema.decodeUnknownEffect(
  Schema.Union([
    Schema.Struct({
      matches: Schema.Array(FileRange),
      searchedFiles: Schema.Int,
      tooLong: Schema.Array(Schema.String),
      isCut: Schema.Boolean
    }),
    Schema.Struct({ invalid: Schema.String })
  ])
)

const fail = (message: string) => Effect.fail(new FolderRefused({ message }))

/** What a search looks at: all files below `path`, or `path` itself if it is a file. */
export interface Where {
  readonly path?: string | undefined
  /** The end of the names of files below a folder, with or without the dot. Others are left out. */
  readonly extension?: string | undefined
}

/** What is at a place. A pipe or a device is neither. */
const kindOf = (place: string): Effect.Effect<"file" | "folder" | "other"> =>
  Effect.promise(() =>
    stat(place).then(
      (found) => (found.isFile() ? "file" : found.isDirectory() ? "folder" : "other"),
      () => "other"
    )
  )

/** The files below a folder of the session, by .gitignore; or the file itself. */
const filesAt = Effect.fnUntraced(function* (folder: SessionFolder, path: string) {
  const place = yield* folder.follow(path)
  const kind = yield* kindOf(place)
  if (kind === "other") return yield* fail(`${path} is no folder and no regular file.`)
  if (kind === "file") return { files: [{ name: folder.nameOf(place), path: place }], truncated: false }
  const { paths, truncated } = yield* ProjectFiles.list(place)
  const files = paths.flatMap((below) => {
    const whole = join(place, below)
    return folder.isProtected(whole) ? [] : [{ name: folder.nameOf(whole), path: whole }]
  })
  return { files, truncated }
})

/** Finds the lines. `deadline` counts from when the thread runs. */
export const search = Effect.fn("TextSearch.search")(function* (
  folder: SessionFolder,
  pattern: string,
  { extension, path = "." }: Where,
  deadline: Duration.Input = deadlineMs
): Effect.fn.Return<Found, FolderRefused> {
  if (pattern === "" || pattern.length > mostPattern)
    return yield* fail(`A regular expression has 1 to ${mostPattern} characters.`)
  const { files, truncated } = yield* filesAt(folder, path)
  const suffix = extension === undefined ? "" : `.${extension.replace(/^\./, "")}`
  const wanted = files.filter(({ name }) => name.endsWith(suffix))
  const data = { files: wanted, roots: folder.roots, pattern, mostFileBytes, mostLine, mostMatches, mostNamed }
  const answer = yield* StoppableThread.run({ program, data, deadline }).pipe(
    Effect.catch(({ message, reason }) =>
      fail(
        reason === "tooSlow"
          ? `The search of ${wanted.length === 1 ? "one file" : `${wanted.length} files`} was stopped, since it ran too long. Name a folder within, or make the expression simpler.`
          : `The search failed: ${message}.`
      )
    )
  )
  const read = yield* readAnswer(answer).pipe(Effect.catch(() => fail("The search failed: its answer can't be read.")))
  if ("invalid" in read) return yield* fail(`${pattern.slice(0, 200)} is no regular expression: ${read.invalid}.`)
  const { isCut, matches, searchedFiles, tooLong } = read
  return {
    matches,
    searchedFiles,
    isCut: isCut || truncated,
    ...(tooLong.length > 0 && { notSearched: tooLong })
  }
})

/** Most files that are named. */
const mostFiles = 2000

/**
 * The files below a folder whose names are as a pattern says: `*` and `?` within a name, `**` for any folders. A pattern without a slash
 * means the last name.
 */
export const findFiles = Effect.fn("TextSearch.findFiles")(function* (
  folder: SessionFolder,
  pattern: string,
  path = "."
): Effect.fn.Return<{ readonly files: ReadonlyArray<string>; readonly isCut: boolean }, FolderRefused> {
  if (pattern === "" || pattern.length > mostPattern)
    return yield* fail(`A pattern of names has 1 to ${mostPattern} characters.`)
  const place = yield* folder.follow(path)
  if ((yield* kindOf(place)) !== "folder") return yield* fail(`${path} is no folder. Name one to find files in it.`)
  const { paths, truncated } = yield* ProjectFiles.list(place)
  const names = pattern.split("/").filter((name) => name !== "" && name !== ".")
  const wanted: PathPattern.PathPattern = pattern.includes("/") ? names : ["**", ...names]
  const found = paths.filter((below) => PathPattern.matches(wanted, `/${below}`))
  return {
    files: found.slice(0, mostFiles).map((below) => folder.nameOf(join(place, below))),
    isCut: truncated || found.length > mostFiles
  }
})
