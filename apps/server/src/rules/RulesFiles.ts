/** The rules files of a folder, as they are on the disk now: what is in them, and whether their rules are in force. */
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import * as RulesText from "@signalbox/permission/rules/RulesText"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { dirname } from "node:path"
import * as RulesBytes from "./RulesBytes.ts"
import * as RulesPlace from "./RulesPlace.ts"
import * as TrustedProjects from "./TrustedProjects.ts"

export interface RulesFile extends RulesPlace.RulesPlace {
  /**
   * `untrusted`: the file of a project whose content the person does not trust. `unreadable`: the system refuses it. `faulty`: none of its
   * rules is in force.
   */
  readonly state: "missing" | "unreadable" | "faulty" | "untrusted" | "in-force"
  /** Its rules, also if they are not in force. Empty if it has a fault. */
  readonly rules: ReadonlyArray<PlacedRule>
  readonly faults: ReadonlyArray<RulesText.Finding>
  readonly warnings: ReadonlyArray<RulesText.Finding>
  /** Why it is unreadable: a clause without a full stop. */
  readonly refusal?: string
  /** Undefined if it can't be read. */
  readonly bytes?: RulesBytes.RulesBytes
  readonly trust?: TrustedProjects.Trust
}

export interface Where {
  /** Absolute. */
  readonly stateFolder: string
  /** The folder of the session. */
  readonly cwd: string
  /** A file in place of all others. */
  readonly named?: string | undefined
}

/**
 * The files that count in a folder. The person's own is listed also where it is missing.
 *
 * @param known what was read of a file before: the same bytes are not parsed again
 */
export const find = Effect.fn("RulesFiles.find")(function* (
  { cwd, named, stateFolder }: Where,
  known: (path: string) => RulesFile | undefined = () => undefined
): Effect.fn.Return<ReadonlyArray<RulesFile>> {
  const readOne = (place: RulesPlace.RulesPlace) => read(place, stateFolder, known(place.path))
  if (named !== undefined) return [yield* readOne(yield* Effect.promise(() => RulesPlace.named(named)))]
  const own = yield* readOne(RulesPlace.ofPerson(stateFolder))
  const around = (folder: string) => Effect.promise(() => RulesPlace.around(folder))
  const nearest = yield* around(cwd)
  if (nearest === undefined) return [own]
  const first = yield* readOne(nearest)
  // A file that nobody trusts does not hide a trusted one above it: an agent could put it there.
  let file = first
  while (file.trust === "never" && file.folder !== undefined && dirname(file.folder) !== file.folder) {
    const above = yield* around(dirname(file.folder))
    if (above === undefined) return [own, first]
    file = yield* readOne(above)
  }
  return file === first || file.trust === "never" ? [own, first] : [own, first, file]
})

/** Whether it can't be understood. */
export const hasFault = ({ state }: RulesFile): boolean => state === "faulty" || state === "unreadable"

/** Whether it can't be understood, and its rules would count otherwise. A project that nobody trusts has none that count. */
export const isFaulty = (file: RulesFile): boolean =>
  hasFault(file) && (file.source === "user" || (file.trust !== undefined && file.trust !== "never"))

/** The rules of files that are in force. */
export const inForce = (files: ReadonlyArray<RulesFile>): ReadonlyArray<PlacedRule> =>
  files.flatMap(({ rules, state }) => (state === "in-force" ? rules : []))

/** Whether a file is there, and has nothing in it. Some editors empty a file before they write it, and its rules must not be gone meanwhile. */
export const isBlank = ({ bytes }: Pick<RulesFile, "bytes">): boolean => bytes?.text.trim() === ""

const emptied = {
  line: 1,
  column: 1,
  path: "",
  message: 'The file is empty. Write {"rules": []} into it, or remove it'
}

const nothing = { rules: [], faults: [], warnings: [] }

/** Reads one file. */
export const read = Effect.fn("RulesFiles.read")(function* (
  place: RulesPlace.RulesPlace,
  stateFolder: string,
  known?: RulesFile
): Effect.fn.Return<RulesFile> {
  const found = yield* Effect.result(RulesBytes.read(place))
  const list = place.source === "user" ? undefined : yield* Effect.result(TrustedProjects.read(stateFolder))
  if (list !== undefined && Result.isFailure(list)) {
    // It may be trusted, and deny something. So it counts as one that can't be understood.
    const { message, path } = list.failure
    return { ...place, ...nothing, trust: "changed", state: "unreadable", refusal: `${path}: ${message}` }
  }
  const trusted = list?.success
  const trustIn = (hash?: string) =>
    trusted === undefined ? {} : { trust: TrustedProjects.trustIn(trusted, place.path, hash) }
  if (Result.isFailure(found))
    return { ...place, ...nothing, ...trustIn(), state: "unreadable", refusal: found.failure.message }
  const bytes = found.success
  if (bytes === undefined) return { ...place, ...nothing, state: "missing" }
  const reading =
    known?.bytes?.hash === bytes.hash
      ? { rules: known.rules, faults: known.faults, warnings: known.warnings }
      : RulesText.read(place.path, bytes.text, { ...place, now: yield* Clock.currentTimeMillis })
  const file = { ...place, ...reading, bytes, ...trustIn(bytes.hash) }
  if (place.isNamed !== true && isBlank(file)) return { ...file, faults: [emptied], state: "faulty" }
  if (reading.faults.length > 0) return { ...file, state: "faulty" }
  return { ...file, state: trusted === undefined || file.trust === "trusted" ? "in-force" : "untrusted" }
})
