/**
 * The paths that Signalbox doesn't read or write for agents, even inside their session's folders. They are recognised by
 * their names on the real path (`ProtectedNames`). Our own state
 * is recognised by the identity of its folders. If an agent wants to read such a path itself, settings never allow it:
 * people are asked.
 */
import { isWithin } from "@signalbox/contracts/Paths"
import { type Access, depthOf, protectedPart, spreading } from "@signalbox/permission/ProtectedNames"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { lstat, readdir, stat } from "node:fs/promises"
import { homedir } from "node:os"
import { basename, dirname, join } from "node:path"
import { isMissing } from "@signalbox/system/SystemError"
import { contained, follow, PathRefused, type RealPath, refusalOf } from "./Containment.ts"

/** Signalbox's own folders, absolute. Nothing in them is read or written for agents. */
export const OwnFolders = Context.Reference<ReadonlyArray<string>>("@signalbox/server/workspace/OwnFolders", {
  defaultValue: () => []
})

/** What one session may access: its folders, and the folders that are always refused. */
export interface Grant {
  /** The folders of the session, as `Containment.pin` returns them. */
  readonly roots: ReadonlyArray<string>
  /** The folders of Signalbox itself: see `OwnFolders`. */
  readonly own: ReadonlyArray<string>
  /** `read`: a file with several names (hard links) may be read. Otherwise it is refused. */
  readonly hardLinks?: "read" | undefined
  /** The only file that is meant, without links, if a decision about it has been made. */
  readonly real?: string | undefined
}

/** The real path of a path, if it is inside the session's folders and not protected. */
export const admitted = async (grant: Grant, given: string, access: Access): Promise<RealPath> => {
  const real = await contained(grant.roots, given)
  await check(grant, given, real.path, access)
  return real
}

export const resolve = (grant: Grant, given: string, access: Access): Effect.Effect<RealPath, PathRefused> =>
  Effect.tryPromise({ try: () => admitted(grant, given, access), catch: (error) => refusalOf(given, error) })

/** Fails if a path is protected. `real`: the real path of `given`, which need not exist. */
export const check = async (grant: Grant, given: string, real: string, access: Access): Promise<void> => {
  const depths = grant.roots.filter((root) => isWithin(root, real)).map(depthOf)
  const found = protectedPart(real, Math.max(0, ...depths), access)
  if (found !== undefined) throw refused(given, real, `${found.name} ${found.group.why}`)
  if (await isOwn(grant.own, real)) throw refused(given, real, "it belongs to Signalbox's own state")
}

/**
 * Whether people must decide if an agent reads this path itself, because the file service would refuse it. That holds
 * for protected paths and for files with other names. It also holds for folders that contain keys, the home folder or
 * our own state. `real`: an existing path without links.
 */
export const isForPeople = async (grant: Grant, real: string): Promise<boolean> => {
  try {
    await check(grant, real, real, "read")
    const found = await lstat(real)
    if (found.isDirectory()) return await isAroundKeys(grant, real)
    await checkLinks(grant, real, found)
    return false
  } catch {
    // The path is refused, or it can't be checked.
    return true
  }
}

/**
 * The built-in rule about a path that a request names; undefined if there is none. `real`: the path without links, which need not exist.
 * `any`: what is done with it is not known.
 */
export const guardOf = async (
  grant: Pick<Grant, "own" | "roots">,
  real: string,
  access: Access | "any"
): Promise<{ readonly effect: "deny" | "ask"; readonly why: string } | undefined> => {
  const name = basename(real)
  if (await isOwn(grant.own, real)) return { effect: "deny", why: `${name} belongs to Signalbox's own state.` }
  const depths = grant.roots.filter((root) => isWithin(root, real)).map(depthOf)
  const found = protectedPart(real, Math.max(0, ...depths), access === "read" ? "read" : "write")
  if (found !== undefined) {
    const { denied, why } = found.group
    const effect = denied === "all" || (denied === "write" && access === "write") ? "deny" : "ask"
    return { effect, why: `${found.name} ${why}.` }
  }
  const isFolder = await lstat(real).then(
    (there) => there.isDirectory(),
    () => false
  )
  return isFolder && (await isAroundKeys(grant, real))
    ? { effect: "ask", why: `${real} holds keys, or Signalbox's own state.` }
    : undefined
}

/** The strictest built-in rule about the names of one path: as it is said, and without links. A link may lead from a protected name to another one. */
export const strictestOf = async (
  grant: Pick<Grant, "own" | "roots">,
  names: ReadonlyArray<string>,
  access: Access | "any"
): ReturnType<typeof guardOf> => {
  const guards = await Promise.all([...new Set(names)].map((name) => guardOf(grant, name, access)))
  return guards.find((found) => found?.effect === "deny") ?? guards.find((found) => found !== undefined)
}

const isAroundKeys = async (grant: Pick<Grant, "own">, folder: string): Promise<boolean> => {
  const around = await Promise.all([homedir(), ...grant.own].map((path) => follow(path)))
  if (around.some(({ path }) => isWithin(folder, path))) return true
  const there = await Promise.all(
    spreading.map((name) =>
      lstat(join(folder, name)).then(
        () => true,
        (error: unknown) => !isMissing(error)
      )
    )
  )
  return there.includes(true)
}

const refused = (given: string, real: string, why: string): PathRefused => {
  const leads = real === given ? "" : ` It leads to ${real}.`
  return new PathRefused({
    reason: "protected",
    path: given,
    message: `${given} is not given to agents: ${why}.${leads}`,
    why
  })
}

interface Identity {
  readonly dev: number
  readonly ino: number
}

const isSame = (one: Identity, other: Identity): boolean => one.dev === other.dev && one.ino === other.ino

/**
 * Whether a path is one of the folders or inside one. It compares the identity of the folders, since they may be
 * reached by other names.
 */
const isOwn = async (own: ReadonlyArray<string>, real: string): Promise<boolean> => {
  const folders = await identities(own)
  if (folders.length === 0) return false
  const above = [real]
  for (let path = real; path !== "/";) above.push((path = dirname(path)))
  const passed = await identities(above)
  return passed.some((one) => folders.some((folder) => isSame(one, folder)))
}

const identities = async (paths: ReadonlyArray<string>): Promise<ReadonlyArray<Identity>> => {
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)))
  return found.filter((one) => one !== undefined)
}

/**
 * Refuses a file with other names (hard links), since one of them may be outside. Called before the file is opened, and
 * again with the open file.
 */
export const checkLinks = async (
  grant: Grant,
  given: string,
  file: Identity & { readonly nlink: number }
): Promise<void> => {
  if (file.nlink <= 1) return
  if (grant.hardLinks !== "read")
    throw new PathRefused({
      reason: "hard-link",
      path: given,
      message: `${given} has ${file.nlink} names (hard links), and another one may be outside of the folders of this session. "hardLinks": "read" in the agent's entry of the settings allows to read it, and to replace it under this name.`
    })
  for (const folder of grant.own) {
    const names = await readdir(folder).catch(() => [])
    const ours = await Promise.all(names.map((name) => lstat(join(folder, name)).catch(() => undefined)))
    if (ours.some((one) => one !== undefined && isSame(one, file)))
      throw refused(given, given, "it is a file of Signalbox's own state, under another name")
  }
}
