/** What the dependencies of a project bring for agents. */
import * as Effect from "effect/Effect"
import type { Dependencies, Dependency, Warn } from "../dependencies/Dependency.ts"
import * as Metadata from "./Metadata.ts"
import * as Skills from "./Skills.ts"

/** What one package brings. */
export interface PackageKnowledge {
  readonly ecosystem: Dependency["ecosystem"]
  readonly name: string
  readonly version: string
  /** The absolute folder of the package, with links followed. */
  readonly folder: string
  /** The package that names this one in its metadata. Absent if the project itself depends on it. */
  readonly via?: string | undefined
  readonly skills: ReadonlyArray<Skills.Skill>
  /** Files for agents, relative to the folder. */
  readonly context: ReadonlyArray<string>
  readonly servers: ReadonlyArray<Metadata.ServerDeclaration>
}

/** Which of it counts. */
export interface Wanted {
  readonly skills: boolean
  readonly context: boolean
  readonly servers: boolean
}

/** The most packages that may name one another in a row. */
const mostDelegations = 10

/** Names are compared without hyphens and underscores, as Cargo does. */
export const folded = (name: string): string => name.replaceAll(/[-_]/g, "").toLowerCase()

const read = Effect.fnUntraced(function* (dependency: Dependency, wanted: Wanted, via: string | undefined, warn: Warn) {
  const { ecosystem, folder, metadata, name, version } = dependency
  const { context, delegate, servers, skills } = Metadata.of(metadata, warn)
  const found: PackageKnowledge = {
    ecosystem,
    name,
    version,
    folder,
    ...(via !== undefined && { via }),
    skills: wanted.skills ? yield* Effect.promise(() => Skills.of(folder, skills, warn)) : [],
    context: wanted.context ? context : [],
    servers: wanted.servers ? servers : []
  }
  return { found, delegate }
})

/** Reads one dependency, and the packages that it names. */
const chainFrom = Effect.fnUntraced(function* (
  dependency: Dependency,
  find: Dependencies["find"],
  wanted: Wanted,
  warn: Warn
) {
  const chain: Array<PackageKnowledge> = []
  const seen = new Set<string>()
  let via: string | undefined
  for (let next: Dependency | undefined = dependency; next !== undefined;) {
    const { folder, name }: Dependency = next
    const say: Warn = (clause) => warn(`${name}: ${clause}.`)
    if (seen.has(folder)) {
      say("the packages that name one another in their symposium metadata form a circle, which is left here")
      break
    }
    if (chain.length > mostDelegations) {
      say(`more than ${mostDelegations} packages name one another in a row, so it is left out`)
      break
    }
    seen.add(folder)
    const { delegate, found }: Effect.Success<ReturnType<typeof read>> = yield* read(next, wanted, via, say)
    chain.push(found)
    if (delegate === undefined) break
    next = yield* find(delegate, next)
    if (next === undefined)
      say(`its symposium metadata names ${JSON.stringify(delegate.slice(0, 100))}, which is not on this machine`)
    via = name
  }
  return chain
})

const bringsSomething = ({ context, servers, skills }: PackageKnowledge): boolean =>
  skills.length + context.length + servers.length > 0

/** The packages that bring something, by ecosystem and name. */
export const of = Effect.fnUntraced(function* (
  all: ReadonlyArray<Dependencies>,
  wanted: Wanted,
  warn: Warn
): Effect.fn.Return<ReadonlyArray<PackageKnowledge>> {
  const found = new Map<string, PackageKnowledge>()
  for (const { direct, find } of all) {
    const chains = yield* Effect.forEach(direct, (one) => chainFrom(one, find, wanted, warn), { concurrency: 8 })
    // What the project itself names counts first.
    for (const one of chains.flat().toSorted((a, b) => Number(a.via !== undefined) - Number(b.via !== undefined)))
      if (bringsSomething(one) && !found.has(one.folder)) found.set(one.folder, one)
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
})
