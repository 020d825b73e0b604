/** Asks the registry by npm, in an empty folder of our own. So it honours the user's settings. No script of a package is run. */
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Effect from "effect/Effect"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import * as PackageTool from "../ecosystem/PackageTool.ts"
import * as WorkFolder from "../ecosystem/WorkFolder.ts"
import * as NpmProject from "./NpmProject.ts"

export interface Npm {
  readonly cache: string
  readonly cwd: string
}

const flags = [
  "--json",
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--no-update-notifier",
  "--loglevel=error",
  "--fetch-retries=0",
  "--fetch-timeout=20000"
]

const failed = (message: string) => new PackageTool.ToolFailed({ reason: "Failed", message })

const workFolder = (cache: string) => WorkFolder.make(cache, { "package.json": '{"private":true}' })

const run = Effect.fnUntraced(function* (folder: string, { cwd }: Npm, args: ReadonlyArray<string>) {
  return yield* PackageTool.run({
    command: "npm",
    args: [...args, ...flags, ...(yield* NpmProject.registryFlags(cwd))],
    cwd: folder,
    env: { NO_COLOR: "1" },
    seconds: 60
  })
})

/** What the registry says of a package: all its versions, or one of them. */
export const view = Effect.fnUntraced(function* (npm: Npm, name: string, members: ReadonlyArray<string>) {
  const folder = yield* workFolder(npm.cache)
  const text = yield* run(folder, npm, ["view", name, ...members])
  const value: unknown = yield* Effect.try({ try: () => JSON.parse(text), catch: () => failed("npm wrote no JSON.") })
  return McpOverAcp.objectOf(Array.isArray(value) ? value.at(-1) : value)
}, Effect.scoped)

/** Fetches the archive of one version, and returns its path. It is there until the scope closes. */
export const pack = Effect.fnUntraced(function* (npm: Npm, name: string, version: string) {
  const folder = yield* workFolder(npm.cache)
  yield* run(folder, npm, ["pack", `${name}@${version}`, "--prefer-offline"])
  const files = yield* Effect.promise(() => readdir(folder))
  const archive = files.find((file) => file.endsWith(".tgz"))
  return archive === undefined ? yield* Effect.fail(failed("npm pack made no archive.")) : join(folder, archive)
})
