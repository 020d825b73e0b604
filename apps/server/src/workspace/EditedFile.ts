/** A file that an editor writes for an agent: what is checked before, and what stands on the disk then. */
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { constants } from "node:fs"
import { access, lstat, open } from "node:fs/promises"
import { isMissing } from "@signalbox/system/SystemError"
import { type PathRefused, refusalOf } from "./Containment.ts"
import * as OpenFolder from "./OpenFolder.ts"
import type { Grant } from "./ProtectedPaths.ts"
import * as ProtectedPaths from "./ProtectedPaths.ts"
import * as TextFiles from "./TextFiles.ts"

/** `version`: as `TextFiles.versionOf` names its bytes. A file that is too long for a text has one of its own. */
export interface OnDisk {
  readonly bytes: number
  readonly version: string
}

export interface Writable {
  /** Without links. */
  readonly path: string
  /** Undefined: there is no such file. */
  readonly before: OnDisk | undefined
  /** Whether the file has other names (hard links), which a write in place would change, too. */
  readonly hasOtherNames: boolean
}

/** Refuses what `TextFiles.write` would refuse. Writes nothing. */
export const writable = (grant: Grant, given: string, content: string): Effect.Effect<Writable, PathRefused> =>
  Effect.tryPromise({
    try: async () => {
      if (Buffer.byteLength(content) > TextFiles.mostBytes) throw TextFiles.tooLong(given)
      const { path } = await ProtectedPaths.admitted(grant, given, "write")
      if (grant.real !== undefined && path !== grant.real) throw TextFiles.changed(given)
      const there = await lstat(path).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
      if (there === undefined) return { path, before: undefined, hasOtherNames: false }
      if (!there.isFile()) throw TextFiles.noFile(given, there.isDirectory())
      await ProtectedPaths.checkLinks(grant, given, there)
      await access(path, constants.W_OK)
      return { path, before: await stateOf(path), hasOtherNames: there.nlink > 1 }
    },
    catch: (error) => refusalOf(given, error)
  })

/** What stands on the disk now. Undefined: there is no such file. Fails if the path leads elsewhere by now. */
export const now = (path: string): Effect.Effect<OnDisk | undefined, PathRefused> =>
  Effect.tryPromise({ try: () => stateOf(path), catch: (error) => refusalOf(path, error) })

const stateOf = async (path: string): Promise<OnDisk | undefined> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      if (!isMissing(error)) throw error
    }
  )
  if (file === undefined) return undefined
  try {
    const info = await file.stat()
    if (!info.isFile()) throw TextFiles.noFile(path, info.isDirectory())
    if ((await OpenFolder.placeOf(file, path)) !== path) throw TextFiles.changed(path)
    const { mtimeMs, size } = info
    if (size > TextFiles.mostBytes) return { bytes: size, version: `${size} bytes of ${mtimeMs}` }
    const bytes = await file.readFile()
    return { bytes: bytes.length, version: createHash("sha256").update(bytes).digest("base64url") }
  } finally {
    await file.close()
  }
}
