/** Packages of npm. */
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { type Ecosystem, type PackageQuery, type PackageSource, SourceFailure } from "../ecosystem/Ecosystem.ts"
import * as NearestFolder from "../ecosystem/NearestFolder.ts"
import type { ToolFailed } from "../ecosystem/PackageTool.ts"
import type { Checksum, SourceCache } from "../ecosystem/SourceCache.ts"
import * as Versions from "../ecosystem/Versions.ts"
import * as Npm from "./Npm.ts"
import * as NpmProject from "./NpmProject.ts"
import { isPackageName } from "./PackageName.ts"

const fail = (message: string) => Effect.fail(new SourceFailure({ message }))

/** Npm did not reach the registry. */
const unreached =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT|FETCH_ERROR|E5\d\d)\b/

const isTag = (range: string): boolean => /^[a-z][a-z0-9._-]{0,63}$/i.test(range)

const namedWith = (name: string, range: string | undefined): string =>
  range === undefined ? `package ${name}` : `package ${name} with a version that matches ${range}`

/** The reason in npm's words. */
const reasonIn = ({ message }: ToolFailed): string =>
  message
    .split("\n")
    .map((line) => line.replace("npm error", "").trim())
    .filter((line) => line !== "" && !line.startsWith("A complete log"))
    .join(" ")
    .slice(0, 600)

/** A checksum as the registry writes it: the strongest one that is known here. */
const checksumOf = (integrity: unknown): Checksum | undefined => {
  if (typeof integrity !== "string") return undefined
  for (const algorithm of ["sha512", "sha256", "sha1"] as const)
    for (const one of integrity.split(/\s+/))
      if (one.startsWith(`${algorithm}-`))
        return {
          algorithm,
          encoding: "base64",
          digest: one
            .slice(algorithm.length + 1)
            .split("?", 1)
            .join("")
        }
  return undefined
}

/** The place of its repository, as the package says. */
const notesOf = async (path: string): Promise<ReadonlyArray<string>> => {
  const { repository } = await NpmProject.readJson(join(path, "package.json"))
  const { directory, url } = McpOverAcp.objectOf(typeof repository === "string" ? { url: repository } : repository)
  if (typeof url !== "string") return []
  const place = typeof directory === "string" ? `${url}, folder ${directory}` : url
  return [
    `This is what was published. Tests and the text before compilation may only be in its repository: ${place.slice(0, 300)}`
  ]
}

interface Chosen {
  readonly version: string
  readonly notes: ReadonlyArray<string>
}

/** @param cache a folder of our own */
export const make = (cache: string, sources: SourceCache): Ecosystem => {
  const described = (source: Omit<PackageSource, "notes">, notes: ReadonlyArray<string>) =>
    Effect.map(
      Effect.promise(() => notesOf(source.path)),
      (more): PackageSource => ({ ...source, notes: [...notes, ...more] })
    )

  /** The newest published version that will do. */
  const published = Effect.fnUntraced(function* (
    { cwd, name, range }: PackageQuery,
    installed: NpmProject.Installed | undefined
  ): Effect.fn.Return<Chosen, SourceFailure> {
    const wanted = range === undefined ? undefined : Versions.npmRange(range)
    if (range !== undefined && wanted === undefined && !isTag(range))
      return yield* fail(
        `${JSON.stringify(range.slice(0, 100))} is no range of versions of ${name}. Write one as in package.json, such as 1.0, ^1.2, ~1.2.3 or 1.2.3.`
      )
    const asked = yield* Effect.result(Npm.view({ cache, cwd }, name, ["versions", "dist-tags"]))
    if (asked._tag === "Success") {
      const { versions, "dist-tags": tags } = asked.success
      const all = (Array.isArray(versions) ? versions : [versions]).filter((one) => typeof one === "string")
      const tagged = McpOverAcp.objectOf(tags)[range ?? "latest"]
      const version = wanted === undefined ? tagged : Versions.newest(all, wanted)
      if (typeof version === "string") return { version, notes: [] }
      return yield* fail(
        `There is no ${namedWith(name, range)}. The newest ones are ${Versions.newestFirst(all).slice(0, 5).join(", ")}.`
      )
    }
    const { failure } = asked
    if (failure.reason === "NotThere") return yield* fail(`${namedWith(name, range)}: ${failure.message}`)
    if (failure.reason === "Failed" && !unreached.test(failure.message))
      return yield* fail(`There is no ${namedWith(name, range)}. ${reasonIn(failure)}`)
    const here = [
      ...(yield* sources.versions("npm", name)),
      ...(installed?.path === undefined ? [] : [installed.version])
    ]
    const version = Versions.newest(here, wanted)
    if (version === undefined)
      return yield* fail(
        `The registry can't be reached, and the ${namedWith(name, range)} is not on this machine. ${reasonIn(failure)}`
      )
    return {
      version,
      notes: ["The registry could not be reached, so this is the newest version on this machine that will do."]
    }
  })

  const fetched = Effect.fnUntraced(function* (
    { cwd, name }: PackageQuery,
    version: string,
    installed: NpmProject.Installed | undefined
  ): Effect.fn.Return<string, SourceFailure> {
    const kept = yield* sources.get("npm", name, version)
    if (kept !== undefined) return kept
    return yield* Effect.gen(function* () {
      const npm = { cache, cwd }
      const { integrity } = yield* Npm.view(npm, `${name}@${version}`, ["dist"])
      const locked = installed?.version === version ? checksumOf(installed.integrity) : undefined
      const file = yield* Npm.pack(npm, name, version)
      return yield* sources.add({ ecosystem: "npm", name, version, file, checksum: locked ?? checksumOf(integrity) })
    }).pipe(
      Effect.scoped,
      Effect.catchTag("ToolFailed", (failure) => fail(`${name} ${version} could not be fetched. ${reasonIn(failure)}`))
    )
  })

  return {
    name: "npm",
    isUsedIn: (cwd) => NearestFolder.has("package.json", cwd),
    find: Effect.fnUntraced(function* (query) {
      const { cwd, name, range } = query
      if (!isPackageName(name))
        return yield* fail(`${JSON.stringify(name.slice(0, 100))} is no name of a package of npm.`)
      const installed = yield* NpmProject.find(name, cwd)
      const exact = range === undefined ? installed?.version : Versions.npmRange(range)?.exact
      const { notes, version } =
        exact === undefined ? yield* published(query, installed) : { version: exact, notes: [] }
      if (installed?.path !== undefined && installed.version === version)
        return yield* described({ name, version, path: installed.path, isFixed: !installed.isOwn }, notes)
      const path = yield* fetched(query, version, installed)
      return yield* described({ name, version, path, isFixed: true }, notes)
    })
  }
}
