/**
 * The places of Signalbox's own parts: in the repository, or in the package that `npm run pack` makes of it. Both look alike from inside.
 */
import { existsSync, readFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"

interface Installation {
  readonly root: string
  /** The sources are there, and so are the dependencies that they were locked with. */
  readonly isRepository: boolean
}

/**
 * The nearest folder around this file whose package.json is Signalbox's own. Nothing but the name tells: any other file, a
 * lockfile for one, may as well belong to the project that Signalbox is installed in.
 */
const around = (folder: string): Installation => {
  const found = packageIn(folder)
  if (found?.name === "signalbox") return { root: folder, isRepository: found.workspaces !== undefined }
  const parent = dirname(folder)
  if (parent === folder) throw new Error(`${import.meta.dirname} is not inside an installation of Signalbox.`)
  return around(parent)
}

const packageIn = (folder: string): { readonly name?: unknown; readonly workspaces?: unknown } | undefined => {
  const file = join(folder, "package.json")
  if (!existsSync(file)) return undefined
  const found: unknown = JSON.parse(readFileSync(file, "utf8"))
  return typeof found === "object" && found !== null ? found : undefined
}

const { isRepository, root } = around(import.meta.dirname)

/** The absolute path of a file of the repository. The package has few of them. */
export const inRepository = (...path: ReadonlyArray<string>): string => join(root, ...path)

/** It says which Signalbox this is. */
export const packageFile = join(root, "package.json")

/** What Vite has made of the page. */
export const pageFolder = isRepository ? join(root, "apps", "web", "dist") : join(root, "page")

/** The agents of the public registry that come with us. */
export const registryFile = isRepository
  ? join(root, "apps", "server", "registry", "generated", "registry.json")
  : join(root, "registry.json")

// Node runs TypeScript as it is, but not below a folder `node_modules`. So the package has built files.
const standIns = isRepository ? join(root, "packages", "stand-in-agents") : join(root, "server", "agents")

/** The file that Node runs as one of the agents that come with us. */
export const standInAgent = (name: "eliza" | "player" | "scripted"): string =>
  isRepository ? join(standIns, "src", name, "main.ts") : join(standIns, `${name}.js`)

/** The program that behaves like Cursor's. */
export const simulatedCursor = isRepository ? join(standIns, "bin", "cursor-agent") : join(standIns, "cursor-agent")

/** The file that the thread for checkpoints runs. */
export const checkpointWorker = isRepository
  ? join(root, "apps", "server", "src", "storage", "CheckpointWorker.ts")
  : join(root, "server", "CheckpointWorker.js")

/**
 * The folder of compiled modules. It is not in the machine's common folder for temporary files, since what is in there is run. An installed
 * package may be writable by an administrator only, so its modules are kept with the person. Undefined if there is no such folder.
 */
export const compileCache = (env: NodeJS.ProcessEnv = process.env): string | undefined => {
  if (isRepository) return join(root, "node_modules", ".cache", "signalbox")
  const caches = [env["XDG_CACHE_HOME"], process.platform === "win32" ? env["LOCALAPPDATA"] : join(homedir(), ".cache")]
  // A relative one would be in the folder that somebody happens to be in.
  const cache = caches.find((folder) => folder !== undefined && isAbsolute(folder))
  return cache === undefined ? undefined : join(cache, "signalbox", "compiled")
}
