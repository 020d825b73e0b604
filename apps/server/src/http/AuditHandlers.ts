/** Handlers of the page's calls about the audit log. */
import type { SignalboxRpc } from "@signalbox/contracts/Rpc"
import type { Problem } from "@signalbox/contracts/Problem"
import { Refused } from "@signalbox/contracts/Refused"
import * as RulesText from "@signalbox/permission/rules/RulesText"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import { AuditLog } from "../audit/AuditLog.ts"
import * as AuditReader from "../audit/AuditReader.ts"
import * as RulesReplay from "../audit/RulesReplay.ts"
import { RulesInForce } from "../rules/RulesInForce.ts"
import type { StorageError } from "../storage/StorageError.ts"

type Handlers = Pick<
  RpcGroup.HandlersFrom<RpcGroup.Rpcs<typeof SignalboxRpc>>,
  "readAudit" | "countRules" | "replayRule"
>

const defaultLimit = 100

export const make = Effect.gen(function* () {
  const { path = "", problem } = yield* AuditLog
  const rules = yield* RulesInForce
  return {
    readAudit: ({ before, filter, limit = defaultLimit }) =>
      AuditReader.page(path, { filter, before, limit }).pipe(
        Effect.map((page) => {
          const now = problem()
          return { ...page, ...(now !== undefined && { problem: now }) }
        }),
        Effect.mapError(unreadable)
      ),
    countRules: ({ since }) => Effect.mapError(AuditReader.countRules(path, since), unreadable),
    replayRule: Effect.fnUntraced(function* ({ rule, since }) {
      const reading = RulesText.read("", `{"rules":[${rule}]}`, {
        source: "user",
        folder: undefined,
        now: yield* Clock.currentTimeMillis
      })
      const [given] = reading.rules
      if (given === undefined || reading.rules.length > 1)
        return yield* new Refused({ problem: unfit(reading.faults[0]?.message ?? "It has to be one rule") })
      const inForce = (folder: string) => Effect.map(rules.in(folder), (look) => look.rules)
      return yield* Effect.mapError(RulesReplay.ofRule(path, since, inForce, given), unreadable)
    })
  } satisfies Handlers
})

const unreadable = ({ problem }: StorageError): Refused =>
  new Refused({ problem: { ...problem, title: `The audit log can't be read. ${problem.title}` } })

const unfit = (cause: string): Problem => ({
  code: "config-invalid",
  title: "This is no rule.",
  cause: `${cause}.`,
  evidence: {},
  nextSteps: [{ action: "set-option", label: "Correct the rule" }]
})
