/**
 * Reads and writes text files for agents, inside the folders of their session. The open descriptor is checked, so
 * replacing the path by a link meanwhile has no effect.
 */
import { isWithin } from "@signalbox/contracts/Paths"
import * as Effect from "effect/Effect"
import { createHash, randomUUID } from "node:crypto"
import { constants } from "node:fs"
import { access, type FileHandle, lstat, open, rename, rmdir, unlink } from "node:fs/promises"
import { basename, dirname } from "node:path"
import { codeOf } from "@signalbox/system/SystemError"
import { PathRefused, refusalOf } from "./Containment.ts"
import * as OpenFolder from "./OpenFolder.ts"
import * as ProtectedPaths from "./ProtectedPaths.ts"
import type { Access } from "@signalbox/permission/ProtectedNames"
import type { Grant } from "./ProtectedPaths.ts"

/** The most bytes of text that one call reads or writes. */
export const mostBytes = 10 * 1024 * 1024

/** The most bytes that are searched for the wanted lines. */
const mostScanned = 1024 * 1024 * 1024

const chunkBytes = 64 * 1024

export interface Excerpt {
  /** The first line, from 1; 1 unless given. */
  readonly line?: number | undefined
  /** The number of lines; all unless given. */
  readonly limit?: number | undefined
}

/** The text of a file, or some of its lines with their original line ends. Empty beyond the last line. */
export const read = (grant: Grant, path: string, excerpt: Excerpt = {}): Effect.Effect<string, PathRefused> =>
  Effect.tryPromise({ try: () => readText(grant, path, excerpt), catch: (error) => refusalOf(path, error) })

/** The real path of a file that `read` would open, or would find missing. */
export const admit = (grant: Grant, path: string): Effect.Effect<string, PathRefused> =>
  Effect.tryPromise({ try: () => admitted(grant, path), catch: (error) => refusalOf(path, error) })

export interface Written {
  /** The path of the written file, without links. */
  readonly path: string
  readonly bytes: number
  /** Whether the file is new. */
  readonly created: boolean
}

/** What must be there for a write: a file with this `versionOf` its text, or no file. */
export type Expected = { readonly version: string } | "nothing"

/** Names the bytes of a text. Texts with the same bytes have the same version. */
export const versionOf = (text: string): string => createHash("sha256").update(text).digest("base64url")

/**
 * Replaces the whole file at once: other readers get the old text or the new one. Keeps its mode, and makes missing
 * folders. `expected`: without that at the path, nothing is written, and the reason is `changed`.
 */
export const write = (
  grant: Grant,
  path: string,
  content: string,
  expected?: Expected
): Effect.Effect<Written, PathRefused> =>
  Effect.tryPromise({ try: () => writeText(grant, path, content, expected), catch: (error) => refusalOf(path, error) })

const admitted = async (grant: Grant, given: string): Promise<string> => {
  const { exists, path } = await ProtectedPaths.admitted(grant, given, "read")
  if (grant.real !== undefined && path !== grant.real) throw changed(given)
  if (!exists) return path
  const found = await lstat(path)
  if (!found.isFile()) throw noFile(given, found.isDirectory())
  await ProtectedPaths.checkLinks(grant, given, found)
  return path
}

const readText = async (grant: Grant, given: string, excerpt: Excerpt): Promise<string> => {
  const { path } = await ProtectedPaths.admitted(grant, given, "read")
  // Checked before opening: closing any descriptor of a file drops this process's locks on it.
  const before = await lstat(path)
  if (before.isFile()) await ProtectedPaths.checkLinks(grant, given, before)
  // Non-blocking, since opening a named pipe would wait.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const info = await file.stat()
    if (!info.isFile()) throw noFile(given, info.isDirectory())
    await ProtectedPaths.checkLinks(grant, given, info)
    await checkPlace(file, path, { access: "read", given, grant })
    const { limit } = excerpt
    if (limit === undefined && excerpt.line === undefined && info.size > mostBytes) throw tooLong(given)
    return await linesOf(file, given, Math.max(1, excerpt.line ?? 1), limit ?? Infinity)
  } finally {
    await file.close()
  }
}

/** The requested path and access, and the session's grant. */
interface Asked {
  readonly grant: Grant
  readonly given: string
  readonly access: Access
  readonly expected?: Expected | undefined
}

/** Fails if a part of the path was redirected between its check and the opening. */
const checkPlace = async (file: FileHandle, path: string, { access, given, grant }: Asked): Promise<void> => {
  const place = await OpenFolder.placeOf(file, path)
  if (place === undefined || !grant.roots.some((root) => isWithin(root, place))) throw changed(given)
  if (grant.real !== undefined && !isOnTheWay(place, grant.real, access)) throw changed(given)
  await ProtectedPaths.check(grant, given, place, access)
}

/** Whether a place is that of a file. A write opens folders above it, too, and a draft beside it. */
const isOnTheWay = (place: string, real: string, access: Access): boolean =>
  place === real || (access === "write" && (isWithin(place, real) || dirname(place) === dirname(real)))

export const changed = (path: string): PathRefused =>
  new PathRefused({ reason: "outside", path, message: `${path} changed while it was opened.` })

