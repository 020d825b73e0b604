/**
 * Text files that agents read and write through us, inside the folders of their session. A file is checked by its open descriptor,
 * so that a link that is put in its place meanwhile leads nowhere.
 */
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { constants } from "node:fs"
import { access, type FileHandle, lstat, mkdir, open, readlink, rename, unlink } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { contained, isWithin, PathRefused, refusalOf } from "./Containment.ts"

/** Bytes of text that are read, or written, at once. */
export const mostBytes = 10 * 1024 * 1024

/** Bytes that are looked through for the lines that were asked for. */
const mostScanned = 1024 * 1024 * 1024

const chunkBytes = 64 * 1024

export interface Excerpt {
  /** Counted from 1; the first unless given. */
  readonly line?: number | undefined
  /** Lines; all unless given. */
  readonly limit?: number | undefined
}

/**
 * The text of a file, or some of its lines with their ends as they are. Beyond the last line there is nothing. `roots` are as
 * `Containment.pin` tells them, here and below.
 */
export const read = (
  roots: ReadonlyArray<string>,
  path: string,
  excerpt: Excerpt = {}
): Effect.Effect<string, PathRefused> =>
  Effect.tryPromise({ try: () => readText(roots, path, excerpt), catch: (error) => refusalOf(path, error) })

export interface Written {
  /** Where it was written to: no link is in it. */
  readonly path: string
  readonly bytes: number
  /** There was no such file before. */
  readonly created: boolean
}

/** Writes the whole file at once: whoever reads meanwhile gets the old text or the new. Its mode stays; folders are made. */
export const write = (
  roots: ReadonlyArray<string>,
  path: string,
  content: string
): Effect.Effect<Written, PathRefused> =>
  Effect.tryPromise({ try: () => writeText(roots, path, content), catch: (error) => refusalOf(path, error) })

const readText = async (roots: ReadonlyArray<string>, given: string, excerpt: Excerpt): Promise<string> => {
  const real = await contained(roots, given)
  // Not blocking: a named pipe would be waited for.
  const file = await open(real.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const info = await file.stat()
    if (!info.isFile()) throw noFile(given, info.isDirectory())
    await checkPlace(file, roots, given)
    const { limit } = excerpt
    if (limit === undefined && excerpt.line === undefined && info.size > mostBytes) throw tooLong(given)
    return await linesOf(file, given, Math.max(1, excerpt.line ?? 1), limit ?? Infinity)
  } finally {
    await file.close()
  }
}

/** Nothing of the path may have been made to lead elsewhere between the look at it and the opening. */
const checkPlace = async (file: FileHandle, roots: ReadonlyArray<string>, given: string): Promise<void> => {
  const place = await placeOf(file)
  const inside = place === undefined ? await isAt(file, roots, given) : roots.some((root) => isWithin(root, place))
  if (!inside)
    throw new PathRefused({ reason: "outside", path: given, message: `${given} changed while it was opened.` })
}

/** Where an open file is, as the system knows it; undefined where it does not tell. */
const placeOf = async (file: FileHandle): Promise<string | undefined> => {
  const place = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined)
  const removed = " (deleted)"
  const isRemoved = place?.endsWith(removed) === true && (await file.stat()).nlink === 0
  return isRemoved ? place.slice(0, -removed.length) : place
}

/** The next best: the path leads there still, or again. */
const isAt = async (file: FileHandle, roots: ReadonlyArray<string>, given: string): Promise<boolean> => {
  const now = await contained(roots, given)
  const [opened, there] = await Promise.all([file.stat(), lstat(now.path)])
  return opened.dev === there.dev && opened.ino === there.ino
}

/** Reads only as far as it has to. */
const linesOf = async (file: FileHandle, given: string, first: number, limit: number): Promise<string> => {
  // The mark at the beginning of a file belongs to it: an agent that writes it back must not lose it.
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

const writeText = async (roots: ReadonlyArray<string>, given: string, content: string): Promise<Written> => {
  const bytes = Buffer.byteLength(content)
  if (bytes > mostBytes) throw tooLong(given)
  const real = await contained(roots, given)
  if (/(?:^|\/)\.git(?:\/|$)/.test(real.path))
    throw new PathRefused({
      reason: "outside",
      path: given,
      message: `${given} belongs to Git, which runs programs that are named there. It is not written.`
    })
  const before = real.exists ? await lstat(real.path) : undefined
  if (before !== undefined && !before.isFile()) throw noFile(given, before.isDirectory())
  // Another file in its place would not ask for that.
  if (before !== undefined) await access(real.path, constants.W_OK)
  const folder = dirname(real.path)
  if (before === undefined) await mkdir(folder, { recursive: true })
  const draft = join(folder, `.${basename(real.path).slice(0, 64)}.${randomUUID()}.tmp`)
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const file = await open(draft, flags, before === undefined ? 0o666 : before.mode & 0o777)
  let place = draft
  try {
    try {
      place = (await placeOf(file)) ?? draft
      await checkPlace(file, roots, draft)
      await file.writeFile(content)
      // What the system's mask has taken from it is given back.
      if (before !== undefined) await file.chmod(before.mode & 0o7777)
    } finally {
      await file.close()
    }
    await rename(draft, real.path)
  } catch (error) {
    await unlink(place).catch(() => {})
    throw error
  }
  return { path: real.path, bytes, created: before === undefined }
}

const noFile = (path: string, folder: boolean): PathRefused =>
  new PathRefused({ reason: "kind", path, message: `${path} is ${folder ? "a folder" : "no file"}.` })

const noText = (path: string): PathRefused =>
  new PathRefused({ reason: "content", path, message: `${path} is no text in UTF-8.` })

const tooLong = (path: string): PathRefused =>
  new PathRefused({
    reason: "content",
    path,
    message: `${path} is too long: at most ${mostBytes / 1024 / 1024} MiB at once. Lines of a longer file can be read by line and limit.`
  })
