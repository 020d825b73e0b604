/** Holds findings of servers by file. Each report of a server about a file takes the place of the one before. */
import { isWithin } from "@signalbox/contracts/Paths"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Stream from "effect/Stream"
import type { Diagnostic } from "../features/Diagnostic.ts"
import * as ChangeFeed from "./ChangeFeed.ts"

/** The findings of one server about one file. */
export interface FileDiagnostics {
  readonly path: string
  readonly uri: string
  /** The id of the server's definition. */
  readonly server: string
  readonly root: string
  /** The version of the document that they are about. Undefined if the server has not got the file from us. */
  readonly version: number | undefined
  /** Whether they are about the text, and the project, as the server has them now. If not, their places may have moved. */
  readonly isCurrent: boolean
  readonly items: ReadonlyArray<Diagnostic>
  /** How many more the server has found than are kept. */
  readonly leftOut: number
}

/** The server in its root that found something. `channel` parts its publications from its answers. */
export interface Finder {
  readonly server: string
  readonly root: string
  readonly channel: "pushed" | "pulled"
}

export interface DiagnosticStore {
  /** Takes a report. One about a file outside of the folders is not kept. */
  readonly put: (finder: Finder, found: Omit<FileDiagnostics, "server" | "root">) => void
  /** What is known is about the text as it is now, whose version this is. Nothing more is expected. */
  readonly settled: (finder: Finder, path: string, version: number | undefined) => void
  /** The server has got another text of this file: what it found before may have moved. */
  readonly moved: (server: string, root: string, path: string) => void
  /** The server wants to be asked anew: what it found before may count no more. */
  readonly aged: (finder: Finder) => void
  /** The server's program has ended: what it has found is not known any more. */
  readonly forget: (server: string, root: string) => void
  /** The file is there no more. */
  readonly gone: (path: string) => void
  readonly of: (path: string) => ReadonlyArray<FileDiagnostics>
  readonly all: () => ReadonlyArray<FileDiagnostics>
  /** Paths whose diagnostics change from now on. */
  readonly changes: Stream.Stream<string>
  /** Completes at the next change. */
  readonly changed: Effect.Effect<void>
}

/** Most files with findings of one server. Those that were reported longest ago are forgotten first. */
const mostFiles = 5000

const keyOf = ({ channel, root, server }: Finder): string => JSON.stringify([server, root, channel])

export const make = (folders: () => ReadonlyArray<string>): DiagnosticStore => {
  /** The sets of each finder, by path. */
  const sets = new Map<string, Map<string, FileDiagnostics>>()
  const feed = ChangeFeed.make<string, string>()
  let latch = Latch.makeUnsafe(false)

  const show = (path: string) => {
    feed.offer(path, path)
    const before = latch
    latch = Latch.makeUnsafe(false)
    before.openUnsafe()
  }

  const setsOf = (server: string, root: string): ReadonlyArray<Map<string, FileDiagnostics>> =>
    (["pushed", "pulled"] as const).flatMap((channel) => sets.get(keyOf({ server, root, channel })) ?? [])

  const age = (files: Map<string, FileDiagnostics>, path: string) => {
    const found = files.get(path)
    if (found === undefined || !found.isCurrent) return
    files.set(path, { ...found, isCurrent: false })
    show(path)
  }

  return {
    put: (finder, found) => {
      if (!folders().some((folder) => isWithin(folder, found.path))) return
      const key = keyOf(finder)
      const files = sets.get(key) ?? new Map<string, FileDiagnostics>()
      sets.set(key, files)
      const { path } = found
      files.delete(path)
      files.set(path, { ...found, server: finder.server, root: finder.root })
      for (const [oldest] of files) {
        if (files.size <= mostFiles) break
        files.delete(oldest)
        show(oldest)
      }
      show(path)
    },
    settled: (finder, path, version) => {
      const files = sets.get(keyOf(finder))
      const found = files?.get(path)
      if (files === undefined || found === undefined) return
      files.set(path, { ...found, version, isCurrent: true })
      show(path)
    },
    moved: (server, root, path) => {
      for (const files of setsOf(server, root)) age(files, path)
    },
    aged: (finder) => {
      const files = sets.get(keyOf(finder)) ?? new Map<string, FileDiagnostics>()
      for (const path of files.keys()) age(files, path)
    },
    forget: (server, root) => {
      for (const files of setsOf(server, root)) {
        const paths = [...files.keys()]
        files.clear()
        paths.forEach(show)
      }
    },
    gone: (path) => {
      let wasThere = false
      for (const files of sets.values()) wasThere = files.delete(path) || wasThere
      if (wasThere) show(path)
    },
    of: (path) => [...sets.values()].flatMap((files) => files.get(path) ?? []),
    all: () => [...sets.values()].flatMap((files) => [...files.values()]),
    changes: feed.changes,
    changed: Effect.suspend(() => latch.await)
  }
}
