/**
 * What rules would have made of recorded requests. Requests are judged by their recorded commands and paths: nothing of them is looked up
 * on the disk again. Only links at the beginning of a rule's own pattern are followed as they are now.
 */
import type { AuditDecision, RuleReplay } from "@signalbox/contracts/Audit"
import * as Decision from "@signalbox/permission/rules/Decision"
import type { PlacedRule } from "@signalbox/permission/rules/Rule"
import * as RuleSet from "@signalbox/permission/rules/RuleSet"
import type { Place } from "@signalbox/permission/rules/Subject"
import * as Effect from "effect/Effect"
import * as Judging from "../rules/Judging.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as AuditChain from "./AuditChain.ts"
import * as AuditReader from "./AuditReader.ts"
import * as RecordedSubject from "./RecordedSubject.ts"

export interface Replayed {
  readonly decision: AuditDecision
  /** Undefined if too little of the request was recorded. */
  readonly verdict: Decision.Decision | undefined
}

/** The rules for sessions in a folder. */
export type RulesIn = (folder: string) => Effect.Effect<ReadonlyArray<PlacedRule>>

/** Judges each recorded request again, in their order. Questions, plans and forms are for people alone, and are left out. */
export const run = Effect.fn("RulesReplay.run")(function* (
  path: string,
  since: number,
  rulesIn: RulesIn,
  see: (replayed: Replayed) => void
): Effect.fn.Return<void, StorageError> {
  const sets = new Map<string, RuleSet.RuleSet>()
  const setIn = Effect.fnUntraced(function* (place: Place) {
    const known = sets.get(place.project)
    if (known !== undefined) return known
    const made = RuleSet.make(yield* rulesIn(place.project), place, Judging.real)
    sets.set(place.project, made)
    return made
  })
  yield* AuditReader.each(
    path,
    Effect.fnUntraced(function* ({ text }) {
      const entry = AuditChain.entryOf(text)
      if (entry?.type !== "decision" || entry.judgement === undefined || entry.at < since) return
      const subject = entry.subject === undefined ? undefined : RecordedSubject.read(entry.subject)
      const verdict = subject === undefined ? undefined : Decision.of(yield* setIn(subject.place), subject)
      see({ decision: entry, verdict })
    })
  )
})

/** Whether people were to be asked about a request. A flag of `run` answers in their place. */
export const wasAsked = ({ by }: AuditDecision): boolean => by.type !== "rule" && by.type !== "settings"

/** What one more rule would have done beside the others. */
export const ofRule = Effect.fn("RulesReplay.ofRule")(function* (
  path: string,
  since: number,
  rulesIn: RulesIn,
  rule: PlacedRule
): Effect.fn.Return<RuleReplay, StorageError> {
  const counted = { requests: 0, answered: 0, spared: 0, unknown: 0 }
  yield* run(
    path,
    since,
    (folder) => Effect.map(rulesIn(folder), (rules) => [...rules, rule]),
    ({ decision, verdict }) => {
      counted.requests += 1
      if (verdict === undefined) counted.unknown += 1
      if (verdict?.rule !== rule || verdict.effect === "ask") return
      counted.answered += 1
      if (wasAsked(decision)) counted.spared += 1
    }
  )
  return counted
})
