/** Rules of the server, changed from the page. */
import type { RuleReplay } from "@signalbox/contracts/Audit"
import type { Rule } from "@signalbox/contracts/Rule"
import type { AddedRule, NewRule } from "@signalbox/contracts/Rules"
import * as Effect from "effect/Effect"
import { persistently } from "./calls.ts"

/** Adds a rule to the person's own file. Rejects with `Refused`. */
export const addRule = (rule: NewRule): Promise<AddedRule> =>
  Effect.runPromise(persistently((client) => client.addRule(rule)))

/** What a rule would have made of the recorded requests since a moment. Rejects with `Refused`. */
export const replayRule = (rule: Rule, since: number, signal: AbortSignal): Promise<RuleReplay> =>
  Effect.runPromise(
    persistently((client) => client.replayRule({ rule: JSON.stringify(rule), since })),
    { signal }
  )
