/** The places that a suggestion is about, for people to look at before they accept it. Bounded, and nothing is changed. */
import type { Edit, Lines } from "@signalbox/acp/Positions"
import * as Positions from "@signalbox/acp/Positions"
import type { SearchRefused } from "@signalbox/acp/SearchAndReplace"
import { isWithin } from "@signalbox/contracts/Paths"
import type { SuggestedPlace, SuggestedPlaces } from "@signalbox/contracts/Suggestions"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { longestText } from "../editing/Documents.ts"
import type { OfferedSuggestion } from "../editing/OpenSuggestions.ts"
import * as Sendable from "../editing/Sendable.ts"
import * as SuggestedText from "../editing/SuggestedText.ts"
import type { SuggestionDesk } from "../editing/SuggestionDesk.ts"
import * as ProjectFiles from "@signalbox/ide/files/ProjectFiles"
import type { PagePaths } from "./PagePaths.ts"

type File = SuggestedPlaces["files"][number]

/** Most files of a folder that are searched, most of them with places, and most places altogether. */
const mostSearched = 2000
const mostFiles = 200
export const mostPlaces = 2000
/** Most files that were not searched and are named with their reason. */
const mostReasons = 3
/** Milliseconds that the files of a folder may be searched, once these are known. */
const patience = 4000
/** Lines before and behind a place, and most characters of one. */
const around = 2
const longestLine = 400

export const of = Effect.fn("SuggestedPlaceList.of")(function* (
  suggestion: OfferedSuggestion,
  desk: SuggestionDesk,
  paths: PagePaths,
  whyByWords = "No language server is asked."
): Effect.fn.Return<SuggestedPlaces> {
  const isFolder = suggestion.kind === "searchAndReplace" && desk.get(suggestion.uri) === undefined
  if (isFolder) return yield* inFolder(suggestion, desk, paths)
  const { file, why } = yield* inFile(suggestion, suggestion.uri, desk, paths)
  return {
    files: file === undefined || file.places.length === 0 ? [] : [file],
    basis: basisOf(suggestion, whyByWords),
    ...(why !== undefined && { cut: why })
  }
})

interface Found {
  readonly file?: File
  /** Why there is no file, or not all of it: a sentence. */
  readonly why?: string
}

const inFile = Effect.fnUntraced(function* (
  suggestion: OfferedSuggestion,
  uri: string,
  desk: SuggestionDesk,
  paths: PagePaths
): Effect.fn.Return<Found> {
  const path = paths.pathOf(uri)
  const text = yield* textOf(uri, desk, paths)
  if ("why" in text) return text
  const { lines } = text
  const edits = yield* Effect.result(editsOf(suggestion, lines))
  if (edits._tag === "Failure") return { why: `${path} was not searched. ${edits.failure.message}.` }
  if (edits.success === undefined) return { why: `${path} has more places than can be changed at once.` }
  return {
    file: fileOf(path, text, edits.success.slice(0, mostPlaces)),
    ...(edits.success.length > mostPlaces && { why: `Only the first ${mostPlaces} places are listed.` })
  }
})

/** A text whose places may be shown. `version`: that of the page, if it has the file open. */
interface ShownText {
  readonly lines: Lines
  readonly version: number | undefined
}

/** The text of a file as the page has it, else as the disk has it; or a sentence that says why it is left alone. */
export const textOf = Effect.fnUntraced(function* (
  uri: string,
  desk: SuggestionDesk,
  paths: PagePaths
): Effect.fn.Return<ShownText | { readonly why: string }> {
  const path = paths.pathOf(uri)
  const verdict = yield* desk.sendable.of(uri)
  if (verdict.type === "withheld") return { why: `${path} is left alone. ${verdict.why}` }
  const open = desk.get(uri)
  if (open !== undefined) return { lines: open.lines, version: open.version }
  const file = yield* desk.sendable.read(verdict.path, longestText)
  if (file === undefined) return { why: `${path} can’t be read, or is longer than 2 MiB.` }
  return { lines: Positions.of(file.text), version: undefined }
})

