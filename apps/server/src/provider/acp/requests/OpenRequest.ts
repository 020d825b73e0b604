/** One request that waits for people: what it asks, and whoever waits for its end. */
import type { AgentRequest, RequestOutcome, RequestResponse } from "@signalbox/contracts/AgentRequest"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import type * as Deferred from "effect/Deferred"
import type * as Latch from "effect/Latch"
import * as RequestFacts from "@signalbox/permission/RequestFacts"
import type { RequestLook } from "@signalbox/permission/RequestLook"
import type { Place } from "../projection/EventSink.ts"

export type Approval = Extract<AgentRequest, { readonly type: "approval" }>
export type Other = Exclude<AgentRequest, Approval>

interface Waiting {
  readonly place: Place
  /** Whether anybody has heard of it. */
  shown: boolean
  readonly outcome: Deferred.Deferred<RequestOutcome>
}

export interface OpenOther extends Waiting {
  readonly type: "other"
  readonly request: Other
}

export interface OpenApproval extends Waiting {
  readonly type: "approval"
  request: Approval
  /** The call as it is now. */
  readonly now: () => ToolCall
  /** What was found at the last look; undefined before the first. */
  look: RequestLook | undefined
  /** Open when the call is not what was looked at. */
  readonly changed: Latch.Latch
}

export type OpenRequest = OpenOther | OpenApproval

/** Whether the call is what was looked at last. */
export const isAsLookedAt = ({ now, request }: OpenApproval): boolean => RequestFacts.isSameCall(request.tool, now())

/** How often a request has changed since people saw it first. */
export const revisionOf = (request: AgentRequest): number => (request.type === "approval" ? (request.revision ?? 0) : 0)

/** Whether a response refuses the call. */
export const refuses = ({ options }: Approval, response: RequestResponse): boolean =>
  response.type === "option" &&
  options.some(({ kind, optionId }) => optionId === response.optionId && kind.startsWith("reject"))
