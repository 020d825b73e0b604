/**
 * Asks for modules by the user's own `go`, so its proxies, its checksum database and its cache of modules count. The program
 * itself checks archives and unpacks them. It runs no code of a module.
 */
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Effect from "effect/Effect"
import { join, resolve } from "node:path"
import * as PackageTool from "../ecosystem/PackageTool.ts"
import * as WorkFolder from "../ecosystem/WorkFolder.ts"

export interface Go {
  /** A folder of our own. */
  readonly cache: string
  /** How long one run may take. */
  readonly seconds: number
}

const failed = (message: string) => new PackageTool.ToolFailed({ reason: "Failed", message })

/** Some commands say in their JSON what is wrong. */
const saidIn = (failure: PackageTool.ToolFailed): PackageTool.ToolFailed => {
  try {
    const { Error: said } = McpOverAcp.objectOf(JSON.parse(failure.output ?? ""))
    return typeof said === "string" ? failed(said) : failure
  } catch {
    // It is no JSON, so the message is all that there is.
    return failure
  }
}

/**
 * Runs it in a module that is empty and no part of any workspace. Returns the object that it prints as JSON. Text that is none is a
 * failure.
 */
const run = Effect.fnUntraced(function* (
  { cache, seconds }: Go,
  args: ReadonlyArray<string>,
  env: PackageTool.Run["env"] = {}
) {
  const cwd = yield* WorkFolder.make(cache, { "go.mod": "module signalbox.invalid/work\n" })
  const ran = PackageTool.run({
    command: "go",
    args,
    cwd,
    // A project may name another Go, which would be downloaded and run.
    env: {
      GOTOOLCHAIN: "local",
      GIT_TERMINAL_PROMPT: "0",
      GO111MODULE: "on",
      GOWORK: "off",
      GOFLAGS: "-mod=mod",
      ...env
    },
    seconds
  })
  const text = yield* Effect.mapError(ran, (failure) => (failure.output === undefined ? failure : saidIn(failure)))
  const value: unknown = yield* Effect.try({ try: () => JSON.parse(text), catch: () => failed("go wrote no JSON.") })
  return McpOverAcp.objectOf(value)
}, Effect.scoped)

/** The module that a project uses for a name. */
export type Used =
  /** A published one. Its name is another one where the project has replaced it. */
  | { readonly type: "published"; readonly name: string; readonly version: string }
  /** A folder, whose source may change. */
  | { readonly type: "own"; readonly path: string }

const listOf = (value: unknown): ReadonlyArray<McpOverAcp.JsonObject> =>
  Array.isArray(value) ? value.map(McpOverAcp.objectOf) : []

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** What the `go.mod` in a folder says of a module; undefined if nothing. Nobody is asked, and nothing is changed. */
export const used = (go: Go, name: string, folder: string): Effect.Effect<Used | undefined> =>
  run(go, ["mod", "edit", "-json", join(folder, "go.mod")]).pipe(
    Effect.map(({ Module, Replace, Require }): Used | undefined => {
      if (McpOverAcp.objectOf(Module)["Path"] === name) return { type: "own", path: folder }
      const version = textOf(listOf(Require).find(({ Path }) => Path === name)?.["Version"])
      const replaced = listOf(Replace).find((one) => {
        const old = McpOverAcp.objectOf(one["Old"])
        return old["Path"] === name && (old["Version"] === undefined || old["Version"] === version)
      })
      const { Path, Version } = McpOverAcp.objectOf(replaced?.["New"])
      if (typeof Path !== "string") return version === undefined ? undefined : { type: "published", name, version }
      return typeof Version === "string"
        ? { type: "published", name: Path, version: Version }
        : { type: "own", path: resolve(folder, Path) }
    }),
    // The next question names what is wrong with go, or does without the project.
    Effect.orElseSucceed(() => undefined)
  )

/** The published versions, without those that their author has retracted. */
export const versions = (go: Go, name: string) =>
  Effect.map(run(go, ["list", "-m", "-versions", "-json", `${name}@latest`]), ({ Version, Versions }) => {
    const all = Array.isArray(Versions) ? Versions.filter((one) => typeof one === "string") : []
    // A module without any tag has one version that is made of its newest commit.
    return { all, latest: textOf(Version) }
  })

/** The versions that are in the cache of modules. */
export const cached = (go: Go, name: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const { GOMODCACHE } = yield* run(go, ["env", "-json", "GOMODCACHE"])
    // The cache has the layout of a proxy.
    const env = { GOPROXY: `file://${String(GOMODCACHE)}/cache/download`, GOSUMDB: "off" }
    const { Versions } = yield* run(go, ["list", "-m", "-versions", "-json", name], env)
    return Array.isArray(Versions) ? Versions.filter((one) => typeof one === "string") : []
  }).pipe(Effect.orElseSucceed(() => []))

/** Brings the source of one version to this machine, and returns its version and its folder. */
export const download = (go: Go, name: string, version: string) =>
  Effect.flatMap(run(go, ["mod", "download", "-json", `${name}@${version}`]), ({ Dir, Version }) =>
    typeof Dir === "string" && typeof Version === "string"
      ? Effect.succeed({ path: Dir, version: Version })
      : Effect.fail(failed("go did not say where it is."))
  )
