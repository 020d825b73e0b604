/**
 * Reads the registry's format leniently. An unreadable entry doesn't affect the others, and unknown members are
 * ignored.
 */
import { messageOf } from "@signalbox/system/SystemError"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const Texts = Schema.optionalKey(Schema.Array(Schema.String))
const Text = Schema.optionalKey(Schema.String)

const run = {
  args: Texts,
  env: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
}

/** A version, which becomes the name of a folder. */
const Version = Schema.String.check(Schema.isPattern(/^[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}$/))

/** A download for one platform. */
export const BinaryTarget = Schema.Struct({
  archive: Schema.NonEmptyString,
  /** The program's path in the unpacked folder. */
  cmd: Schema.NonEmptyString,
  sha256: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[0-9a-fA-F]{64}$/))),
  ...run
})
export type BinaryTarget = typeof BinaryTarget.Type

/** A package of npm or of PyPI. `package` may end with a version; it must not look like a flag. */
export const PackageTarget = Schema.Struct({
  package: Schema.String.check(Schema.isPattern(/^[@0-9A-Za-z][^\s]*$/)),
  /** The name of its program, if it differs from the package's name. */
  cmd: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[0-9A-Za-z_.][^\s]*$/))),
  /**
   * npm's checksum and engines of this version. Only the list that is shipped with Signalbox has them. The entry is
   * used even if they can't be read.
   */
  integrity: Schema.optionalKey(Schema.Unknown),
  engines: Schema.optionalKey(Schema.Unknown),
  ...run
})
export type PackageTarget = typeof PackageTarget.Type

export const RegistryEntry = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9-]{0,63}$/)),
  name: Schema.NonEmptyString,
  /** The format requires a version, but the shipped list has entries without one. */
  version: Schema.optionalKey(Version),
  description: Text,
  repository: Text,
  website: Text,
  authors: Texts,
  license: Text,
  distribution: Schema.Struct({
    /** Downloads by platform: `linux-x86_64`. */
    binary: Schema.optionalKey(Schema.Record(Schema.String, BinaryTarget)),
    npx: Schema.optionalKey(PackageTarget),
    uvx: Schema.optionalKey(PackageTarget)
  })
})
export type RegistryEntry = typeof RegistryEntry.Type

export interface RegistryReading {
  readonly entries: ReadonlyArray<RegistryEntry>
  /** The unreadable entries, each in one sentence. */
  readonly unreadable: ReadonlyArray<string>
}

const decodeEntry = Schema.decodeUnknownResult(RegistryEntry)

/** Reads a registry from text. Fails with the reason, in one sentence, if the text holds none. */
export const parse = (text: string): Result.Result<RegistryReading, string> =>
  Result.flatMap(
    Result.try({ try: (): unknown => JSON.parse(text), catch: (error) => `It is no JSON: ${messageOf(error)}` }),
    read
  )

/** Reads a registry from parsed JSON. */
export const read = (registry: unknown): Result.Result<RegistryReading, string> => {
  const agents = Predicate.hasProperty(registry, "agents") ? registry.agents : undefined
  if (!Array.isArray(agents)) return Result.fail("It has no list of agents.")
  const entries = new Map<string, RegistryEntry>()
  const unreadable: Array<string> = []
  agents.forEach((agent: unknown, index) => {
    const decoded = decodeEntry(agent)
    if (Result.isFailure(decoded)) unreadable.push(`${nameOf(agent, index)}: ${firstLine(decoded.failure.message)}`)
    else if (entries.has(decoded.success.id)) unreadable.push(`${decoded.success.id}: There is another of this id.`)
    else entries.set(decoded.success.id, decoded.success)
  })
  return Result.succeed({ entries: [...entries.values()], unreadable })
}

const nameOf = (agent: unknown, index: number): string =>
  Predicate.hasProperty(agent, "id") && typeof agent.id === "string" ? agent.id : `Entry ${index + 1}`

const firstLine = (text: string): string => text.replace(/\s+/g, " ").slice(0, 300)
