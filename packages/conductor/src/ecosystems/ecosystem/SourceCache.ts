/** Sources that were unpacked from archives, one folder for each version of a package. A folder is there whole, or not at all. */
import * as Archive from "@signalbox/archive/Archive"
import type { Limits } from "@signalbox/archive/ArchiveEntries"
import * as PrivateFolder from "@signalbox/system/PrivateFolder"
import { reasonOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import { createHash, randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { SourceFailure } from "./Ecosystem.ts"

/** What is to be unpacked. */
export interface Packed {
  readonly ecosystem: string
  readonly name: string
  readonly version: string
  /** The archive, whose entries are all in one folder. */
  readonly file: string
  /** The checksum that it must have. Absent where nobody knows it. */
  readonly checksum?: Checksum | undefined
}

export interface Checksum {
  readonly algorithm: "sha1" | "sha256" | "sha512"
  readonly encoding: "hex" | "base64"
  readonly digest: string
}

export interface SourceCache {
  /** The folder of a version; undefined if it is not here. */
  readonly get: (ecosystem: string, name: string, version: string) => Effect.Effect<string | undefined>
  /** The versions of a package that are here. */
  readonly versions: (ecosystem: string, name: string) => Effect.Effect<ReadonlyArray<string>>
  /** Looks the archive through, unpacks it, and returns the folder. Where it may not be unpacked, nothing is left. */
  readonly add: (packed: Packed) => Effect.Effect<string, SourceFailure>
}

/** No package has more, and an archive that grows beyond it is no package. */
const limits: Limits = { entries: 100_000, bytes: 1024 * 1024 * 1024 }

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false
  )

const digestOf = async (file: string, { algorithm, encoding }: Checksum): Promise<string> => {
  const hash = createHash(algorithm)
  await pipeline(createReadStream(file), hash)
  return hash.digest(encoding)
}

export const make = (cache: string): SourceCache => {
  const home = (ecosystem: string, name: string) => join(cache, "sources", ecosystem, encodeURIComponent(name))

  return {
    get: (ecosystem, name, version) =>
      Effect.promise(async () => {
        const path = join(home(ecosystem, name), encodeURIComponent(version))
        return (await isFolder(path)) ? path : undefined
      }),
    versions: (ecosystem, name) =>
      Effect.promise(async () => {
        const found = await readdir(home(ecosystem, name)).catch((): ReadonlyArray<string> => [])
        return found.filter((version) => !version.startsWith(".")).map(decodeURIComponent)
      }),
    add: ({ checksum, ecosystem, file, name, version }) => {
      const what = `The archive of ${name} ${version}`
      const folder = home(ecosystem, name)
      const aside = join(folder, `.${randomUUID()}`)
      const path = join(folder, encodeURIComponent(version))
      const attempt = <A>(run: () => Promise<A>) =>
        Effect.tryPromise({
          try: run,
          catch: (error) => new SourceFailure({ message: `${what} can't be unpacked: ${reasonOf(error)}.` })
        })
      return Effect.gen(function* () {
        if (checksum !== undefined && (yield* attempt(() => digestOf(file, checksum))) !== checksum.digest)
          return yield* new SourceFailure({
            message: `${what} is not the one that was published: its ${checksum.algorithm} is another one. It was not unpacked.`
          })
        yield* attempt(async () => PrivateFolder.make(aside))
        yield* Effect.mapError(
          Archive.unpackTar({ file, into: aside, limits, strip: 1 }),
          ({ message }) => new SourceFailure({ message: `${what} was not unpacked. ${message}` })
        )
        yield* attempt(() =>
          rename(aside, path).catch(async (error: unknown) => {
            // Somebody else may have unpacked it meanwhile.
            if (!(await isFolder(path))) throw error
          })
        )
        return path
      }).pipe(Effect.ensuring(Effect.promise(() => rm(aside, { recursive: true, force: true }))))
    }
  }
}
