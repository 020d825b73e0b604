/** The version of a package that a project uses: the installed one, or else the one in its `package-lock.json`. */
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Effect from "effect/Effect"
import { readFile, realpath } from "node:fs/promises"
import { dirname, join, sep } from "node:path"
import * as ForeignFolder from "../ecosystem/ForeignFolder.ts"

export interface Installed {
  readonly name: string
  readonly version: string
  /** The real folder. Undefined if it is not installed. */
  readonly path?: string | undefined
  /** Whether it is a part of the project itself, whose source may change. */
  readonly isOwn: boolean
  /** What its archive must have, as `package-lock.json` writes it. */
  readonly integrity?: string | undefined
}

const mostBytes = 64 * 1024 * 1024

/** The members of a JSON file; none if there is no such file, or if nobody can read it. */
export const readJson = async (path: string, most = mostBytes): Promise<McpOverAcp.JsonObject> => {
  const read = await ForeignFolder.readText(path, most)
  if ("problem" in read) return {}
  try {
    const value: unknown = JSON.parse(read.text)
    return McpOverAcp.objectOf(value)
  } catch {
    return {}
  }
}

const lockedIn = async (folder: string, name: string): Promise<Installed | undefined> => {
  const { packages } = await readJson(join(folder, "package-lock.json"))
  const { integrity, version } = McpOverAcp.objectOf(McpOverAcp.objectOf(packages)[`node_modules/${name}`])
  if (typeof version !== "string") return undefined
  return { name, version, isOwn: false, ...(typeof integrity === "string" && { integrity }) }
}

/** A manifest is text that people write. */
const mostManifest = 1024 * 1024

interface InstalledFolder {
  /** The folder that has it in its `node_modules`. */
  readonly parent: string
  /** Its own folder, with links followed. */
  readonly path: string
  readonly version: string
  /** The members of its `package.json`. */
  readonly manifest: McpOverAcp.JsonObject
}

/** Finds an installed package as Node does: in `node_modules` of a folder, or of one that it is in. */
export const installed = async (name: string, from: string): Promise<InstalledFolder | undefined> => {
  for (let parent = from; ; parent = dirname(parent)) {
    const path = join(parent, "node_modules", name)
    const manifest = await readJson(join(path, "package.json"), mostManifest)
    const { version } = manifest
    if (typeof version === "string") return { parent, path: await realpath(path), version, manifest }
    if (dirname(parent) === parent) return undefined
  }
}

/** Looks in the folder and in those that it is in, as Node does. */
export const find = (name: string, cwd: string): Effect.Effect<Installed | undefined> =>
  Effect.promise(async () => {
    const found = await installed(name, cwd)
    let locked: Installed | undefined
    for (let folder = cwd; ; folder = dirname(folder)) {
      locked ??= await lockedIn(folder, name)
      if (found?.parent === folder || dirname(folder) === folder) break
    }
    if (found === undefined) return locked
    const { path, version } = found
    const isOwn = !path.includes(`${sep}node_modules${sep}`)
    return { name, version, path, isOwn, ...(locked?.version === version && { integrity: locked.integrity }) }
  })

/** Registries that the project names, as flags of npm: for all packages, and for those of a scope. Nothing else of its `.npmrc` counts. */
export const registryFlags = (cwd: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    for (let folder = cwd; ; folder = dirname(folder)) {
      const text = await readFile(join(folder, ".npmrc"), "utf8").catch(() => undefined)
      if (text !== undefined)
        return text.split("\n").flatMap((line) => {
          const at = line.indexOf("=")
          const [name, value] = [line.slice(0, at).trim(), line.slice(at + 1).trim()]
          // A variable in an address would send its value there.
          const isAddress = /^https?:\/\//.test(value) && !value.includes("${")
          return at !== -1 && isAddress && (name === "registry" || /^@[\w.~-]+:registry$/.test(name))
            ? [`--${name}=${value}`]
            : []
        })
      if (dirname(folder) === folder) return []
    }
  })
