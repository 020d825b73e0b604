/** What an agent may ask people: permission, a question, a plan to accept, a form to fill in, an address to open. */
import * as Schema from "effect/Schema"
import { FormContent, FormField } from "./Elicitation.ts"
import { RequestId, Timestamp } from "./Ids.ts"
import { ToolCall } from "./ToolCall.ts"

/** One of the agent's own options, under the agent's own name. `kind` is `allow_once`, `allow_always`, `reject_once`, `reject_always` or new. */
export const ApprovalOption = Schema.Struct({ optionId: Schema.String, name: Schema.String, kind: Schema.String })
export type ApprovalOption = typeof ApprovalOption.Type

const QuestionOption = Schema.Struct({ id: Schema.String, label: Schema.String })

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

/** What an answer to an approval is bound to. Titles, statuses and locations are not: agents fill them in as they go. */
export const ApprovalFact = Schema.Literals(["kind", "input", "diff", "paths", "folder", "agent"])
export type ApprovalFact = typeof ApprovalFact.Type

/** The call that a request belongs to, by the agent's id. */
const toolCallId = Schema.optionalKey(Schema.String)

/** Common to forms and addresses. */
const elicitation = {
  requestId: RequestId,
  /** The agent's words about what it needs. */
  message: Schema.String,
  toolCallId,
  /** Asked for before there is a session: the method of the protocol that waits for it. */
  during: Schema.optionalKey(Schema.String),
  at: Timestamp
}

export const AgentRequest = Schema.Union([
  Schema.Struct({
    type: Schema.tag("approval"),
    requestId: RequestId,
    /** The call as far as it is known: what the agent asked with, merged into what it had announced. */
    tool: ToolCall,
    /** The agent's words about why it asks. */
    reason: Schema.optionalKey(Schema.String),
    options: Schema.Array(ApprovalOption),
    /** Stands for all facts that an answer is bound to. An answer names the digest that its person saw. */
    digest: Schema.optionalKey(Schema.String),
    /** How often these facts changed since it was asked. */
    revision: Schema.optionalKey(Schema.Int),
    /** The facts that the last change was about. */
    changed: Schema.optionalKey(Schema.Array(ApprovalFact)),
    /** Paths of the call that lead elsewhere through links. `outside`: out of the session's folders. */
    links: Schema.optionalKey(
      Schema.Array(
        Schema.Struct({
          path: Schema.String,
          leadsTo: Schema.String,
          outside: Schema.optionalKey(Schema.Literal(true))
        })
      )
    ),
    at: Timestamp
  }),
  Schema.Struct({
    type: Schema.tag("question"),
    requestId: RequestId,
    toolCallId,
    title: Schema.optionalKey(Schema.String),
    questions: Schema.Array(Question),
    at: Timestamp
  }),
  Schema.Struct({
    type: Schema.tag("plan"),
    requestId: RequestId,
    toolCallId,
    name: Schema.optionalKey(Schema.String),
    overview: Schema.optionalKey(Schema.String),
    /** Markdown. */
    plan: Schema.String,
    entries: Schema.Array(PlanEntry),
    at: Timestamp
  }),
  Schema.Struct({
    type: Schema.tag("form"),
    ...elicitation,
    title: Schema.optionalKey(Schema.String),
    description: Schema.optionalKey(Schema.String),
    fields: Schema.Array(FormField),
    /** Fields of kinds that we do not know, which may be left out; `kind` is the agent's word for it. */
    omitted: Schema.optionalKey(Schema.Array(Schema.Struct({ name: Schema.String, kind: Schema.String })))
  }),
  /** An address of http or https that people are to open themselves. Nothing of ours ever fetches it. */
  Schema.Struct({ type: Schema.tag("url"), ...elicitation, elicitationId: Schema.String, url: Schema.String })
]).pipe(Schema.toTaggedUnion("type"))
export type AgentRequest = typeof AgentRequest.Type

/** What people answer. Plans and addresses are accepted or rejected, forms filled in or rejected; withdrawn is what a stopped turn leaves. */
export const RequestResponse = Schema.Union([
  /** `digest` is that of the request as the person saw it. */
  Schema.Struct({
    type: Schema.tag("option"),
    optionId: Schema.String,
    digest: Schema.optionalKey(Schema.String)
  }),
  Schema.Struct({
    type: Schema.tag("answers"),
    answers: Schema.Array(Schema.Struct({ questionId: Schema.String, optionIds: Schema.Array(Schema.String) }))
  }),
  /** A filled-in form. */
  Schema.Struct({ type: Schema.tag("content"), content: FormContent }),
  Schema.Struct({ type: Schema.tag("skip"), reason: Schema.optionalKey(Schema.String) }),
  Schema.Struct({ type: Schema.tag("accept") }),
  Schema.Struct({ type: Schema.tag("reject"), reason: Schema.optionalKey(Schema.String) })
])
export type RequestResponse = typeof RequestResponse.Type

/** The answer that takes one option of a request as it stands. */
export const optionOf = (request: Extract<AgentRequest, { readonly type: "approval" }>, optionId: string) => ({
  type: "option" as const,
  optionId,
  ...(request.digest !== undefined && { digest: request.digest })
})

/**
 * Who gave an answer, as the connection tells it. `page`: a browser, under a short id. `program`: whoever holds the server's token.
 * `run`: `signalbox run`, `name` says whether a person or a flag answered.
 */
export const AnsweringClient = Schema.Struct({
  kind: Schema.Literals(["page", "program", "run"]),
  name: Schema.optionalKey(Schema.String)
})
export type AnsweringClient = typeof AnsweringClient.Type

/** How a request ended. `expired`: its process or our server ended before anybody answered. */
export const RequestOutcome = Schema.Union([
  Schema.Struct({
    type: Schema.tag("answered"),
    response: RequestResponse,
    /** Nobody was asked: people had given this answer beforehand. */
    by: Schema.optionalKey(Schema.Literal("settings")),
    client: Schema.optionalKey(AnsweringClient)
  }),
  Schema.Struct({ type: Schema.tag("cancelled") }),
  Schema.Struct({ type: Schema.tag("expired"), reason: Schema.String })
])
export type RequestOutcome = typeof RequestOutcome.Type
