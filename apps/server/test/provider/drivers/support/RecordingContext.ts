import type { PlanEntry, RequestOutcome } from "@signalbox/contracts/AgentRequest"
import * as Effect from "effect/Effect"
import type { ExtensionContext, SubagentUpdate } from "../../../../src/provider/acp/profile/AgentProfile.ts"

type Asked = Parameters<ExtensionContext["ask"]>[0]
type Generated = Parameters<ExtensionContext["fileGenerated"]>[0]

/** A session for extension methods. It answers requests with `outcome`, and keeps all reports. */
export class RecordingContext implements ExtensionContext {
  plan: ReadonlyArray<PlanEntry>
  readonly outcome: RequestOutcome
  readonly asked: Array<Asked> = []
  readonly subagents: Array<SubagentUpdate> = []
  readonly files: Array<Generated> = []
  readonly warnings: Array<string> = []
  plansSet = 0

  constructor(outcome: RequestOutcome = { type: "cancelled" }, plan: ReadonlyArray<PlanEntry> = []) {
    this.outcome = outcome
    this.plan = plan
  }

  readonly ask = (request: Asked) =>
    Effect.sync(() => {
      this.asked.push(request)
      return this.outcome
    })

  readonly setPlan = (entries: ReadonlyArray<PlanEntry>) =>
    Effect.sync(() => {
      this.plan = entries
      this.plansSet += 1
    })

  readonly subagent = (update: SubagentUpdate) => Effect.sync(() => void this.subagents.push(update))
  readonly fileGenerated = (file: Generated) => Effect.sync(() => void this.files.push(file))
  readonly warn = (message: string) => Effect.sync(() => void this.warnings.push(message))
}
