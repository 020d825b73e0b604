/** Rules of the server, changed from the page. */
import type { AddedRule, NewRule } from "@signalbox/contracts/Rules"
import * as Effect from "effect/Effect"
import { persistently } from "./calls.ts"

/** Adds a rule to the person's own file. Rejects with `Refused`. */
export const addRule = (rule: NewRule): Promise<AddedRule> =>
  Effect.runPromise(persistently((client) => client.addRule(rule)))
