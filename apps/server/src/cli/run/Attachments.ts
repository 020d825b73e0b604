/** The attachments of a run's prompt: images by `--image`, files by `--file`. */
import { type ImageType, largestAttachment, largestPrompt, type PromptPart } from "@signalbox/contracts/Content"
import * as Effect from "effect/Effect"
import { constants } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { basename, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { codeOf, isMissing, messageOf } from "@signalbox/system/SystemError"
import { size as byteWords } from "../../base/ByteWords.ts"
import { usage, type UsageError } from "../terminal/Failure.ts"

export interface AttachmentFlags {
  readonly image: ReadonlyArray<string>
  readonly file: ReadonlyArray<string>
}

/** Reads the files of `--image` and `--file` as parts of the prompt. Fails if one can't be read, or if all are too large together. */
export const partsOf = Effect.fn("Attachments.partsOf")(function* ({ file, image }: AttachmentFlags) {
  const parts = [...(yield* Effect.forEach(image, imagePart)), ...(yield* Effect.forEach(file, filePart))]
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  if (bytes > largestPrompt) {
    const most = `up to ${byteWords(largestPrompt)} can go along with a prompt. Leave some out.`
    return yield* usage("run", `The images and files have ${byteWords(bytes)} together; ${most}`)
  }
  return parts.map(({ part }) => part)
})

interface Sized {
  readonly part: PromptPart
  /** Bytes of the file that are attached. */
  readonly bytes: number
}

const imagePart = Effect.fnUntraced(function* (path: string): Effect.fn.Return<Sized, UsageError> {
  const { content, size } = yield* read("--image", path)
  if (content === undefined) {
    const most = `up to ${byteWords(largestAttachment)} can go along with a prompt. Make it smaller, or name it in your words.`
    return yield* usage("run", `--image: ${resolve(path)} has ${byteWords(size)}; ${most}`)
  }
  const mimeType = imageTypeOf(content)
  if (mimeType === undefined) {
    const hint = "which its content shows, not its name. Give other files by --file."
    return yield* usage("run", `--image: ${resolve(path)} is no PNG, JPEG, GIF or WebP image, ${hint}`)
  }
  const part = { type: "image" as const, mimeType, data: content.toString("base64"), name: basename(path) }
  return { part, bytes: content.length }
})

/** Attaches a text file by its content. A file that is too large, or isn't text, is attached as a link. */
const filePart = Effect.fnUntraced(function* (path: string): Effect.fn.Return<Sized, UsageError> {
  const { content } = yield* read("--file", path)
  const uri = pathToFileURL(resolve(path)).href
  const text = content === undefined ? undefined : textOf(content)
  return text === undefined
    ? { part: { type: "resource_link", uri, name: basename(path) }, bytes: 0 }
    : { part: { type: "resource", uri, text }, bytes: content?.length ?? 0 }
})

interface Reading {
  readonly size: number
  /** Absent if the file is too large to be attached. */
  readonly content?: Buffer
}

const read = (flag: string, path: string): Effect.Effect<Reading, UsageError> =>
  Effect.tryPromise({
    try: async () => {
      // Without `O_NONBLOCK`, opening a pipe would wait for a writer.
      await using file = await open(resolve(path), constants.O_RDONLY | constants.O_NONBLOCK)
      const stat = await file.stat()
      if (!stat.isFile()) return undefined
      if (stat.size > largestAttachment) return { size: stat.size }
      const content = await contentOf(file)
      return content.length > largestAttachment ? { size: content.length } : { size: content.length, content }
    },
    catch: (error) => usage("run", `${flag}: ${resolve(path)} ${whyUnreadable(error)}.`)
  }).pipe(
    Effect.flatMap((reading) =>
      reading === undefined
        ? usage("run", `${flag}: ${resolve(path)} is no file, but a folder, a pipe or a device.`)
        : Effect.succeed(reading)
    )
  )

/**
 * Reads at most one byte more than the limit, which shows that a file is too large. The file's size isn't used: a file
 * may grow while it is read, and some report 0 bytes in spite of a content.
 */
const contentOf = async (file: FileHandle): Promise<Buffer> => {
  const pieces: Array<Buffer> = []
  for (let left = largestAttachment + 1; left > 0;) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(left, readAtOnce)))
    if (bytesRead === 0) break
    pieces.push(buffer.subarray(0, bytesRead))
    left -= bytesRead
  }
  return Buffer.concat(pieces)
}
const readAtOnce = 256 * 1024

const whyUnreadable = (error: unknown): string => {
  const code = codeOf(error)
  if (isMissing(error)) return "does not exist. Its path begins at the folder that you are in"
  if (code === "EACCES" || code === "EPERM") return "may not be read by this user"
  return `cannot be read (${code ?? messageOf(error)})`
}

/** Knows the type of an image by its first bytes. */
const imageTypeOf = (content: Buffer): ImageType | undefined => {
  const begins = (text: string, at = 0) => content.toString("latin1", at, at + text.length) === text
  if (begins("\x89PNG\r\n\x1a\n")) return "image/png"
  if (begins("\xff\xd8\xff")) return "image/jpeg"
  if (begins("GIF87a") || begins("GIF89a")) return "image/gif"
  return begins("RIFF") && begins("WEBP", 8) ? "image/webp" : undefined
}

/** Undefined if the content isn't text. The file's name doesn't matter. */
const textOf = (content: Buffer): string | undefined => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(content)
    return text.includes("\0") ? undefined : text
  } catch {
    return undefined
  }
}
