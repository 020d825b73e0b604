/** Finds files of a folder by parts of their names. The best match comes first. */
import type { FileSearchQuery, FoundFile, FoundFiles } from "@signalbox/contracts/FileSearch"
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as fuzzysort from "fuzzysort"
import { lstat, realpath } from "node:fs/promises"
import { isAbsolute, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import * as ProjectFiles from "@signalbox/ide/files/ProjectFiles"

export interface FileSearch {
  /** Finds nothing in a path that is no folder or can't be read. */
  readonly search: (query: FileSearchQuery) => Effect.Effect<FoundFiles>
}

interface Index {
  readonly targets: fuzzysort.SnapshotKeys<Named>
  /** The suggestions for an empty query: the files that are least deep. */
  readonly nearest: ReadonlyArray<string>
  readonly truncated: boolean
}

interface Named {
  readonly path: string
  readonly name: string
}

/** The most folders with a kept index. */
const folders = 8

/** How long an index is kept, so that one search uses the same files while a person types. */
const freshFor = "5 seconds"

export const make: Effect.Effect<FileSearch> = Effect.gen(function* () {
  const indexes = yield* Cache.make({
    capacity: folders,
    timeToLive: freshFor,
    lookup: (folder: string) => Effect.map(ProjectFiles.list(folder), indexOf)
  })
  return {
    search: Effect.fn("FileSearch.search")(function* ({ cwd, limit, query }) {
      if (!isAbsolute(cwd)) return { files: [], truncated: false }
      const folder = resolve(cwd)
      const index = yield* Cache.get(indexes, folder)
      const candidates = matches(index, query.trim(), limit)
      const there = yield* Effect.promise(async () => {
        const root = await realpath(folder).catch(() => folder)
        return Promise.all(candidates.map(({ path }) => isFile(root, path)))
      })
      return {
        files: candidates.flatMap(({ matched, path }, at): ReadonlyArray<FoundFile> =>
          there[at] === true ? [{ path, uri: pathToFileURL(join(folder, path)).href, matched }] : []
        ),
        truncated: index.truncated
      }
    })
  }
})

const indexOf = ({ paths, truncated }: ProjectFiles.ProjectFiles): Index => ({
  targets: fuzzysort.snapshot(
    paths.map((path) => ({ path, name: nameOf(path) })),
    { keys: ["name", "path"] }
  ),
  nearest: nearestOf(paths),
  truncated
})

const maxNearest = 200

/** The first paths by depth, then by name. It never sorts all paths, since that would be slow in a large project. */
const nearestOf = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const levels = Map.groupBy(paths, depthOf)
  const nearest: Array<string> = []
  for (const depth of [...levels.keys()].sort((a, b) => a - b)) {
    if (nearest.length >= maxNearest) break
    nearest.push(...(levels.get(depth) ?? []).toSorted().slice(0, maxNearest - nearest.length))
  }
  return nearest
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

const depthOf = (path: string): number => {
  let depth = 0
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) depth += 1
  return depth
}

/** Matches files by their whole paths and, in addition, by their names alone. */
const matches = (
  { nearest, targets }: Index,
  query: string,
  limit: number
): ReadonlyArray<{ readonly path: string; readonly matched: ReadonlyArray<number> }> => {
  if (query === "") return nearest.slice(0, limit).map((path) => ({ path, matched: [] }))
  return fuzzysort.go(query, targets, { limit, threshold: 0.2 }).map(({ 0: inName, 1: inPath, obj: { path } }) => {
    const start = path.length - nameOf(path).length
    const named = (inName?.score ?? 0) >= (inPath?.score ?? 0)
    return { path, matched: named ? (inName?.indexes ?? []).map((at) => start + at) : (inPath?.indexes ?? []) }
  })
}

/** Whether a file that git lists still exists. A former folder may be a link now. `root` has no link in it. */
const isFile = async (root: string, path: string): Promise<boolean> => {
  const place = join(root, path)
  const found = await Promise.all([realpath(place), lstat(place)]).catch(() => undefined)
  return found !== undefined && found[0] === place && found[1].isFile()
}
