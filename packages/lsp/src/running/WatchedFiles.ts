/** What a server wants to hear of the disk (`workspace/didChangeWatchedFiles`), and the messages that report it. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Sliced from "../features/Sliced.ts"
import * as FileUri from "../FileUri.ts"
import type { FileEvent } from "../watching/FileEvent.ts"
import type { Base } from "../watching/FolderWatch.ts"
import * as Glob from "./Glob.ts"
import type { Registrations } from "./Registrations.ts"
import type { Message } from "./SentDocuments.ts"

const method = "workspace/didChangeWatchedFiles"

/** One watcher that a server has registered, read once. */
interface Watcher extends Base {
  readonly wants: (event: FileEvent) => boolean
}

export type Watchers = ReadonlyArray<Watcher>

const types = { created: 1, changed: 2, deleted: 3 } as const
/** The bit of each kind in `WatchKind`. */
const bits = { created: 1, changed: 2, deleted: 4 } as const

/** The folder that an absolute glob begins with, and the rest. */
const splitAbsolute = (pattern: string): Glob.Relative => {
  const parts = pattern.split("/")
  const special = parts.findIndex((part) => /[*?{[]/.test(part))
  const count = special < 0 ? parts.length - 1 : special
  return { base: parts.slice(0, count).join("/") || "/", pattern: parts.slice(count).join("/") }
}

/** The base of a glob. One that is a text is about the server's root, unless it is absolute. */
const relativeOf = (glob: unknown, root: string): Glob.Relative | undefined => {
  if (typeof glob !== "string") return Glob.relativeOf(glob)
  return glob.startsWith("/") ? splitAbsolute(glob) : { base: root, pattern: glob }
}

const watcherOf = (watcher: unknown, root: string): Watchers => {
  if (!Predicate.isObject(watcher)) return []
  const relative = relativeOf(watcher["globPattern"], root)
  if (relative === undefined) return []
  const { base, pattern } = relative
  const kinds = typeof watcher["kind"] === "number" ? watcher["kind"] : 7
  const matches = Glob.matcher(pattern)
  return [
    {
      folder: base.length > 1 && base.endsWith("/") ? base.slice(0, -1) : base,
      isDeep: pattern.includes("/") || pattern.includes("**"),
      wants: ({ kind, path }) => {
        if (Math.floor(kinds / bits[kind]) % 2 !== 1) return false
        const inside = Glob.within(base, path)
        return inside !== undefined && matches(inside)
      }
    }
  ]
}

/** Most watchers of a server that are kept. */
const mostWatchers = 2000

/** Reads what a server with this root has registered. */
export const of = (registrations: Registrations, root: string): Watchers =>
  registrations
    .of(method)
    .flatMap(({ options }) => {
      const list: unknown = options["watchers"]
      return Array.isArray(list) ? list : []
    })
    .slice(0, mostWatchers)
    .flatMap((watcher) => watcherOf(watcher, root))

/** The notification about those changes that one of the watchers wants. */
export const messages = (watchers: Watchers, events: ReadonlyArray<FileEvent>): Effect.Effect<ReadonlyArray<Message>> =>
  Effect.map(
    Sliced.flatMap(events, (event) =>
      watchers.some(({ wants }) => wants(event)) ? [{ uri: FileUri.of(event.path), type: types[event.kind] }] : []
    ),
    (changes) => (changes.length === 0 ? [] : [{ method, params: { changes } }])
  )
