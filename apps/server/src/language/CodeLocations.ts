/** Places that language servers answer with, as a page lists them: each once, in order, with the text of its line. */
import { type CodeLocation, mostLocations } from "@signalbox/contracts/LanguageFeatures"
import { isWithin } from "@signalbox/contracts/Paths"
import type { Location } from "@signalbox/lsp/features/Place"
import * as Effect from "effect/Effect"
import type * as PagePaths from "../documents/PagePaths.ts"
import type { Grant } from "../workspace/ProtectedPaths.ts"
import * as TextFiles from "../workspace/TextFiles.ts"

/** Most characters of a line. */
const longestLine = 400
/** Most files whose lines are read. Places in other files have none. */
const mostFilesRead = 100

export interface Around {
  readonly paths: PagePaths.PagePaths
  readonly folder: string
  readonly grant: Grant
  /** The text of a document that an editor has open. */
  readonly openText: (path: string) => string | undefined
}

/** Answers the places that a page gets, and how many there are. */
export const of = Effect.fnUntraced(function* (found: ReadonlyArray<Location>, around: Around) {
  const { folder, paths } = around
  const unique = [...new Map(found.map((one) => [keyOf(one), one])).values()]
  const listed = unique.slice(0, mostLocations)
  const lines = yield* linesOf(listed, around)
  const locations = listed.map((location): CodeLocation => {
    const { path, range, uri } = location
    if (path === undefined) return { path: uri, range, mayOpen: false }
    const line = lines.get(location)
    return { path: paths.named(path), range, mayOpen: isWithin(folder, path), ...(line !== undefined && { line }) }
  })
  return { locations, total: unique.length }
})

const keyOf = ({ range, uri }: Location): string => JSON.stringify([uri, range])

/** The lines of places in files that the page may read. A place in a file that can't be read has none. */
const linesOf = Effect.fnUntraced(function* (listed: ReadonlyArray<Location>, { folder, grant, openText }: Around) {
  const lines = new Map<Location, string>()
  const byPath = Map.groupBy(listed, ({ path = "" }) => path)
  const files = [...byPath].filter(([path]) => isWithin(folder, path)).slice(0, mostFilesRead)
  // One file after the other: of each only these lines are kept.
  for (const [path, locations] of files) {
    const text = openText(path) ?? (yield* Effect.orElseSucceed(TextFiles.read(grant, path), () => undefined))
    const all = text?.split(/\r\n|\n|\r/) ?? []
    for (const location of locations) {
      const line = all[location.range.start.line]
      if (line !== undefined) lines.set(location, line.slice(0, longestLine))
    }
  }
  return lines
})
