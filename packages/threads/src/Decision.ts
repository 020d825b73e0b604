/** What a decider takes beside the thread and the command, and what it answers. */
import type { AnsweringClient } from "@signalbox/contracts/AgentRequest"
import type { PromptPart } from "@signalbox/contracts/Content"
import type { PatternTest } from "@signalbox/contracts/Elicitation"
import type { ThreadId, Timestamp } from "@signalbox/contracts/Ids"
import type { Problem, ProblemCode } from "@signalbox/contracts/Problem"
import type { ProviderRef } from "@signalbox/contracts/Provider"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import type { OrchestrationEvent } from "@signalbox/contracts/ThreadEvent"
import * as Result from "effect/Result"

export interface Facts {
  /** Makes a limited test of a form's patterns, for one answer. */
  readonly patternTest: () => PatternTest
  readonly threadId: ThreadId
  readonly now: Timestamp
  /** The agent that `thread.create` names, for its folder, or the problem. */
  readonly creation?: Result.Result<ProviderRef, Problem>
  /** Whether the thread ever had the turn that the command names, including a withdrawn one. */
  readonly turnKnown?: boolean
  /** The transcript as a prompt part. Used by `queue.hold` with `transcript`. */
  readonly transcript?: PromptPart
  /** The latest choices of people for this agent in this folder. Used by `thread.create`. */
  readonly remembered?: Readonly<Record<string, SettingValue>>
  /** Who answers, by the connection. Used by `request.respond`. */
  readonly client?: AnsweringClient
  /** The reason why the agent can't go back. Used by `thread.rollback`. */
  readonly noRollback?: string
}

export type Decision = Result.Result<ReadonlyArray<OrchestrationEvent>, Problem>

export const events = (...events: ReadonlyArray<OrchestrationEvent>): Decision => Result.succeed(events)

export const refuse = (code: ProblemCode, title: string, cause: string): Result.Result<never, Problem> =>
  Result.fail({ code, title, cause, evidence: {}, nextSteps: [] })
