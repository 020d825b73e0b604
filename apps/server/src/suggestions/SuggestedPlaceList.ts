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
import * as ProjectFiles from "../workspace/ProjectFiles.ts"
import type { PagePaths } from "./PagePaths.ts"

type File = SuggestedPlaces["files"][number]

/** Most files of a folder that are searched, most of them with places, and most places altogether. */
const mostSearched = 2000
const mostFiles = 200
const mostPlaces = 2000
/** Milliseconds that a search of a folder may take. */
const patience = 4000
/** Lines before and behind a place, and most characters of one. */
const around = 2
const longestLine = 400

export const of = Effect.fn("SuggestedPlaceList.of")(function* (
  suggestion: OfferedSuggestion,
  desk: SuggestionDesk,
  paths: PagePaths
): Effect.fn.Return<SuggestedPlaces> {
  const isFolder = suggestion.kind === "searchAndReplace" && desk.get(suggestion.uri) === undefined
  if (isFolder) return yield* inFolder(suggestion, desk, paths)
  const { file, why } = yield* inFile(suggestion, suggestion.uri, desk, paths)
  return {
    files: file === undefined || file.places.length === 0 ? [] : [file],
    basis: basisOf(suggestion),
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
  const open = desk.get(uri)
  const verdict = yield* desk.sendable.of(uri)
  if (verdict.type === "withheld") return { why: `${path} is left alone. ${verdict.why}` }
  const lines = open?.lines ?? (yield* onDisk(verdict.path, desk))
  if (lines === undefined) return { why: `${path} can’t be read, or is longer than 2 MiB.` }
  const edits = yield* Effect.result(editsOf(suggestion, lines))
  if (edits._tag === "Failure") return { why: `${path} was not searched. ${edits.failure.message}.` }
  if (edits.success === undefined) return { why: `${path} has more places than can be changed at once.` }
  const places = edits.success.slice(0, mostPlaces).map((edit) => placeOf(edit, lines))
  return {
    file: { path, isOpen: open !== undefined, ...(open && { version: open.version }), places },
    ...(edits.success.length > mostPlaces && { why: `Only the first ${mostPlaces} places are listed.` })
  }
})

const onDisk = (path: string, { sendable }: SuggestionDesk): Effect.Effect<Lines | undefined> =>
  Effect.map(sendable.read(path, longestText), (text) => (text === undefined ? undefined : Positions.of(text)))

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
  const basis = basisOf(suggestion)
  const folder = Sendable.pathOf(suggestion.uri)
  if (folder === undefined) return { files: [], basis, cut: "It is about no folder of this machine." }
  const until = (yield* Clock.currentTimeMillis) + patience
  const listed = yield* ProjectFiles.list(folder, mostSearched)
  const opened = desk.all().flatMap(({ uri }) => {
    const path = Sendable.pathOf(uri)
    return path !== undefined && isWithin(folder, path) ? [uri] : []
  })
  // What is open comes first: its text counts, also if it is not on the disk yet.
  const uris = [...new Set([...opened, ...listed.paths.map((path) => Sendable.uriOf(join(folder, path)))])]
  // Git is asked once for all of them.
  const verdicts = yield* desk.sendable.ofAll(uris)
  const files: Array<File> = []
  const cut = new Set<string>(listed.truncated ? [`Only ${mostSearched} files were searched.`] : [])
  let places = 0
  for (const uri of uris.filter((uri) => verdicts.get(uri)?.type === "may")) {
    const isOver = files.length >= mostFiles || places >= mostPlaces
    if (isOver) cut.add(`Only the first ${mostFiles} files and ${mostPlaces} places are listed.`)
    else if ((yield* Clock.currentTimeMillis) > until) cut.add(`The search was ended after ${patience / 1000} seconds.`)
    if (cut.size > (listed.truncated ? 1 : 0)) break
    const { file } = yield* inFile(suggestion, uri, desk, paths)
    if (file === undefined || file.places.length === 0) continue
    files.push({ ...file, places: file.places.slice(0, mostPlaces - places) })
    places += file.places.length
  }
  return { files, basis, ...(cut.size > 0 && { cut: [...cut].join(" ") }) }
})

const basisOf = ({ kind }: OfferedSuggestion): string => {
  switch (kind) {
    case "rename":
      return "These are all places of the same word in this file. No language server is asked."
    case "searchAndReplace":
      return "These are all places with the searched text."
    case "edit":
    case "jump":
      return "These are the places that the agent named."
  }
}
