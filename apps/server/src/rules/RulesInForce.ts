/**
 * The rules in force while a server runs. Files are read anew for each look, since people change them at any time. A file that gets a fault
 * leaves its earlier rules in force.
 */
import type { Rule } from "@signalbox/contracts/Rule"
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"
import { usedRulesIn } from "../base/StateDirectory.ts"
import * as RulesFiles from "./RulesFiles.ts"
import * as RuleTimes from "./RuleTimes.ts"
import * as RuleUses from "./RuleUses.ts"

export interface Look {
  readonly rules: ReadonlyArray<PlacedRule>
  readonly files: ReadonlyArray<RulesFiles.RulesFile>
  /** Files that may hold rules which nobody knows: they have a fault, and were not read before it. */
  readonly unknown: ReadonlyArray<RulesFiles.RulesFile>
  /** What is asked for was decided when a tape was recorded. */
  readonly isPlayed?: true
}

/** Who asks: a request of a session. */
export interface Asker {
  readonly session?: string | undefined
  readonly request: string
}

export interface RulesInForce {
  /** The rules for sessions in a folder. */
  readonly in: (cwd: string, asker?: Asker) => Effect.Effect<Look>
  /** Uses the rules that hold for one request. False if one of them is used: then the request has to be judged again. */
  readonly claim: RuleUses.RuleUses["claim"]
  /** Adds a rule of the person that no file has. It holds until the session ends, at the longest. */
  readonly addForSession: (session: string, rule: Rule) => Effect.Effect<void>
  readonly endSession: (session: string) => Effect.Effect<void>
  /** Says that rules were changed here. Requests that wait are judged again. */
  readonly changed: Effect.Effect<void>
  readonly changes: Stream.Stream<void>
}

const nothing: Look = { rules: [], files: [], unknown: [] }

const none = (look: Look): RulesInForce => ({
  in: () => Effect.succeed(look),
  claim: () => Effect.succeed(false),
  addForSession: () => Effect.void,
  endSession: () => Effect.void,
  changed: Effect.void,
  changes: Stream.empty
})

/** Nothing is in force where no folder of rules is known. */
export const RulesInForce = Context.Reference<RulesInForce>("@signalbox/server/rules/RulesInForce", {
  defaultValue: () => none(nothing)
})

/** A tape that is replayed: this machine and its rules have no say in it. */
export const layerPlayed = Layer.succeed(RulesInForce, none({ ...nothing, isPlayed: true }))

export interface Options {
  /** Absolute. */
  readonly stateFolder: string
  /** A file in place of all others. It is read once: the agent may be able to write to it. */
  readonly named?: string | undefined
}

const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<RulesInForce> {
  const news = yield* PubSub.sliding<void>(1)
  const changed = Effect.asVoid(PubSub.publish(news, undefined))
  /** What was read last of each file, and what was read before it had a fault. */
  const latest = new Map<string, RulesFiles.RulesFile>()
  const sound = new Map<string, RulesFiles.RulesFile>()
  let frozen: ReadonlyArray<RulesFiles.RulesFile> | undefined
  const ofSessions = new Map<string, ReadonlyArray<PlacedRule>>()
  const times = RuleTimes.make()
  const uses = RuleUses.make(usedRulesIn(options.stateFolder))

  const see = (file: RulesFiles.RulesFile): void => {
    latest.set(file.path, file)
    if (!RulesFiles.hasFault(file)) sound.set(file.path, file)
  }

  const isUnknown = (file: RulesFiles.RulesFile): boolean => RulesFiles.isFaulty(file) && !sound.has(file.path)

  return {
    in: Effect.fn("RulesInForce.in")(function* (cwd, asker = { request: "" }) {
      const files = frozen ?? (yield* RulesFiles.find({ ...options, cwd }, (path) => latest.get(path)))
      if (options.named !== undefined) frozen = files
      for (const file of files) see(file)
      const inFiles = RulesFiles.inForce(
        files.map((file) => (RulesFiles.isFaulty(file) ? (sound.get(file.path) ?? file) : file))
      )
      const inSession = asker.session === undefined ? [] : (ofSessions.get(asker.session) ?? [])
      const lasting = times.left([...inFiles, ...inSession], yield* Clock.currentTimeMillis)
      const rules = yield* uses.left(lasting, asker.request)
      return { files, rules: rules.toSorted(byUse), unknown: files.filter(isUnknown) }
    }),
    claim: uses.claim,
    addForSession: (session, rule) =>
      Effect.sync(() => {
        const others = ofSessions.get(session) ?? []
        ofSessions.set(session, [...others, placed(rule, session, others.length + 1)])
      }).pipe(Effect.andThen(changed)),
    endSession: (session) => Effect.sync(() => void ofSessions.delete(session)),
    changed,
    changes: Stream.fromPubSub(news)
  }
})

/** A rule that lasts is before one that is used up, and spares it. */
const byUse = (one: PlacedRule, other: PlacedRule): number =>
  Number(one.until === "once") - Number(other.until === "once")

const placed = (rule: Rule, session: string, number: number): PlacedRule => ({
  ...rule,
  scope: { session },
  source: "user",
  file: "",
  line: 0,
  number,
  folder: undefined
})

export const layer = (options: Options) => Layer.effect(RulesInForce, make(options))