/** A file with the places of edits. */
export const fileOf = (path: string, { lines, version }: ShownText, edits: ReadonlyArray<Edit>): File => ({
  path,
  isOpen: version !== undefined,
  ...(version !== undefined && { version }),
  places: edits.map((edit) => placeOf(edit, lines))
})

/** Undefined if there are too many. */
const editsOf = (
  suggestion: OfferedSuggestion,
  lines: Lines
): Effect.Effect<ReadonlyArray<Edit> | undefined, SearchRefused> => {
  if (suggestion.kind === "searchAndReplace" && suggestion.isRegex === true)
    return SuggestedText.patternEdits(suggestion, lines)
  if (suggestion.kind === "jump") {
    const { position } = suggestion
    return Effect.succeed([{ range: { start: position, end: position }, newText: "" }])
  }
  return Effect.succeed(SuggestedText.editsIn(suggestion, lines))
}

const placeOf = ({ newText, range }: Edit, lines: Lines): SuggestedPlace => {
  const { line } = range.start
  const some = (from: number, to: number): ReadonlyArray<string> => {
    const found: Array<string> = []
    for (let at = Math.max(0, from); at < to; at++) {
      const text = lines.line(at)
      if (text !== undefined) found.push(text.slice(0, longestLine))
    }
    return found
  }
  return {
    range,
    newText,
    line: some(line, line + 1).at(0) ?? "",
    before: some(line - around, line),
    after: some(line + 1, line + 1 + around)
  }
}

const inFolder = Effect.fnUntraced(function* (
  suggestion: Extract<OfferedSuggestion, { readonly kind: "searchAndReplace" }>,
  desk: SuggestionDesk,
  paths: PagePaths
): Effect.fn.Return<SuggestedPlaces> {
  const basis = basisOf(suggestion, "")
  const folder = Sendable.pathOf(suggestion.uri)
  if (folder === undefined) return { files: [], basis, cut: "It is about no folder of this machine." }
  const listed = yield* ProjectFiles.list(folder, mostSearched)
  const opened = desk.all().flatMap(({ uri }) => {
    const path = Sendable.pathOf(uri)
    return path !== undefined && isWithin(folder, path) ? [uri] : []
  })
  // What is open comes first: its text counts, also if it is not on the disk yet.
  const uris = [...new Set([...opened, ...listed.paths.map((path) => Sendable.uriOf(join(folder, path)))])]
  // Git is asked once for all of them.
  const verdicts = yield* desk.sendable.ofAll(uris)
  // Git has a limit of its own: a slow one leaves the search its time.
  const until = (yield* Clock.currentTimeMillis) + patience
  const files: Array<File> = []
  const cut: Array<string> = listed.truncated ? [`Only ${mostSearched} files were searched.`] : []
  let places = 0
  const unsearched: Array<string> = []
  for (const uri of uris.filter((uri) => verdicts.get(uri)?.type === "may")) {
    const ended =
      files.length >= mostFiles || places >= mostPlaces
        ? `Only the first ${mostFiles} files and ${mostPlaces} places are listed.`
        : (yield* Clock.currentTimeMillis) > until
          ? `The search was ended after ${patience / 1000} seconds.`
          : undefined
    if (ended !== undefined) {
      cut.push(ended)
      break
    }
    const { file, why } = yield* inFile(suggestion, uri, desk, paths)
    if (file === undefined && why !== undefined) unsearched.push(why)
    if (file === undefined || file.places.length === 0) continue
    files.push({ ...file, places: file.places.slice(0, mostPlaces - places) })
    places += file.places.length
  }
  cut.push(...unsearched.slice(0, mostReasons))
  if (unsearched.length > mostReasons) cut.push(`${unsearched.length - mostReasons} more files were not searched.`)
  return { files, basis, ...(cut.length > 0 && { cut: cut.join(" ") }) }
})

/** `whyByWords`: why no language server has said it. */
const basisOf = ({ kind }: OfferedSuggestion, whyByWords: string): string => {
  switch (kind) {
    case "rename":
      return `These are all places of the same word in this file. ${whyByWords}`
    case "searchAndReplace":
      return "These are all places with the searched text."
    case "edit":
    case "jump":
      return "These are the places that the agent named."
  }
}
