/**
 * Runs Cargo in a throw-away package. So it honours all that people have set: mirrors, vendored crates, credentials. Nothing of the project
 * is run, changed or built.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { dirname, join } from "node:path"
import { SourceFailure } from "../ecosystem/Ecosystem.ts"
import * as PackageTool from "../ecosystem/PackageTool.ts"
import * as WorkFolder from "../ecosystem/WorkFolder.ts"
import * as CargoConfig from "./CargoConfig.ts"
import * as CrateName from "./CrateName.ts"

export interface FoundCrate {
  readonly name: string
  readonly version: string
  readonly path: string
}

const Metadata = Schema.Struct({
  packages: Schema.Array(Schema.Struct({ name: Schema.String, version: Schema.String, manifest_path: Schema.String }))
})

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Metadata))

const environment = {
  CARGO_TERM_COLOR: "never",
  CARGO_NET_RETRY: "0",
  CARGO_HTTP_TIMEOUT: "10",
  CARGO_TERM_PROGRESS_WHEN: "never",
  // Programs that settings could put in the compiler's place.
  RUSTC_WRAPPER: "",
  RUSTC_WORKSPACE_WRAPPER: "",
  LC_ALL: "C"
}

/** The time limit of one run, in seconds. */
const patience = { online: 60, offline: 20 }

const metadata = Effect.fnUntraced(function* (manifest: string, cwd: string, flags: ReadonlyArray<string>) {
  const isOffline = flags.length > 0
  const text = yield* PackageTool.run({
    command: "cargo",
    args: ["metadata", "--quiet", "--format-version", "1", "--manifest-path", manifest, ...flags],
    cwd,
    env: environment,
    seconds: isOffline ? patience.offline : patience.online
  })
  const { packages } = yield* Effect.mapError(
    decode(text),
    ({ message }) => new PackageTool.ToolFailed({ reason: "Failed", message: `cargo wrote no metadata. ${message}` })
  )
  return packages.map(({ manifest_path, name, version }): FoundCrate => ({
    name,
    version,
    path: dirname(manifest_path)
  }))
})

/** A folder with the project's sources, until the scope closes. */
const workFolder = Effect.fnUntraced(function* (cache: string, cwd: string, files: Readonly<Record<string, string>>) {
  const config = yield* CargoConfig.sourcesFor(cwd)
  return yield* WorkFolder.make(cache, { ...files, ".cargo/config.toml": config })
})

/** The crates that a project uses, with their folders, as far as they are on this machine. */
export const ofProject = (manifest: string, cwd: string, cache: string) =>
  Effect.scoped(Effect.flatMap(workFolder(cache, cwd, {}), (folder) => metadata(manifest, folder, ["--frozen"])))

const manifestOf = (name: string, requirement: string): string =>
  [
    "[package]",
    'name = "signalbox-package-sources"',
    'version = "0.0.0"',
    'edition = "2021"',
    "[lib]",
    'path = "lib.rs"',
    "[workspace]",
    "[dependencies]",
    `${name} = { version = ${JSON.stringify(requirement)}, default-features = false }`,
    ""
  ].join("\n")

/** Has Cargo choose the newest version that will do, and fetch it. `isOffline`: among those that are on this machine. */
export const fetch = (options: {
  readonly name: string
  /** A range in Cargo's own words. */
  readonly requirement: string
  readonly cwd: string
  readonly cache: string
  readonly isOffline: boolean
}): Effect.Effect<ReadonlyArray<FoundCrate>, SourceFailure | PackageTool.ToolFailed> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { cache, cwd, isOffline, name, requirement } = options
      const files = { "Cargo.toml": manifestOf(name, requirement), "lib.rs": "" }
      const folder = yield* workFolder(cache, cwd, files)
      const found = yield* metadata(join(folder, "Cargo.toml"), folder, isOffline ? ["--offline"] : [])
      return found.filter((crate) => CrateName.isSame(crate.name, name))
    })
  )
