/** A document on the disk: its text as the editor gets it, and whether it is another one than before. */
import { type DocumentEncoding, type DocumentText, lineEndOf, mostDocumentBytes } from "@signalbox/contracts/Documents"
import * as Effect from "effect/Effect"
import { constants } from "node:fs"
import { access, lstat, readdir } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { isMissing } from "@signalbox/system/SystemError"
import { type PathRefused, refusalOf } from "../workspace/Containment.ts"
import * as ProtectedPaths from "../workspace/ProtectedPaths.ts"
import * as ByteOrderMark from "../base/ByteOrderMark.ts"
import * as TextFiles from "../workspace/TextFiles.ts"
import type { DocumentPlace } from "./DocumentPlace.ts"
import * as DocumentProblem from "./DocumentProblem.ts"

/** The most files of a folder that are looked at for one that was renamed. */
const mostSearched = 2000

/** What the system says about a file. Another text has other facts. */
export interface FileFacts {
  /** The path without links. */
  readonly real: string
  readonly device: bigint
  readonly node: bigint
  readonly bytes: number
  readonly writtenAt: number
  readonly key: string
}

/** The facts of a file that may be read. Undefined if nothing is there. */
export const facts = (place: DocumentPlace): Effect.Effect<FileFacts | undefined, PathRefused> =>
  Effect.tryPromise({ try: () => factsOf(place), catch: (error) => refusalOf(place.path, error) }).pipe(
    Effect.catchIf(
      ({ reason }) => reason === "missing",
      () => Effect.succeed(undefined)
    )
  )

const factsOf = async ({ grant, path }: DocumentPlace): Promise<FileFacts | undefined> => {
  const { exists, path: real } = await ProtectedPaths.admitted(grant, path, "read")
  if (!exists) return undefined
  const found = await lstat(real, { bigint: true })
  const { ctimeNs, dev, ino, mode, mtimeMs, mtimeNs, nlink, size } = found
  return {
    real,
    device: dev,
    node: ino,
    bytes: Number(size),
    writtenAt: Number(mtimeMs),
    key: [real, dev, ino, mode, nlink, size, mtimeNs, ctimeNs].join(" ")
  }
}

/** Reads a file for the editor. Refuses what the editor can't show, in words for people. */
export const read = Effect.fn("DocumentFile.read")(function* (place: DocumentPlace, known: FileFacts) {
  if (known.bytes > mostDocumentBytes && (yield* isFile(known)))
    return yield* DocumentProblem.tooLarge(place, known.bytes)
  const content = yield* TextFiles.read(place.grant, place.path).pipe(
    Effect.catch((error) => Effect.flatMap(DocumentProblem.unreadable(place, error, known), Effect.fail))
  )
  const bytes = Buffer.byteLength(content)
  if (bytes > mostDocumentBytes) return yield* DocumentProblem.tooLarge(place, bytes)
  return documentOf(content, known.writtenAt, yield* reasonAgainstWriting(place, known.real))
})

/** The text of a file as the editor gets it. */
export const documentOf = (content: string, writtenAt: number, readOnly?: string): DocumentText => {
  const { mark, text } = ByteOrderMark.parted(content)
  return {
    text,
    version: TextFiles.versionOf(content),
    bytes: Buffer.byteLength(content),
    encoding: mark === "" ? "utf-8" : "utf-8-bom",
    lineEnd: lineEndOf(text),
    writtenAt,
    ...(readOnly !== undefined && { readOnly })
  }
}

/** The content of a file with this text. */
export const contentOf = (text: string, encoding: DocumentEncoding): string =>
  encoding === "utf-8-bom" ? ByteOrderMark.marked(text) : text

const isFile = ({ real }: FileFacts) =>
  Effect.promise(() =>
    lstat(real).then(
      (found) => found.isFile(),
      () => false
    )
  )

/** Why a file can't be replaced: one sentence. Undefined if it can be, as far as one can know before. */
const reasonAgainstWriting = (place: DocumentPlace, real: string): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    try {
      await ProtectedPaths.admitted(place.grant, place.path, "write")
    } catch (error) {
      const { why } = refusalOf(place.path, error)
      return `${place.shown} can't be saved here${why === undefined ? "" : `: ${why}`}.`
    }
    try {
      await access(real, constants.W_OK)
      await access(dirname(real), constants.W_OK)
      return undefined
    } catch {
      return `This user may not write ${place.shown}.`
    }
  })

/** The new path of a file that was renamed in its folder. Undefined if it isn't found there. */
export const renamed = (place: DocumentPlace, known: FileFacts): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    const folder = dirname(known.real)
    const names = await readdir(folder).catch((error: unknown) => {
      if (isMissing(error)) return []
      throw error
    })
    if (names.length > mostSearched) return undefined
    const found = await Promise.all(
      names.map((name) => lstat(join(folder, name), { bigint: true }).catch(() => undefined))
    )
    const at = found.findIndex((one) => one?.dev === known.device && one.ino === known.node && one.isFile())
    const name = names[at]
    return name === undefined ? undefined : join(dirname(place.shown), basename(name))
  }).pipe(Effect.catchDefect(() => Effect.succeed(undefined)))
