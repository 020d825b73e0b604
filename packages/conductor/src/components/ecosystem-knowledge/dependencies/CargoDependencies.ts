/** The crates that a project names, where their source is on this machine. Nothing is fetched or built. */
import * as Effect from "effect/Effect"
import { realpath } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Cargo from "../../../ecosystems/cargo/Cargo.ts"
import * as CargoHome from "../../../ecosystems/cargo/CargoHome.ts"
import * as CargoLock from "../../../ecosystems/cargo/CargoLock.ts"
import * as CrateName from "../../../ecosystems/cargo/CrateName.ts"
import * as NearestFolder from "../../../ecosystems/ecosystem/NearestFolder.ts"
import * as Versions from "../../../ecosystems/ecosystem/Versions.ts"
import * as CargoManifest from "./CargoManifest.ts"
import { type Dependencies, type Dependency, most, type Warn } from "./Dependency.ts"
import * as Members from "./Members.ts"

/** The crate in a folder, if it has this name. */
const crateAt = (folder: string, name: string): Effect.Effect<Dependency | undefined> =>
  Effect.promise(async () => {
    const real = await realpath(folder).catch(() => undefined)
    const manifest = real === undefined ? undefined : await CargoManifest.read(real)
    if (real === undefined || manifest === undefined) return undefined
    const found = CargoManifest.packageIn(manifest)
    if (typeof found.name !== "string" || !CrateName.isSame(found.name, name)) return undefined
    // A member may take its version from the workspace.
    const version = typeof found.version === "string" ? found.version : "0.0.0"
    return { ecosystem: "cargo", name: found.name, version, folder: real, metadata: found.metadata }
  })

/** The manifest of the workspace that a folder is in; undefined if it is in none. */
const workspaceOf = async (from: string): Promise<CargoManifest.Workspace | undefined> => {
  for (let folder = from; ; folder = dirname(folder)) {
    const manifest = await CargoManifest.read(folder)
    if (manifest !== undefined && CargoManifest.membersIn(manifest) !== undefined) return { folder, manifest }
    if (dirname(folder) === folder) return undefined
  }
}

/** The crates that the project names, and those that its members do if it is a workspace. */
const namedIn = async (project: string, warn: Warn): Promise<ReadonlyMap<string, CargoManifest.NamedCrate>> => {
  const crates = new Map<string, CargoManifest.NamedCrate>()
  const workspace = await workspaceOf(project)
  const isRoot = workspace?.folder === project
  const members = isRoot
    ? await Members.of(await realpath(project), CargoManifest.membersIn(workspace.manifest), warn)
    : []
  for (const folder of [project, ...members]) {
    const manifest = await CargoManifest.read(folder)
    if (manifest === undefined) warn(`${join(folder, "Cargo.toml")} can't be read.`)
    for (const crate of manifest === undefined ? [] : CargoManifest.cratesIn(folder, manifest, workspace, warn))
      if (crates.size < most && !crates.has(crate.name)) crates.set(crate.name, crate)
  }
  return crates
}

/** The crates of the project that a folder is in; undefined if it is in none. `cache`: a folder of our own, in which Cargo may work. */
export const of = Effect.fnUntraced(function* (
  cwd: string,
  cache: string,
  warn: Warn
): Effect.fn.Return<Dependencies | undefined> {
  const project = yield* NearestFolder.nearest("Cargo.toml", cwd)
  if (project === undefined) return undefined
  const named = yield* Effect.promise(() => namedIn(project, warn))
  const locked = yield* CargoLock.cratesOf(project)
  // Only Cargo knows where sources are that settings replace. It is asked once, and only if a crate is not found without it.
  const byCargo = yield* Effect.cached(
    Effect.orElseSucceed(
      Cargo.ofProject(join(project, "Cargo.toml"), project, cache),
      (): ReadonlyArray<Cargo.FoundCrate> => []
    )
  )

  const lockedFor = ({ name, range }: CargoManifest.NamedCrate): CargoLock.LockedCrate | undefined => {
    const all = locked.filter((crate) => CrateName.isSame(crate.name, name))
    const versions = all.map((crate) => crate.version)
    const wanted = range === undefined ? undefined : Versions.cargoRange(range)
    const version = Versions.newest(versions, wanted) ?? Versions.newest(versions, undefined)
    return all.find((crate) => crate.version === version)
  }

  const found = Effect.fnUntraced(function* (crate: CargoManifest.NamedCrate) {
    if (crate.path !== undefined) return yield* crateAt(crate.path, crate.name)
    const one = lockedFor(crate)
    if (one === undefined) return undefined
    const { name, source, version } = one
    const unpacked = source === undefined ? undefined : yield* CargoHome.unpacked(name, version)
    if (unpacked !== undefined) return yield* crateAt(unpacked, name)
    for (const folder of [`${name}-${version}`, name]) {
      const vendored = yield* crateAt(join(project, "vendor", folder), name)
      if (vendored?.version === version) return vendored
    }
    const told = (yield* byCargo).find((other) => other.version === version && CrateName.isSame(other.name, name))
    return told === undefined ? undefined : yield* crateAt(told.path, name)
  })

  const direct = yield* Effect.forEach(named.values(), found, { concurrency: 8 })
  return {
    direct: direct.filter((one) => one !== undefined),
    find: (name) => (CrateName.isCrateName(name) ? found({ name }) : Effect.undefined)
  }
})
