/**
 * The folders of a session, and reading in them. What a path leads to behind all links has to be in one of them, and a regular file. It is
 * looked at again when it is open, since a name may lead elsewhere by then.
 */
import { isWithin } from "@signalbox/contracts/Paths"
import * as ProtectedNames from "@signalbox/permission/ProtectedNames"
import { codeOf, reasonOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { constants } from "node:fs"
import { type FileHandle, open as openFile, readlink, realpath } from "node:fs/promises"
import { relative, resolve, sep } from "node:path"

/** Why something of a folder is not read, as a sentence for a model. */
export class FolderRefused extends Schema.TaggedError<FolderRefused>()("FolderRefused", { message: Schema.String }) {}

export interface SessionFolder {
  /** The session's folder as its client has named it. Relative paths begin here. */
  readonly cwd: string
  /** The folders without links; the session's own first. */
  readonly roots: readonly [string, ...ReadonlyArray<string>]
  /** These folders with the absolute names that they were given. */
  readonly folders: ReadonlyArray<{ readonly name: string; readonly root: string }>
  /** The real path of something that is there. */
  readonly follow: (path: string) => Effect.Effect<string, FolderRefused>
  /** The text of a file. */
  readonly read: (path: string) => Effect.Effect<string, FolderRefused>
  /** The text of a file by the real path that `follow` has found. It is looked at again when it is open. */
  readonly readAt: (place: string) => Effect.Effect<string, FolderRefused>
  /** Whether a path is never read, since what has its name holds keys or decides what runs. */
  readonly isProtected: (place: string) => boolean
  /** A path as models get it: from the session's folder on if it is within, with `/`. */
  readonly nameOf: (path: string) => string
}

/** A longer file is refused: no source is so long. */
const mostBytes = 5 * 1024 * 1024

/** Looked at for a zero byte, as git does. */
const lookedBytes = 8000

const mostPath = 4096

const refused = (message: string) => new FolderRefused({ message })

/** The place of an open file. Systems without `/proc` follow its name once more. */
const placeOf = (file: FileHandle, path: string): Promise<string> =>
  readlink(`/proc/self/fd/${file.fd}`).catch(() => realpath(path))

/** @param additional further folders of the session */
export const open = Effect.fnUntraced(function* (
  cwd: string,
  additional: ReadonlyArray<string> = []
): Effect.fn.Return<SessionFolder> {
  const real = (folder: string) => Effect.promise(() => realpath(folder).catch(() => folder))
  const root = yield* real(cwd)
  const roots = [root, ...(yield* Effect.forEach(additional, real))] as const

  const attempt = <A>(path: string, what: () => Promise<A>): Effect.Effect<A, FolderRefused> =>
    Effect.tryPromise({
      try: what,
      catch: (error) =>
        error instanceof FolderRefused
          ? error
          : refused(
              codeOf(error) === "ENOENT" ? `${path} does not exist.` : `${path} can't be read: ${reasonOf(error)}.`
            )
    })

  const outside = (path: string) =>
    refused(`${path} is outside of the session's ${roots.length === 1 ? "folder" : "folders"} ${roots.join(", ")}.`)

  const inside = (path: string, place: string): string => {
    if (!roots.some((one) => isWithin(one, place))) throw outside(path)
    const found = protectedIn(place)
    if (found === undefined) return place
    throw refused(`${path} is not read here: ${found.name} ${found.group.why}.`)
  }

  const protectedIn = (place: string) => {
    const depths = roots.filter((one) => isWithin(one, place)).map(ProtectedNames.depthOf)
    return ProtectedNames.protectedPart(place, Math.max(0, ...depths), "read")
  }

  const named = [resolve(cwd), ...additional.map((folder) => resolve(folder)), ...roots]

  const follow = (path: string) =>
    attempt(path.slice(0, 200), async () => {
      if (path === "" || path.length > mostPath || path.includes("\0"))
        throw refused(`A path has 1 to ${mostPath} characters, and none of them is zero.`)
      const place = resolve(cwd, path)
      // Nothing is said of what is outside, not even whether it is there.
      if (!named.some((one) => isWithin(one, place))) throw outside(path)
      return inside(path, await realpath(place))
    })

  const readAt = (path: string, place: string) =>
    attempt(path, async () => {
      const file = await openFile(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
      try {
        const [stats, real] = await Promise.all([file.stat(), placeOf(file, place)])
        if (!stats.isFile()) throw refused(`${path} is ${stats.isDirectory() ? "a folder" : "no regular file"}.`)
        if (stats.size > mostBytes) throw refused(`${path} has ${stats.size} bytes, and ${mostBytes} may be read.`)
        inside(path, real)
        const bytes = await file.readFile()
        if (bytes.subarray(0, lookedBytes).includes(0)) throw refused(`${path} is no text: it has a zero byte.`)
        return textOf(path, bytes)
      } finally {
        await file.close()
      }
    })

  const nameOf = (path: string): string => {
    const folder = [root, resolve(cwd)].find((one) => isWithin(one, path))
    return folder === undefined ? path : relative(folder, path).split(sep).join("/") || "."
  }

  const read = (path: string) => Effect.flatMap(follow(path), (place) => readAt(path, place))

  return {
    cwd,
    roots,
    folders: [cwd, ...additional].map((name, place) => ({ name: resolve(name), root: roots[place] ?? name })),
    follow,
    read,
    readAt: (place) => readAt(place, place),
    isProtected: (place) => protectedIn(place) !== undefined,
    nameOf
  }
})

const textOf = (path: string, bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw refused(`${path} is no text in UTF-8.`)
  }
}
