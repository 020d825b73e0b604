/** The skills in the folder of a package: folders with a `SKILL.md`, whose first lines name and describe it. */
import type { Dirent } from "node:fs"
import { readdir } from "node:fs/promises"
import { basename, join, relative } from "node:path"
import * as ForeignFolder from "../../../ecosystems/ecosystem/ForeignFolder.ts"
import type { Warn } from "../dependencies/Dependency.ts"
import * as FrontMatter from "./FrontMatter.ts"

export interface Skill {
  readonly name: string
  /** What it is good for, in its author's words; empty if nobody says it. */
  readonly description: string
  /** Its absolute folder, with links followed. It is in the folder of the package. */
  readonly folder: string
}

/** The most skills of one package. */
const mostSkills = 50
const mostEntries = 500
/** A longer `SKILL.md` is refused: agents read it whole. */
export const mostBytes = 256 * 1024
const mostDescription = 1024

/** Whether a text can be the name of a skill: it is then safe in a line and as a part of a path. */
const isSkillName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)

interface Entry {
  readonly name: string
  readonly isLink: boolean
}

const foldersIn = async (folder: string): Promise<ReadonlyArray<Entry>> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): ReadonlyArray<Dirent> => [])
  return entries
    .slice(0, mostEntries)
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map((entry) => ({ name: entry.name, isLink: entry.isSymbolicLink() }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** The text of a folder's `SKILL.md`. A link is followed only to see whether it leads out. */
const textIn = async (root: string, folder: string): Promise<ForeignFolder.Outcome> => {
  const file = join(folder, "SKILL.md")
  const own = await ForeignFolder.readOwn(file, mostBytes)
  if (own !== undefined) return own
  const real = await ForeignFolder.follow(root, relative(root, file))
  return "problem" in real ? real : ForeignFolder.readText(real.path, mostBytes)
}

/** The skill in a folder; undefined if there is none. */
const skillIn = async (root: string, folder: string, warn: Warn): Promise<Skill | undefined> => {
  const place = JSON.stringify(relative(root, folder).slice(0, 200))
  const read = await textIn(root, folder)
  if ("problem" in read) {
    if (read.problem !== "is not there") warn(`SKILL.md in ${place} ${read.problem}`)
    return undefined
  }
  const members = FrontMatter.of(read.text)
  const own = basename(folder)
  const named = members?.get("name") ?? ""
  const name = isSkillName(named) ? named : own
  const description = (members?.get("description") ?? "").slice(0, mostDescription)
  if (!isSkillName(name)) {
    warn(`the skill in ${place} has no name, so it is left out`)
    return undefined
  }
  if (!isSkillName(named) || description === "")
    warn(`SKILL.md in ${place} does not begin with a name and a description`)
  return { name, description, folder }
}

/**
 * The skills of a package. A folder that is not there has none.
 *
 * @param root the folder of the package, without links
 * @param paths folders in it that hold folders of skills
 */
export const of = async (root: string, paths: ReadonlyArray<string>, warn: Warn): Promise<ReadonlyArray<Skill>> => {
  const skills = new Map<string, Skill>()
  for (const holderPath of paths) {
    const holder = await ForeignFolder.follow(root, holderPath)
    if ("problem" in holder) {
      if (holder.problem !== "is not there")
        warn(`its folder of skills ${JSON.stringify(holderPath)} ${holder.problem}`)
      continue
    }
    for (const { isLink, name } of await foldersIn(holder.path)) {
      const path = join(holder.path, name)
      const folder = isLink ? await ForeignFolder.follow(root, relative(root, path)) : { path }
      if ("problem" in folder) {
        warn(`${JSON.stringify(join(holderPath, name).slice(0, 200))} ${folder.problem}`)
        continue
      }
      const skill = await skillIn(root, folder.path, warn)
      if (skill === undefined || skills.has(skill.name)) continue
      if (skills.size === mostSkills) {
        warn(`it has more than ${mostSkills} skills, and the others are left out`)
        return [...skills.values()]
      }
      skills.set(skill.name, skill)
    }
  }
  return [...skills.values()]
}
