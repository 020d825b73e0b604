/** What an agent may ask people: permission, a question, a plan to accept. */
import * as Schema from "effect/Schema"
import { RequestId, Timestamp } from "./Ids.ts"
import { ToolCall } from "./ToolCall.ts"

/** One of the agent's own options, under the agent's own name. `kind` is `allow_once`, `allow_always`, `reject_once`, `reject_always` or new. */
export const ApprovalOption = Schema.Struct({ optionId: Schema.String, name: Schema.String, kind: Schema.String })
export type ApprovalOption = typeof ApprovalOption.Type

export const QuestionOption = Schema.Struct({ id: Schema.String, label: Schema.String })

export const Question = Schema.Struct({
  id: Schema.String,
  prompt: Schema.String,
  options: Schema.Array(QuestionOption),
  allowMultiple: Schema.Boolean
})
export type Question = typeof Question.Type

export const PlanEntry = Schema.Struct({
  id: Schema.optionalKey(Schema.String),
  content: Schema.String,
  status: Schema.Literals(["pending", "in_progress", "completed", "cancelled"]),
  priority: Schema.optionalKey(Schema.String)
})
export type PlanEntry = typeof PlanEntry.Type

export const AgentRequest = Schema.Union([
  Schema.Struct({
    type: Schema.tag("approval"),
    requestId: RequestId,
    /** The call as far as it is known: what the agent asked with, merged into what it had announced. */
    tool: ToolCall,
    /** The agent's words about why it asks. */
    reason: Schema.optionalKey(Schema.String),
    options: Schema.Array(ApprovalOption),
    at: Timestamp
  }),
  Schema.Struct({
    type: Schema.tag("question"),
    requestId: RequestId,
    title: Schema.optionalKey(Schema.String),
    questions: Schema.Array(Question),
    at: Timestamp
  }),
  Schema.Struct({
    type: Schema.tag("plan"),
    requestId: RequestId,
    name: Schema.optionalKey(Schema.String),
    overview: Schema.optionalKey(Schema.String),
    /** Markdown. */
    plan: Schema.String,
    entries: Schema.Array(PlanEntry),
    at: Timestamp
  })
]).pipe(Schema.toTaggedUnion("type"))
export type AgentRequest = typeof AgentRequest.Type

/** What people answer. `cancel` is only given by stopping the turn. */
export const RequestResponse = Schema.Union([
  Schema.Struct({ type: Schema.tag("option"), optionId: Schema.String }),
  Schema.Struct({
    type: Schema.tag("answers"),
    answers: Schema.Array(Schema.Struct({ questionId: Schema.String, optionIds: Schema.Array(Schema.String) }))
  }),
  Schema.Struct({ type: Schema.tag("skip"), reason: Schema.optionalKey(Schema.String) }),
  Schema.Struct({ type: Schema.tag("accept") }),
  Schema.Struct({ type: Schema.tag("reject"), reason: Schema.optionalKey(Schema.String) })
])
export type RequestResponse = typeof RequestResponse.Type

/** How a request ended. `expired`: its process or our server ended before anybody answered. */
export const RequestOutcome = Schema.Union([
  Schema.Struct({ type: Schema.tag("answered"), response: RequestResponse }),
  Schema.Struct({ type: Schema.tag("cancelled") }),
  Schema.Struct({ type: Schema.tag("expired"), reason: Schema.String })
])
export type RequestOutcome = typeof RequestOutcome.Type
