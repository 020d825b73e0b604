/** The packages of npm that a project names, where they are installed. Nothing is fetched. */
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Effect from "effect/Effect"
import { realpath } from "node:fs/promises"
import { join } from "node:path"
import * as NearestFolder from "../../../ecosystems/ecosystem/NearestFolder.ts"
import * as NpmProject from "../../../ecosystems/npm/NpmProject.ts"
import { isPackageName } from "../../../ecosystems/npm/PackageName.ts"
import { type Dependencies, type Dependency, most, type Warn } from "./Dependency.ts"
import * as Members from "./Members.ts"

const tables = ["dependencies", "devDependencies", "optionalDependencies"]

const mostManifest = 1024 * 1024

const installed = (name: string, from: string): Effect.Effect<Dependency | undefined> =>
  Effect.promise(async () => {
    const found = await NpmProject.installed(name, from)
    if (found === undefined) return undefined
    const { manifest, path, version } = found
    return { ecosystem: "npm", name, version, folder: path, metadata: manifest["symposium"] }
  })

/** The names that the project and its members use, each with the first folder that does. */
const namesIn = async (project: string, warn: Warn): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>()
  const add = (folder: string, manifest: McpOverAcp.JsonObject): void => {
    for (const table of tables)
      for (const name of Object.keys(McpOverAcp.objectOf(manifest[table]))) {
        if (!isPackageName(name)) warn(`${JSON.stringify(name.slice(0, 100))} is no name of a package of npm.`)
        else if (names.size < most && !names.has(name)) names.set(name, folder)
      }
  }
  const read = (folder: string) => NpmProject.readJson(join(folder, "package.json"), mostManifest)
  const manifest = await read(project)
  add(project, manifest)
  const { workspaces } = manifest
  const patterns = Array.isArray(workspaces) ? workspaces : McpOverAcp.objectOf(workspaces)["packages"]
  for (const member of await Members.of(await realpath(project), patterns, warn)) add(member, await read(member))
  return names
}

/** The packages of the project that a folder is in; undefined if it is in none. */
export const of = Effect.fnUntraced(function* (cwd: string, warn: Warn): Effect.fn.Return<Dependencies | undefined> {
  const project = yield* NearestFolder.nearest("package.json", cwd)
  if (project === undefined) return undefined
  const names = yield* Effect.promise(() => namesIn(project, warn))
  const found = yield* Effect.forEach(names, ([name, folder]) => installed(name, folder), { concurrency: 8 })
  return {
    direct: found.filter((one) => one !== undefined),
    find: (name, from) => (isPackageName(name) ? installed(name, from.folder) : Effect.undefined)
  }
})
