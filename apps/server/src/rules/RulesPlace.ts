/** The places of rules files: the person's own in the state folder, and that of a project. */
import { lstat, realpath } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { rulesIn } from "../base/StateDirectory.ts"

export interface RulesPlace {
  /** Absolute. */
  readonly path: string
  readonly source: "user" | "project"
  /** The folder in which relative paths of its rules begin, without links. Undefined: in the folder of each session. */
  readonly folder: string | undefined
  /** The person has named the file. So it may be behind a link. */
  readonly isNamed?: true
}

export const folderName = ".signalbox"
export const fileName = "rules.json"

/** The file of the person, for all folders. */
export const ofPerson = (stateFolder: string): RulesPlace => ({
  path: rulesIn(stateFolder),
  source: "user",
  folder: undefined
})

const real = (path: string): Promise<string> => realpath(path).catch(() => path)

/** The file of a project, whether it is there or not. */
export const inProject = async (folder: string): Promise<RulesPlace> => {
  const project = await real(resolve(folder))
  return { path: join(project, folderName, fileName), source: "project", folder: project }
}

/** The nearest file of a project, in a folder or above it. Undefined if there is none. */
export const around = async (folder: string): Promise<RulesPlace | undefined> => {
  for (let project = await real(resolve(folder)); ; project = dirname(project)) {
    const path = join(project, folderName, fileName)
    const isThere = await lstat(path).then(
      () => true,
      () => false
    )
    if (isThere) return { path, source: "project", folder: project }
    if (dirname(project) === project) return undefined
  }
}

/** A file that the person names. Its rules count like the person's own. */
export const named = async (path: string): Promise<RulesPlace> => {
  const absolute = resolve(path)
  const folder = await real(dirname(absolute))
  const isOfProject = basename(absolute) === fileName && basename(folder) === folderName
  return { path: absolute, source: "user", folder: isOfProject ? dirname(folder) : folder, isNamed: true }
}

/** Whether a path is where a project has its rules. */
export const isOfProject = (path: string): boolean =>
  basename(path) === fileName && basename(dirname(path)) === folderName
