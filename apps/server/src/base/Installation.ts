/**
 * The paths of Signalbox's own parts, in the repository or in the package that `npm run pack` makes. Both have the same
 * layout.
 */
import { existsSync, readFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, isAbsolute, join, sep } from "node:path"

interface Installation {
  readonly root: string
  /** Whether this is the repository, which has the sources and their locked dependencies. */
  readonly isRepository: boolean
}

/**
 * The nearest folder around this file whose package.json is Signalbox's own. Only the name is decisive: any other file,
 * such as a lockfile, may belong to the project that Signalbox is installed in.
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

/** Signalbox's package.json, which holds its version. */
export const packageFile = join(root, "package.json")

/** The page as Vite has built it. */
export const pageFolder = isRepository ? join(root, "apps", "web", "dist") : join(root, "page")

/** The list of the public registry that is shipped with Signalbox. */
export const registryFile = isRepository
  ? join(root, "apps", "server", "registry", "generated", "registry.json")
  : join(root, "registry.json")

/** The folder of the build. It has the same layout in the repository and in the package. */
const build = isRepository ? join(root, "apps", "server", "dist") : join(root, "server")

// What is built starts what was built with it: Eliza is there in a third of the time that her sources take. Also, Node runs no
// TypeScript below a folder `node_modules`.
const isBuilt = import.meta.dirname === build || import.meta.dirname.startsWith(build + sep)

/** The file that Node runs for one of the agents that are shipped with Signalbox. */
export const standInAgent = (name: "eliza" | "nes" | "player" | "scripted"): string =>
  isBuilt ? join(build, "agents", `${name}.js`) : join(root, "packages", "stand-in-agents", "src", name, "main.ts")

/** The emulator of Cursor's program. */
export const simulatedCursor = isRepository
  ? join(root, "packages", "stand-in-agents", "bin", "cursor-agent")
  : join(build, "agents", "cursor-agent")

/** The file that the worker thread for checkpoints runs. */
export const checkpointWorker = isBuilt
  ? join(build, "CheckpointWorker.js")
  : join(root, "apps", "server", "src", "storage", "CheckpointWorker.ts")

/** The file that Node runs inside of a sandbox without network. */
export const sandboxRelay = isBuilt
  ? join(build, "Relay.js")
  : join(root, "apps", "server", "src", "sandbox", "Relay.ts")

/**
 * The folder of compiled modules. Node runs its content, so it isn't in the machine's shared temporary folder. An
 * installed package may be writable for administrators only, so its modules are kept in the user's cache. Undefined if
 * there is no such folder.
 */
export const compileCache = (env: NodeJS.ProcessEnv = process.env): string | undefined => {
  if (isRepository) return join(root, "node_modules", ".cache", "signalbox")
  const caches = [env["XDG_CACHE_HOME"], process.platform === "win32" ? env["LOCALAPPDATA"] : join(homedir(), ".cache")]
  // A relative path would depend on the current folder.
  const cache = caches.find((folder) => folder !== undefined && isAbsolute(folder))
  return cache === undefined ? undefined : join(cache, "signalbox", "compiled")
}
