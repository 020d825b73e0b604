/**
 * Checks whether other accounts of this machine could change Signalbox's files. Such an account decides which programs
 * run as this user.
 */
import type { Problem } from "@signalbox/contracts/Problem"
import * as Effect from "effect/Effect"
import { chmodSync, lstatSync, realpathSync, type Stats, statSync } from "node:fs"
import { dirname } from "node:path"

export interface Exposure {
  readonly path: string
  /** Who can change the path, in one sentence. */
  readonly why: string
  /** The shell command that repairs it. */
  readonly command: string
}

const others = 0o002
const group = 0o020
const sticky = 0o1000

/** Quotes a path as one word for a shell. */
const quoted = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`

/** Undefined also if the path is missing or can't be read: using it later fails with its own error. */
const attempt = <A>(look: () => A): A | undefined => {
  try {
    return look()
  } catch {
    return undefined
  }
}

const modeOf = ({ mode }: Stats): string => (mode & 0o7777).toString(8).padStart(4, "0")

const ofItself = (path: string, uid: number): Exposure | undefined => {
  const found = attempt(() => statSync(path))
  if (found === undefined) return undefined
  if (found.uid !== uid && found.uid !== 0) {
    const why = `${path} belongs to another account of this machine (number ${found.uid}).`
    return { path, why, command: `sudo chown ${uid} ${quoted(path)}` }
  }
  // Writing to a device such as /dev/null does not change what is read from it.
  if ((found.mode & others) === 0 || found.isCharacterDevice()) return undefined
  const why = `Every account of this machine can write to ${path} (mode ${modeOf(found)}).`
  return { path, why, command: `chmod o-w ${quoted(path)}` }
}

/**
 * The exposure by a folder. Everything below a folder that everybody can write to can be replaced, unless its sticky
 * bit is set.
 */
const ofFolder = (path: string): Exposure | undefined => {
  const found = attempt(() => statSync(path))
  if (found === undefined || !found.isDirectory()) return undefined
  if ((found.mode & others) === 0 || (found.mode & sticky) !== 0) return undefined
  const why = `Every account of this machine can exchange what is in ${path} (mode ${modeOf(found)}).`
  return { path, why, command: `chmod o-w ${quoted(path)}` }
}

const above = (path: string): ReadonlyArray<string> => {
  const parent = dirname(path)
  return parent === path ? [] : [parent, ...above(parent)]
}

/**
 * The first of these absolute paths that others can change, or can replace in one of its parent folders. The targets of
 * links count too.
 */
export const find = (paths: ReadonlyArray<string>): Exposure | undefined => {
  const uid = process.geteuid?.()
  if (uid === undefined) return undefined
  for (const path of paths) {
    const real = attempt(() => realpathSync(path)) ?? path
    const folders = new Set([...above(path), ...above(real)])
    for (const found of [ofItself(path, uid), ...[...folders].map(ofFolder)]) if (found !== undefined) return found
  }
  return undefined
}

/** Removes the group's permission to write to our own files. Returns the files that were changed. */
const mend = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.filter((path) => {
    const found = attempt(() => lstatSync(path))
    if (found === undefined || found.isSymbolicLink() || (found.mode & group) === 0) return false
    if (found.uid !== process.geteuid?.()) return false
    const mode = found.mode & 0o7777 & ~group
    attempt(() => chmodSync(path, mode))
    return attempt(() => lstatSync(path).mode & 0o7777) === mode
  })

/** Calls `mend`, and logs each change. */
export const mended = (paths: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.forEach(
    mend(paths),
    (path) => Effect.logWarning(`The group could write to ${path}. That was ended: only its owner can now.`),
    { discard: true }
  )

export const problemOf = ({ command, path, why }: Exposure): Problem => ({
  code: "config-invalid",
  title: "Others can change what Signalbox works with.",
  cause: `${why} Whoever does decides which programs Signalbox runs as you.`,
  evidence: { path },
  nextSteps: [
    { action: "run-command", label: "See whether all in it is yours, then end that", command },
    { action: "set-option", label: "Or choose another folder with --state-dir" }
  ]
})
