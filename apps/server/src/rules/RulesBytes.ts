/** The bytes of rules files: read within a bound, and replaced in one step. */
import * as FileLock from "@signalbox/system/FileLock"
import * as NamedFile from "@signalbox/system/NamedFile"
import * as PrivateFile from "@signalbox/system/PrivateFile"
import { codeOf, isMissing, reasonOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as CommandLine from "effect/process/CommandLine"
import { createHash } from "node:crypto"
import { constants, type Stats } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { dirname } from "node:path"
import { rulesLockIn } from "../base/StateDirectory.ts"
import * as OpenFolder from "../workspace/OpenFolder.ts"
import { fileName, folderName, type RulesPlace } from "./RulesPlace.ts"

/** A file that can't be read or written. */
export class RulesRefused extends Schema.TaggedError<RulesRefused>()("RulesRefused", {
  path: Schema.String,
  /** A clause without a full stop, to stand behind the path and a colon. */
  message: Schema.String
}) {}

export interface RulesBytes {
  readonly text: string
  /** SHA-256 of the bytes, in hexadecimal digits. */
  readonly hash: string
}

/** More bytes than the longest text of a rules file can have. */
const mostBytes = 3 * 1024 * 1024 + 16

const linked = "it is a link, or in a folder that is one. Put the file itself there"

const refusalOf = ({ isNamed, path }: RulesPlace, error: unknown): RulesRefused => {
  const code = codeOf(error)
  if (error instanceof RulesRefused) return error
  const isLink = isNamed !== true && (code === "ELOOP" || code === "EMLINK")
  if (isLink) return new RulesRefused({ path, message: linked })
  return new RulesRefused({ path, message: isMissing(error) ? "its folder does not exist" : reasonOf(error) })
}

/** Reads a file. Undefined if it is missing. */
export const read = (place: RulesPlace): Effect.Effect<RulesBytes | undefined, RulesRefused> =>
  Effect.tryPromise({
    try: async () => {
      try {
        return await (place.source === "project" ? ofProject(place) : ofFile(place, place.path))
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    catch: (error) => refusalOf(place, error)
  })

/** Reads through the open folder, so that no link of the project leads elsewhere. */
const ofProject = async (place: RulesPlace): Promise<RulesBytes> => {
  const folder = await OpenFolder.open(dirname(place.path)).catch(async (error: unknown) => {
    // The system says of a link that it is no folder.
    if (codeOf(error) === "ENOTDIR") throw new RulesRefused({ path: place.path, message: linked })
    throw error
  })
  try {
    return await ofFile(place, folder.at(fileName))
  } finally {
    await folder.handle.close()
  }
}

const ofFile = async (place: RulesPlace, path: string): Promise<RulesBytes> => {
  const bytes = place.isNamed ? await ofNamed(place) : await ofOwn(place, path)
  const hash = createHash("sha256").update(bytes).digest("hex")
  return { text: decoded(place, bytes), hash }
}

const checked = (place: RulesPlace, stats: Stats): void => {
  const wrong = kindOf(stats, place)
  if (wrong !== undefined) throw new RulesRefused({ path: place.path, message: wrong })
}

/** Everything up to the bound, and one piece more. What is longer has a fault when its text is read. */
const ofNamed = (place: RulesPlace): Promise<Buffer> =>
  NamedFile.read(place.path, { most: mostBytes, check: (stats) => checked(place, stats) })

const ofOwn = async (place: RulesPlace, path: string): Promise<Buffer> => {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    checked(place, await file.stat())
    return await bounded(file)
  } finally {
    await file.close()
  }
}

/** The right of all accounts to write. It may have been given since the server looked at its files. */
const others = 0o002

const quoted = (path: string): string => CommandLine.display([path])

/** A pipe is read only where the person names it: reading it waits for a writer. */
const kindOf = (stats: Stats, { isNamed, path, source }: RulesPlace): string | undefined => {
  const isOpen = stats.isFile() && source === "user" && isNamed !== true && (stats.mode & others) !== 0
  if (isOpen) return `every account of this machine can write to it: chmod o-w ${quoted(path)}`
  if (stats.isFile() || (isNamed && (stats.isFIFO() || stats.isCharacterDevice()))) return undefined
  return stats.isDirectory() ? "it is a folder" : "it is no file"
}

/** Everything up to the bound, and one piece more. */
const bounded = async (file: FileHandle): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  let length = 0
  while (length <= mostBytes) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(64 * 1024) })
    if (bytesRead === 0) break
    chunks.push(buffer.subarray(0, bytesRead))
    length += bytesRead
  }
  return Buffer.concat(chunks)
}

const decoded = ({ path }: RulesPlace, bytes: Buffer): string => {
  // What is cut may end within a character, and is too long anyway.
  if (bytes.length > mostBytes) return bytes.toString("latin1")
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new RulesRefused({ path, message: "it is not text in UTF-8" })
  }
}

/** Does something while no other process changes rules files, or the trust in them. */
export const alone = <A, E, R>(
  stateFolder: string,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E | RulesRefused, R> => {
  const path = rulesLockIn(stateFolder)
  return FileLock.alone(path, work, ({ message }) => new RulesRefused({ path, message }))
}

/** Replaces a file in one step, or makes it. */
export const write = (place: RulesPlace, text: string): Effect.Effect<void, RulesRefused> =>
  Effect.tryPromise({
    try: () => (place.source === "project" ? toProject(place, text) : PrivateFile.replace(place.path, text)),
    catch: (error) => refusalOf(place, error)
  })

const toProject = async ({ folder, path }: RulesPlace, text: string): Promise<void> => {
  const project = await OpenFolder.open(folder ?? dirname(dirname(path)))
  try {
    await OpenFolder.make(project, folderName)
    const inner = await OpenFolder.open(project.at(folderName)).catch((error: unknown) => {
      if (codeOf(error) === "ENOTDIR") throw new RulesRefused({ path, message: linked })
      throw error
    })
    try {
      await PrivateFile.replace(inner.at(fileName), text)
    } finally {
      await inner.handle.close()
    }
  } finally {
    await project.handle.close()
  }
}
