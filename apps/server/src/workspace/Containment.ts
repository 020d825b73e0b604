/**
 * Decides whether a path is inside the folders that an agent was given. Every link on the way is followed as the system
 * follows it. The last part need not exist. A path that can't be decided counts as outside.
 */
import { isWithin } from "@signalbox/contracts/Paths"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { lstat, readlink } from "node:fs/promises"
import { dirname, isAbsolute, join } from "node:path"
import { codeOf, reasonOf } from "@signalbox/system/SystemError"

/** Why a path was refused. `message` is a sentence for agents and people. */
export class PathRefused extends Schema.TaggedError<PathRefused>()("PathRefused", {
  reason: Schema.Literals([
    "relative",
    "outside",
    "protected",
    "hard-link",
    "missing",
    "kind",
    "content",
    "changed",
    "rule",
    "system"
  ]),
  path: Schema.String,
  message: Schema.String,
  /** With `protected`: what is special about it, such as ".ssh holds keys or passwords". */
  why: Schema.optionalKey(Schema.String)
}) {}

/** The path that another path leads to, without links. */
export interface RealPath {
  readonly path: string
  readonly exists: boolean
  /** Whether a link of `/proc` was followed, which leads each process to another place. */
  readonly ofProcess: boolean
}

/** The most links that are followed, like the limit of the system. */
const mostLinks = 40

/** Turns an error of the operating system into a refusal. */
export const refusalOf = (path: string, error: unknown): PathRefused => {
  if (error instanceof PathRefused) return error
  const code = codeOf(error)
  if (code === "ENOENT") return new PathRefused({ reason: "missing", path, message: `${path} does not exist.` })
  if (code === "ENOTDIR")
    return new PathRefused({ reason: "kind", path, message: `A part of ${path} is a file and no folder.` })
  return new PathRefused({ reason: "system", path, message: `${path}: ${reasonOf(error)}.` })
}

/** Follows the links of an absolute path one by one. Behind a missing part, only names may follow. */
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
      // The system refuses `..` behind a missing folder.
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
 * The current real paths of folders. Somebody may later redirect their names, so these paths decide what is inside. A
 * missing folder is left out.
 */
export const pin = (folders: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const real = await Promise.all(folders.map((folder) => follow(folder).catch(() => undefined)))
    return real.flatMap((found) => (found?.exists === true ? [found.path] : []))
  })

/** The real path of a path, if it is inside one of the roots. `roots`: folders as `pin` returns them. */
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
