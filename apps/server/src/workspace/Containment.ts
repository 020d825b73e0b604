/**
 * Whether a path is inside the folders that an agent was given. Every link on the way is followed as the system would follow it. That holds
 * where the last part does not exist yet, too; whatever can't be told is outside.
 */
import { isWithin } from "@signalbox/contracts/Paths"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { lstat, readlink } from "node:fs/promises"
import { dirname, isAbsolute, join } from "node:path"
import { codeOf, reasonOf } from "@signalbox/system/SystemError"

/** Why something was not done with a path. A sentence of `message` says it to agents and to people. */
export class PathRefused extends Schema.TaggedError<PathRefused>()("PathRefused", {
  reason: Schema.Literals(["relative", "outside", "protected", "hard-link", "missing", "kind", "content", "system"]),
  path: Schema.String,
  message: Schema.String
}) {}

/** The place that a path leads to: no link is in it. */
export interface RealPath {
  readonly path: string
  readonly exists: boolean
  /** A link of `/proc` is on the way: it leads each process elsewhere. */
  readonly ofProcess: boolean
}

/** The system gives up after as many. */
const mostLinks = 40

/** A failure of the operating system as a refusal. */
export const refusalOf = (path: string, error: unknown): PathRefused => {
  if (error instanceof PathRefused) return error
  const code = codeOf(error)
  if (code === "ENOENT") return new PathRefused({ reason: "missing", path, message: `${path} does not exist.` })
  if (code === "ENOTDIR")
    return new PathRefused({ reason: "kind", path, message: `A part of ${path} is a file and no folder.` })
  return new PathRefused({ reason: "system", path, message: `${path}: ${reasonOf(error)}.` })
}

/** Follows an absolute path, its links one by one. Parts that don't exist can be followed by names only. */
export const follow = async (given: string): Promise<RealPath> => {
  const parts = given.split("/").reverse()
  let path = "/"
  let exists = true
  let ofProcess = false
  for (let links = 0; ;) {
    const part = parts.pop()
    if (part === undefined) return { path, exists, ofProcess }
    if (part === "" || part === ".") continue
    if (!exists) {
      // The system would not go up from what is not there.
      if (part === "..") throw new PathRefused({ reason: "missing", path: given, message: `${path} does not exist.` })
      path = join(path, part)
      continue
    }
    if (part === "..") {
      path = dirname(path)
      continue
    }
    const next = join(path, part)
    const found = await lstat(next).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return undefined
      throw error
    })
    if (found === undefined) exists = false
    else if (found.isSymbolicLink()) {
      if (++links > mostLinks) throw Object.assign(new Error(given), { code: "ELOOP" })
      if (isWithin("/proc", next)) ofProcess = true
      const target = await readlink(next)
      if (isAbsolute(target)) path = "/"
      parts.push(...target.split("/").reverse())
      continue
    } else if (!found.isDirectory() && parts.length > 0) {
      throw Object.assign(new Error(given), { code: "ENOTDIR" })
    }
    path = next
  }
}

/**
 * The places that folders lead to now. Their names may later be made to lead elsewhere: this decides what is inside of them. A folder that
 * is not there holds nothing.
 */
export const pin = (folders: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const real = await Promise.all(folders.map((folder) => follow(folder).catch(() => undefined)))
    return real.flatMap((found) => (found?.exists === true ? [found.path] : []))
  })

/** The place that a path leads to, if that is inside one of the roots: folders as `pin` returns them. */
export const resolve = (roots: ReadonlyArray<string>, given: string): Effect.Effect<RealPath, PathRefused> =>
  Effect.tryPromise({ try: () => contained(roots, given), catch: (error) => refusalOf(given, error) })

export const contained = async (roots: ReadonlyArray<string>, given: string): Promise<RealPath> => {
  if (!isAbsolute(given) || given.includes("\0"))
    throw new PathRefused({ reason: "relative", path: given, message: `${given} is no absolute path.` })
  const real = await follow(given)
  if (roots.some((root) => isWithin(root, real.path))) return real
  const leads = real.path === given ? "" : ` It leads to ${real.path}.`
  throw new PathRefused({
    reason: "outside",
    path: given,
    message: `${given} is outside of the folders of this session.${leads}`
  })
}
