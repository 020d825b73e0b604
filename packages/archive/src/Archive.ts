/** Unpacks a download. If any entry would lead out of the folder, nothing is unpacked. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { spawn } from "node:child_process"
import { createReadStream, createWriteStream } from "node:fs"
import { chmod, copyFile, mkdir, symlink } from "node:fs/promises"
import { once } from "node:events"
import { dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { pipeline } from "node:stream/promises"
import * as tar from "tar"
import * as yauzl from "yauzl"
import { messageOf } from "@signalbox/system/SystemError"
import * as ArchiveEntries from "./ArchiveEntries.ts"
import type { ArchiveKind } from "./ArchiveKind.ts"

export class ArchiveUnusable extends Schema.TaggedError<ArchiveUnusable>()("ArchiveUnusable", {
  /** One sentence. */
  message: Schema.String
}) {}

const unusable = (message: string): ArchiveUnusable => new ArchiveUnusable({ message })

/** `into`: an empty folder. `program`: the path in it for a download that is the program itself. */
export const unpack = Effect.fn("Archive.unpack")(function* (options: {
  readonly file: string
  readonly kind: ArchiveKind
  readonly into: string
  readonly program: string
}) {
  const { file, into, kind, program } = options
  switch (kind) {
    case "program":
      return yield* attempt(async () => {
        await mkdir(dirname(join(into, program)), { recursive: true })
        await copyFile(file, join(into, program))
        await chmod(join(into, program), 0o755)
      })
    case "zip":
      return yield* unpackZip(file, into)
    case "tar":
      return yield* unpackTar({ file, into })
    case "tar.bz2":
      yield* bunzip(file, `${file}.tar`)
      return yield* unpackTar({ file: `${file}.tar`, into })
  }
})

const attempt = <A>(run: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: (error) => unusable(`It can't be unpacked: ${messageOf(error)}`)
  })

const checked = (entries: ReadonlyArray<ArchiveEntries.ArchiveEntry>, limits?: ArchiveEntries.Limits) => {
  const reason = ArchiveEntries.refusal(entries, limits)
  return reason === undefined ? Effect.void : Effect.fail(unusable(reason))
}

const tarTypes: Readonly<Record<string, ArchiveEntries.ArchiveEntry["type"]>> = {
  File: "file",
  OldFile: "file",
  ContiguousFile: "file",
  Directory: "folder",
  SymbolicLink: "symlink",
  Link: "hardlink"
}

/** The entries of a tar, compressed or not. Reading ends where the limits are passed: an archive may grow without end. */
const entriesOf = (file: string, limits: ArchiveEntries.Limits) =>
  attempt(async (signal) => {
    const entries: Array<ArchiveEntries.ArchiveEntry> = []
    const enough = new AbortController()
    let bytes = 0
    const parser = new tar.Parser({
      strict: true,
      onReadEntry: (entry) => {
        const { linkpath, path, size, type } = entry
        entries.push({
          path,
          type: tarTypes[type] ?? "other",
          size,
          ...(linkpath !== undefined && { target: linkpath })
        })
        bytes += size
        if (entries.length > limits.entries || bytes > limits.bytes) enough.abort()
        entry.resume()
      }
    })
    await pipeline(createReadStream(file), parser, { signal: AbortSignal.any([signal, enough.signal]) }).catch(
      (error: unknown) => {
        if (!enough.signal.aborted) throw error
      }
    )
    return entries
  })

/** Unpacks a tar, compressed or not, into an empty folder. `strip`: how many folders around its entries are left out. */
export const unpackTar = Effect.fnUntraced(function* (options: {
  readonly file: string
  readonly into: string
  readonly limits?: ArchiveEntries.Limits | undefined
  readonly strip?: number | undefined
}) {
  const { file, into, limits = ArchiveEntries.limits, strip = 0 } = options
  const entries = yield* entriesOf(file, limits)
  if (entries.length === 0) return yield* unusable("It holds nothing, or is no archive of its kind.")
  yield* checked(entries, limits)
  yield* attempt(() => tar.extract({ file, cwd: into, strip, strict: true, preserveOwner: false }))
})

/** Unix file types, from the upper half of a zip entry's attributes. */
const formats = { mask: 0o170000, symlink: 0o120000, folder: 0o040000, file: 0o100000 } as const

/** Unpacks a zip. The library also checks names and sizes. */
const unpackZip = Effect.fnUntraced(function* (file: string, into: string) {
  const found = yield* attempt(async () => {
    const zip = await yauzl.openPromise(file, { autoClose: true })
    const entries: Array<ArchiveEntries.ArchiveEntry> = []
    for await (const entry of zip.eachEntry()) {
      if (entries.length > ArchiveEntries.limits.entries) break
      const type = zipType(entry)
      const size = entry.uncompressedSize
      if (type === "symlink" && size > maxTarget) throw new Error(`the link ${entry.fileName} is too long`)
      const target = type === "symlink" ? await text(await zip.openReadStreamPromise(entry)) : undefined
      entries.push({ path: entry.fileName, type, size, ...(target !== undefined && { target }) })
    }
    return entries
  })
  if (found.length === 0) return yield* unusable("It holds nothing.")
  yield* checked(found)
  yield* attempt(async (signal) => {
    const zip = await yauzl.openPromise(file, { autoClose: true })
    for await (const entry of zip.eachEntry()) {
      const path = join(into, entry.fileName)
      const type = zipType(entry)
      await mkdir(type === "folder" ? path : dirname(path), { recursive: true })
      if (type === "folder") continue
      const content = await zip.openReadStreamPromise(entry)
      if (type === "symlink") await symlink(await text(content), path)
      else await pipeline(content, createWriteStream(path, { flags: "wx", mode: modeOf(entry) }), { signal })
    }
  })
})

const maxTarget = 4096

const attributesOf = ({ externalFileAttributes }: yauzl.Entry): number => externalFileAttributes >>> 16

const zipType = (entry: yauzl.Entry): ArchiveEntries.ArchiveEntry["type"] => {
  if (entry.fileName.endsWith("/")) return "folder"
  switch (attributesOf(entry) & formats.mask) {
    case formats.symlink:
      return "symlink"
    case formats.folder:
      return "folder"
    case formats.file:
    case 0:
      return "file"
    default:
      return "other"
  }
}

const modeOf = (entry: yauzl.Entry): number => ((attributesOf(entry) & 0o111) === 0 ? 0o644 : 0o755)

/** Node can't decompress bzip2, so the program `bzip2` does it. */
const bunzip = (file: string, to: string) =>
  attempt(async (signal) => {
    const child = spawn("bzip2", ["-dc", file], { stdio: ["ignore", "pipe", "ignore"], signal })
    const exited = once(child, "exit")
    let size = 0
    await pipeline(
      child.stdout,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          size += chunk.length
          if (size > ArchiveEntries.limits.bytes) throw new Error("it is larger than 4 GiB")
          yield chunk
        }
      },
      createWriteStream(to, { flags: "wx" }),
      { signal }
    )
    const [code] = await exited
    if (code !== 0) throw new Error(`bzip2 ended with ${code}`)
  })
