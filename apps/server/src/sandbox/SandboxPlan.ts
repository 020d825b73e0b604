/** What a session's sandbox shows. It follows from the settings, and from what is on the disk at the start. */
import { isWithin } from "@signalbox/contracts/Paths"
import type { SandboxMembers } from "@signalbox/contracts/Sandbox"
import { lstat } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import { compileCache } from "../base/Installation.ts"
import { stateDirectory } from "@signalbox/system/StateDirectory"
import * as Containment from "../workspace/Containment.ts"
import { decidingNames } from "@signalbox/permission/ProtectedNames"
import * as GitFolders from "./GitFolders.ts"
import * as HiddenPaths from "./HiddenPaths.ts"
import type { Environment, Layers } from "./Layers.ts"
import { otherFolder, unguarded } from "./SandboxRefused.ts"

/** What a sandbox is made for. */
export interface Place {
  /** The folders of the session, absolute. The first is the project. */
  readonly folders: ReadonlyArray<string>
  /** The folders of Signalbox itself. */
  readonly own: ReadonlyArray<string>
  /** The file of the program that people have named. Undefined if it is not known yet. */
  readonly program?: string | undefined
  /** Whether the program also runs outside, with other arguments, such as for its version. */
  readonly runsOutside?: boolean | undefined
  /** The environment of the program. */
  readonly environment: Environment
}

/** Folders that every sandbox has for itself. */
const temporary: ReadonlyArray<string> = ["/tmp", "/var/tmp", "/run"]

/** Files that programs need from these folders: names of hosts, and on NixOS the system. */
const needed: ReadonlyArray<string> = ["/etc/resolv.conf", "/run/current-system"]

/** Folders of the state folder that hold programs and nothing else. */
const programsIn = (own: ReadonlyArray<string>): ReadonlyArray<string> =>
  own.map((folder) => join(folder, "agents-installed"))

const isFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false
  )

/** The plan. Throws a `Refused` if the sandbox would not hold. `empty`: see `Layers.empty`. */
export const of = async (members: SandboxMembers, place: Place, empty: string): Promise<Layers> => {
  const { environment, folders, program } = place
  // Another Signalbox of the same user may use the folder that is usual. Node runs what is in the compiled modules.
  const own = [
    ...new Set([...place.own, stateDirectory(undefined), ...[compileCache()].filter((path) => path !== undefined)])
  ]
  const roots = await real(folders)
  const named = { readable: await real(expanded(members.readable)), writable: await real(expanded(members.writable)) }
  const homes = await real(HiddenPaths.homes(environment))
  const ownReal = await real(own)
  const programs = await real([...programsIn(own), ...(program === undefined ? [] : [program]), ...needed])
  const hidden = (await HiddenPaths.of(environment, own)).filter(({ path }) => !temporary.includes(path))

  for (const folder of [...roots, ...named.writable]) {
    const home = homes.find((home) => isWithin(folder, home))
    if (home !== undefined)
      throw unguarded(
        `${folder} holds the home folder ${home}, where shells and desktops find what they run.`,
        folder,
        otherFolder
      )
  }
  for (const folder of [...roots, ...named.writable, ...named.readable]) {
    const state = ownReal.find((state) => isWithin(state, folder))
    if (state !== undefined)
      throw unguarded(`${folder} is in ${state}, which belongs to Signalbox's own state.`, folder, otherFolder)
  }
  for (const folder of roots) {
    const secret = hidden.find(({ path }) => isWithin(path, folder))
    if (secret !== undefined)
      throw unguarded(`${folder} is in ${secret.path}, which holds keys or passwords.`, folder, otherFolder)
  }

  const files = await real(program === undefined ? [] : [program])
  for (const file of place.runsOutside === true ? [...files, ...(program === undefined ? [] : [program])] : []) {
    const folder = [...roots, ...named.writable].find((folder) => isWithin(folder, file))
    if (folder !== undefined)
      throw unguarded(
        `The agent may write its own program ${file}, in ${folder}. Signalbox asks that program for its version outside of the sandbox.`,
        file,
        { action: "run-command", label: "Take the folder of the program out of what the agent may write" }
      )
  }

  const git = await Promise.all(roots.map((root) => GitFolders.of(root, members.git)))
  const deciding = await Promise.all(roots.map(decidingIn))
  return {
    temporary: (await Promise.all(temporary.map(isFolder))).flatMap((there, index) =>
      there && temporary[index] !== undefined ? [temporary[index]] : []
    ),
    visible: program === undefined ? programs : [...programs, program],
    links: await linksOf(folders),
    writable: [...roots, ...git.flatMap(({ writable }) => writable)],
    guarded: [...deciding.flat(), ...git.flatMap(({ guarded }) => guarded)],
    hidden,
    named,
    empty
  }
}

const expanded = (paths: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  paths.map((path) => (path.startsWith("~/") ? join(homedir(), path.slice(2)) : path))

/** The real paths of those that exist. */
const real = async (paths: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const found = await Promise.all(paths.map(HiddenPaths.existing))
  return [...new Set(found.flatMap((one) => (one === undefined ? [] : [one.path])))]
}

/** What is in a project and decides what runs, as far as it exists and is no link. */
const decidingIn = async (root: string): Promise<ReadonlyArray<string>> => {
  const paths = decidingNames.map((name) => join(root, name))
  const found = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)))
  const there = paths.filter((_, index) => {
    const one = found[index]
    return one !== undefined && (one.isDirectory() || one.isFile())
  })
  // A folder on the way may be a link to somewhere else.
  const followed = await real(there)
  return there.filter((path) => followed.includes(path))
}

/** Folders of the session that are named by a link in a temporary folder, which the sandbox does not have. */
const linksOf = async (folders: ReadonlyArray<string>): Promise<Layers["links"]> => {
  const links: Array<{ readonly path: string; readonly to: string }> = []
  for (const path of folders) {
    const leads = await Containment.follow(path).catch(() => undefined)
    const isHidden = temporary.some((folder) => isWithin(folder, path))
    if (leads?.exists === true && leads.path !== path && isHidden) links.push({ path, to: leads.path })
  }
  return links
}
