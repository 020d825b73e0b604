/** Whether other accounts of this machine could change what is ours. Who can decides which programs run as us. */
import type { Problem } from "@signalbox/contracts/Problem"
import * as Effect from "effect/Effect"
import { chmodSync, lstatSync, realpathSync, type Stats, statSync } from "node:fs"
import { dirname } from "node:path"

export interface Exposure {
  readonly path: string
  /** Who can change the path, in one sentence. */
  readonly why: string
  /** The shell command that mends it. */
  readonly command: string
}

const others = 0o002
const group = 0o020
const sticky = 0o1000

/** Quotes a path as one word for a shell. */
const quoted = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`

/** Undefined also for what may not be looked at, and what is not there: using it fails with words of its own. */
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
  // What is written to a device such as /dev/null changes nothing that is read from it.
  if ((found.mode & others) === 0 || found.isCharacterDevice()) return undefined
  const why = `Every account of this machine can write to ${path} (mode ${modeOf(found)}).`
  return { path, why, command: `chmod o-w ${quoted(path)}` }
}

/** In a folder that everybody can write to, all that is below can be exchanged. It can't where each may take away only what is theirs. */
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

/** The first of these paths, absolute, that others can change, or exchange in a folder that it lies in. Where links lead counts too. */
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

/** Takes from the group of our own files what it could write. Says of which. */
const mend = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.filter((path) => {
    const found = attempt(() => lstatSync(path))
    if (found === undefined || found.isSymbolicLink() || (found.mode & group) === 0) return false
    if (found.uid !== process.geteuid?.()) return false
    const mode = found.mode & 0o7777 & ~group
    attempt(() => chmodSync(path, mode))
    return attempt(() => lstatSync(path).mode & 0o7777) === mode
  })

/** `mend`, and says so in the log. */
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
