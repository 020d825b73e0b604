/** Crates of Rust. */
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { type Ecosystem, type PackageQuery, type PackageSource, SourceFailure } from "../ecosystem/Ecosystem.ts"
import * as NearestFolder from "../ecosystem/NearestFolder.ts"
import type { ToolFailed } from "../ecosystem/PackageTool.ts"
import type { SourceCache } from "../ecosystem/SourceCache.ts"
import * as Versions from "../ecosystem/Versions.ts"
import * as Cargo from "./Cargo.ts"
import * as CargoHome from "./CargoHome.ts"
import * as CargoLock from "./CargoLock.ts"
import * as CrateName from "./CrateName.ts"

const fail = (message: string) => Effect.fail(new SourceFailure({ message }))

/** Cargo did not reach what it asked. */
const unreached =
  /could not resolve|failed to download|unable to update|spurious network|failed to query|failed to fetch|timed? ?out|couldn't connect|offline/i

/** The reason in Cargo's words: its errors, without hints. */
const reasonIn = (message: string): string =>
  message
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(Caused by:|note:|help:|warning:)/.test(line))
    .join(" ")
    .slice(0, 600)

const namedWith = ({ name, range }: PackageQuery): string =>
  range === undefined ? `crate ${name}` : `crate ${name} with a version that matches ${range}`

const notFound = (query: PackageQuery, { message }: { readonly message: string }): SourceFailure =>
  new SourceFailure({ message: `There is no ${namedWith(query)}. ${reasonIn(message)}` })

/** The versions that are to be had. `cache`: a folder of our own. */
export const make = (cache: string, sources: SourceCache): Ecosystem => {
  /** Tries the name as it was asked for, and then with the other hyphens. */
  const fetched = (query: PackageQuery, requirement: string, isOffline: boolean) =>
    Effect.gen(function* () {
      let failure: ToolFailed | SourceFailure | undefined
      for (const name of CrateName.spellings(query.name)) {
        const found = yield* Effect.result(Cargo.fetch({ ...query, name, requirement, cache, isOffline }))
        if (found._tag === "Success") return found.success
        failure ??= found.failure
        if (found.failure._tag !== "ToolFailed" || found.failure.reason !== "Failed") break
      }
      return yield* Effect.fail(failure ?? new SourceFailure({ message: `${query.name} is no name of a crate.` }))
    })

  /** Asks the registry, and where it can't be reached what is on this machine. */
  const fromCargo = Effect.fnUntraced(function* (
    query: PackageQuery,
    requirement: string,
    range: Versions.VersionRange | undefined
  ) {
    const online = yield* Effect.result(fetched(query, requirement, false))
    if (online._tag === "Success") return yield* sourceIn(query, online.success, range, [])
    const { failure } = online
    if (failure._tag === "SourceFailure") return yield* Effect.fail(failure)
    if (failure.reason === "NotThere") return yield* fail(`${namedWith(query)}: ${failure.message}`)
    if (failure.reason === "Failed" && !unreached.test(failure.message))
      return yield* Effect.fail(notFound(query, failure))
    const offline = yield* Effect.result(fetched(query, requirement, true))
    if (offline._tag === "Failure")
      return yield* fail(
        `The registry can't be reached, and the ${namedWith(query)} is not on this machine. ${reasonIn(failure.message)}`
      )
    return yield* sourceIn(query, offline.success, range, [
      "The registry could not be reached, so this is the newest version on this machine that will do."
    ])
  })

  const sourceIn = (
    query: PackageQuery,
    found: ReadonlyArray<Cargo.FoundCrate>,
    range: Versions.VersionRange | undefined,
    notes: ReadonlyArray<string>
  ): Effect.Effect<PackageSource, SourceFailure> => {
    const version = Versions.newest(
      found.map((crate) => crate.version),
      range
    )
    const crate = found.find((one) => one.version === version)
    return crate === undefined
      ? fail(`There is no ${namedWith(query)}.`)
      : Effect.succeed({ ...crate, isFixed: true, notes })
  }

  /** The folder of a crate that the project uses, where Cargo would build it from. */
  const inProject = Effect.fnUntraced(function* ({ cwd, name }: PackageQuery, version: string) {
    const folder = yield* NearestFolder.nearest("Cargo.toml", cwd)
    if (folder === undefined) return undefined
    const crates = yield* Effect.orElseSucceed(Cargo.ofProject(join(folder, "Cargo.toml"), cwd, cache), () => [])
    return crates.find((crate) => crate.version === version && CrateName.isSame(crate.name, name))?.path
  })

  /** The source in an archive that Cargo has downloaded, and not unpacked. */
  const fromArchive = Effect.fnUntraced(function* (
    name: string,
    version: string,
    locked: CargoLock.LockedCrate | undefined
  ) {
    const kept = yield* sources.get("cargo", name, version)
    if (kept !== undefined) return kept
    const file = yield* CargoHome.archive(name, version)
    if (file === undefined) return undefined
    const digest = locked?.checksum
    return yield* sources.add({
      ecosystem: "cargo",
      name,
      version,
      file,
      ...(digest !== undefined && { checksum: { algorithm: "sha256", encoding: "hex", digest } })
    })
  })

  /** The source of one version. */
  const located = Effect.fnUntraced(function* (
    query: PackageQuery,
    version: string,
    locked: CargoLock.LockedCrate | undefined
  ): Effect.fn.Return<PackageSource, SourceFailure> {
    const name = locked?.name ?? query.name
    const isOwn = locked !== undefined && locked.source === undefined
    const path =
      (isOwn ? undefined : yield* CargoHome.unpacked(name, version)) ??
      (isOwn ? undefined : yield* fromArchive(name, version, locked)) ??
      (locked === undefined ? undefined : yield* inProject(query, version))
    if (path !== undefined) return { name, version, path, isFixed: !isOwn, notes: [] }
    if (isOwn) return yield* fail(`${name} ${version} is a crate of this project, and Cargo does not say where it is.`)
    return yield* fromCargo({ ...query, range: version }, `=${version}`, Versions.cargoRange(`=${version}`))
  })

  return {
    name: "cargo",
    isUsedIn: (cwd) => NearestFolder.has("Cargo.toml", cwd),
    find: Effect.fnUntraced(function* (query) {
      const { cwd, name, range: asked } = query
      if (!CrateName.isCrateName(name))
        return yield* fail(`${JSON.stringify(name.slice(0, 100))} is no name of a crate.`)
      const range = asked === undefined ? undefined : Versions.cargoRange(asked)
      if (asked !== undefined && range === undefined)
        return yield* fail(
          `${JSON.stringify(asked.slice(0, 100))} is no range of versions of ${name}. Write one as in Cargo.toml, such as 1.0, ^1.2, ~1.2.3 or =1.2.3.`
        )
      const locked = yield* CargoLock.versionsOf(name, cwd)
      const chosen =
        range === undefined
          ? Versions.newest(
              locked.map(({ version }) => version),
              undefined
            )
          : range.exact
      if (chosen !== undefined)
        return yield* located(
          query,
          chosen,
          locked.find(({ version }) => version === chosen)
        )
      return yield* fromCargo(query, asked ?? "*", range)
    })
  }
}