/** Reads the wanted lines, and nothing behind them. */
const linesOf = async (file: FileHandle, given: string, first: number, limit: number): Promise<string> => {
  // The byte order mark is kept: an agent that writes the file back must not lose it.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  const decode = (bytes: Uint8Array, last: boolean): string => {
    if (bytes.includes(0)) throw noText(given)
    try {
      return decoder.decode(bytes, { stream: !last })
    } catch {
      throw noText(given)
    }
  }
  const buffer = Buffer.alloc(chunkBytes)
  const kept: Array<string> = []
  let length = 0
  let line = 1
  for (let place = 0; line - first < limit;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, place)
    const text = decode(buffer.subarray(0, bytesRead), bytesRead === 0)
    place += bytesRead
    let start = line < first ? undefined : 0
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
      line += 1
      if (line === first) start = at + 1
      if (line - first >= limit) {
        kept.push(text.slice(start ?? at + 1, at + 1))
        return kept.join("")
      }
    }
    if (start !== undefined) {
      kept.push(text.slice(start))
      length += text.length - start
    }
    if (length > mostBytes || place > mostScanned) throw tooLong(given)
    if (bytesRead === 0) break
  }
  return kept.join("")
}

const writeText = async (
  grant: Grant,
  given: string,
  content: string,
  expected: Expected | undefined
): Promise<Written> => {
  const bytes = Buffer.byteLength(content)
  if (bytes > mostBytes) throw tooLong(given)
  const { path } = await ProtectedPaths.admitted(grant, given, "write")
  if (grant.real !== undefined && path !== grant.real) throw changed(given)
  const way = await openWay(dirname(path))
  try {
    const asked: Asked = { access: "write", given, grant, expected }
    const created = await replace(await walk(way, asked), basename(path), content, asked)
    return { path, bytes, created }
  } catch (error) {
    for (const { name, parent } of way.made.toReversed()) await rmdir(parent.at(name)).catch(() => {})
    throw error
  } finally {
    for (const { handle } of way.open) await handle.close()
  }
}

/** The folders on the path to a file. */
interface Way {
  /** Open folders, beginning with the nearest one that existed at first. */
  readonly open: [OpenFolder.OpenFolder, ...Array<OpenFolder.OpenFolder>]
  /** Folders that were made. They are removed again if nothing is written. */
  readonly made: Array<{ readonly parent: OpenFolder.OpenFolder; readonly name: string }>
  /** Names of folders that are still missing. */
  readonly missing: ReadonlyArray<string>
}

/** Opens the folder, or the nearest existing folder above it. Makes nothing. */
const openWay = async (folder: string): Promise<Way> => {
  const missing: Array<string> = []
  for (let path = folder; ; path = dirname(path)) {
    try {
      return { open: [await OpenFolder.open(path)], made: [], missing: missing.toReversed() }
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || path === "/") throw error
      missing.push(basename(path))
    }
  }
}

/**
 * Opens and makes the folders up to the last one, and returns that one. Each open folder is checked before anything is
 * made in it.
 */
const walk = async (way: Way, asked: Asked): Promise<OpenFolder.OpenFolder> => {
  const enter = async (folder: OpenFolder.OpenFolder): Promise<OpenFolder.OpenFolder> => {
    await checkPlace(folder.handle, folder.path, asked)
    return folder
  }
  let folder = await enter(way.open[0])
  for (const name of way.missing) {
    if (await OpenFolder.make(folder, name)) way.made.push({ parent: folder, name })
    const next = await OpenFolder.open(folder.at(name))
    way.open.push(next)
    folder = await enter(next)
  }
  return folder
}

/** Replaces the file of this name by a new one. True if there was none before. */
const replace = async (
  folder: OpenFolder.OpenFolder,
  name: string,
  content: string,
  asked: Asked
): Promise<boolean> => {
  const { given, grant } = asked
  const target = folder.at(name)
  const before = await lstat(target).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error
  })
  if (before?.isSymbolicLink() === true) throw changed(given)
  if (before && !before.isFile()) throw noFile(given, before.isDirectory())
  if (before) {
    await ProtectedPaths.checkLinks(grant, given, before)
    // Replacing the file would not check its permissions, so they are checked here.
    await access(target, constants.W_OK)
  }
  const draft = folder.at(`.${name.slice(0, 64)}.${randomUUID()}.tmp`)
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const file = await open(draft, flags, before ? before.mode & 0o777 : 0o666)
  try {
    try {
      await checkPlace(file, draft, asked)
      await file.writeFile(content)
      // Restores permissions that the system's umask has removed.
      if (before) await file.chmod(before.mode & 0o7777)
    } finally {
      await file.close()
    }
    // The last step before the rename, so that next to no time is left for another writer.
    if (asked.expected !== undefined) await checkExpected(target, asked.expected, asked)
    await rename(draft, target)
  } catch (error) {
    await unlink(draft).catch(() => {})
    throw error
  }
  return before === undefined
}

const checkExpected = async (target: string, expected: Expected, asked: Asked): Promise<void> => {
  const file = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      if (codeOf(error) !== "ENOENT") throw error
    }
  )
  const there = file === undefined ? undefined : await versionIn(file, asked.given)
  if (there !== (expected === "nothing" ? undefined : expected.version))
    throw new PathRefused({ reason: "changed", path: asked.given, message: `${asked.given} has another text now.` })
}

const versionIn = async (file: FileHandle, given: string): Promise<string> => {
  try {
    if ((await file.stat()).size > mostBytes) throw tooLong(given)
    return createHash("sha256")
      .update(await file.readFile())
      .digest("base64url")
  } finally {
    await file.close()
  }
}

export const noFile = (path: string, folder: boolean): PathRefused =>
  new PathRefused({ reason: "kind", path, message: `${path} is ${folder ? "a folder" : "no file"}.` })

const noText = (path: string): PathRefused =>
  new PathRefused({ reason: "content", path, message: `${path} is no text in UTF-8.` })

export const tooLong = (path: string): PathRefused =>
  new PathRefused({
    reason: "content",
    path,
    message: `${path} is too long: at most ${mostBytes / 1024 / 1024} MiB at once. Lines of a longer file can be read by line and limit.`
  })
