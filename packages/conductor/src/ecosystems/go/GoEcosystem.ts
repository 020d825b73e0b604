/** Modules of Go. */
import * as Effect from "effect/Effect"
import { type Ecosystem, type PackageQuery, type PackageSource, SourceFailure } from "../ecosystem/Ecosystem.ts"
import * as NearestFolder from "../ecosystem/NearestFolder.ts"
import type { ToolFailed } from "../ecosystem/PackageTool.ts"
import * as Versions from "../ecosystem/Versions.ts"
import * as Go from "./Go.ts"
import { isModuleName } from "./ModuleName.ts"

const fail = (message: string) => Effect.fail(new SourceFailure({ message }))

/** Go did not reach the proxy. */
const unreached =
  /dial tcp|no such host|connection refused|connection reset|i\/o timeout|network is unreachable|TLS handshake|: 5\d\d |module lookup disabled/

/** One version, also as Go makes it of a commit. */
const isVersion = (range: string): boolean => /^v?\d+\.\d+\.\d+(?:[-+][\w.+-]{1,100})?$/.test(range)

const withV = (version: string): string => (version.startsWith("v") ? version : `v${version}`)

const namedWith = (name: string, range: string | undefined): string =>
  range === undefined ? `module ${name}` : `module ${name} with a version that matches ${range}`

/** The reason in Go's words. */
const reasonIn = ({ message }: ToolFailed): string => message.replaceAll(/\s+/g, " ").replace(/^go: /, "").slice(0, 600)

const offline = "The proxy could not be reached, so this is the newest version on this machine that will do."

interface Chosen {
  readonly name: string
  readonly version: string
  readonly notes?: ReadonlyArray<string>
}

/**
 * @param cache a folder of our own
 * @param seconds how long one run of Go may take
 */
export const make = (cache: string, seconds = 60): Ecosystem => {
  const go: Go.Go = { cache, seconds }

  /** The newest published version that will do. */
  const published = Effect.fnUntraced(function* ({
    name,
    range
  }: PackageQuery): Effect.fn.Return<Chosen, SourceFailure> {
    const wanted = range === undefined || range === "latest" ? undefined : Versions.npmRange(range)
    if (range !== undefined && range !== "latest" && wanted === undefined)
      return yield* fail(
        `${JSON.stringify(range.slice(0, 100))} is no range of versions of ${name}. Write v1.2.3 for one version, or a range such as ^1.2 or ~1.2.3.`
      )
    const asked = yield* Effect.result(Go.versions(go, name))
    if (asked._tag === "Success") {
      const { all, latest } = asked.success
      const version = wanted === undefined ? latest : Versions.newest(all, wanted)
      if (version !== undefined) return { name, version }
      const [first = latest, ...others] = Versions.newestFirst(all).slice(0, 5)
      return yield* fail(
        `There is no ${namedWith(name, range)}. The newest ones are ${[first, ...others].join(", ")}. From version 2 on, a module has its version in its path, such as ${name}/v2.`
      )
    }
    const { failure } = asked
    if (failure.reason === "NotThere") return yield* fail(`${namedWith(name, range)}: ${failure.message}`)
    if (failure.reason === "Failed" && !unreached.test(failure.message))
      return yield* fail(
        `There is no ${namedWith(name, range)}. Name the module itself, not a package in it. ${reasonIn(failure)}`
      )
    const version = Versions.newest(yield* Go.cached(go, name), wanted)
    if (version !== undefined) return { name, version, notes: [offline] }
    return yield* fail(
      `The proxy can't be reached, and the ${namedWith(name, range)} is not on this machine. ${reasonIn(failure)}`
    )
  })

  return {
    name: "go",
    isUsedIn: (cwd) => NearestFolder.has("go.mod", cwd),
    find: Effect.fnUntraced(function* (query) {
      const { cwd, name, range } = query
      if (!isModuleName(name)) return yield* fail(`${JSON.stringify(name.slice(0, 100))} is no path of a Go module.`)
      const folder = range === undefined ? yield* NearestFolder.nearest("go.mod", cwd) : undefined
      const used = folder === undefined ? undefined : yield* Go.used(go, name, folder)
      if (used?.type === "own") return { name, version: "of the project", path: used.path, isFixed: false, notes: [] }
      const wanted = range !== undefined && isVersion(range) ? { name, version: withV(range) } : used
      const { notes = [], ...chosen }: Chosen = wanted ?? (yield* published(query))
      const instead = chosen.name === name ? [] : [`The project puts ${chosen.name} in its place.`]
      const { path, version } = yield* Go.download(go, chosen.name, chosen.version).pipe(
        Effect.catch((failure) => fail(`${chosen.name} ${chosen.version} could not be fetched. ${reasonIn(failure)}`))
      )
      const source: PackageSource = { name, version, path, isFixed: true, notes: [...notes, ...instead] }
      return source
    })
  }
}
