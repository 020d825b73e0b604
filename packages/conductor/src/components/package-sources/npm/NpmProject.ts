/** The version of a package that a project uses: the installed one, or else the one in its `package-lock.json`. */
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Effect from "effect/Effect"
import { readFile, realpath, stat } from "node:fs/promises"
import { dirname, join, sep } from "node:path"

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
export const readJson = async (path: string): Promise<McpOverAcp.JsonObject> => {
  try {
    if ((await stat(path)).size > mostBytes) return {}
    const value: unknown = JSON.parse(await readFile(path, "utf8"))
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

/** Looks in the folder and in those that it is in, as Node does. */
export const find = (name: string, cwd: string): Effect.Effect<Installed | undefined> =>
  Effect.promise(async () => {
    let locked: Installed | undefined
    for (let folder = cwd; ; folder = dirname(folder)) {
      const path = join(folder, "node_modules", name)
      const { version } = await readJson(join(path, "package.json"))
      locked ??= await lockedIn(folder, name)
      if (typeof version === "string") {
        const real = await realpath(path)
        const isOwn = !real.includes(`${sep}node_modules${sep}`)
        return { name, version, path: real, isOwn, ...(locked?.version === version && { integrity: locked.integrity }) }
      }
      if (dirname(folder) === folder) return locked
    }
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

/** Whether a folder, or one that it is in, has a `package.json`. */
export const isIn = (cwd: string): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    for (let folder = cwd; ; folder = dirname(folder)) {
      const found = await stat(join(folder, "package.json")).catch(() => undefined)
      if (found?.isFile() === true) return true
      if (dirname(folder) === folder) return false
    }
  })
