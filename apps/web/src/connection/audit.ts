/** The record of decisions. */
import type { AuditFilter, AuditPage, RuleCount } from "@signalbox/contracts/Audit"
import * as Effect from "effect/Effect"
import { persistently } from "./calls.ts"

/** Reads decisions, latest first. `before`: the `next` of the page before. Rejects with `Refused`. */
export const readAudit = (
  filter: AuditFilter,
  limit: number,
  signal: AbortSignal,
  before?: number
): Promise<AuditPage> =>
  Effect.runPromise(
    persistently((client) => client.readAudit({ filter, limit, ...(before !== undefined && { before }) })),
    { signal }
  )

/** Counts what each rule did since a moment. Rejects with `Refused`. */
export const countRules = (since: number, signal: AbortSignal): Promise<ReadonlyArray<RuleCount>> =>
  Effect.runPromise(
    persistently((client) => client.countRules({ since })),
    { signal }
  )
