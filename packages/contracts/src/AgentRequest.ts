/**
 * The requests of agents to people: permission, a question, a plan to accept, a form to fill in, an address to open.
 */
import * as Schema from "effect/Schema"
import { FormContent, FormField } from "./Elicitation.ts"
import { RequestId, Timestamp } from "./Ids.ts"
import { PermissionProfile } from "./Provider.ts"
import { Judgement, RuleRef } from "./Judgement.ts"
import { Match, Rule } from "./Rule.ts"
import { ToolCall } from "./ToolCall.ts"

/**
 * One of the agent's own options, with the agent's own name. `kind`: `allow_once`, `allow_always`, `reject_once`,
 * `reject_always`, or an unknown one.
 */
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

/**
 * The facts of a call that an answer is bound to. Titles, statuses and locations are no facts, since agents fill them
 * in later.
 */
export const ApprovalFact = Schema.Literals(["kind", "input", "diff", "paths", "folder", "agent"])
export type ApprovalFact = typeof ApprovalFact.Type

/** The call that a request belongs to, by the agent's id. */
const toolCallId = Schema.optionalKey(Schema.String)

/** Members of forms and addresses. */
const elicitation = {
  requestId: RequestId,
  /** The agent's words about what it needs. */
  message: Schema.String,
  toolCallId,
  /** The method of the protocol that waits for it, if it came before the session. */
  during: Schema.optionalKey(Schema.String),
  at: Timestamp
}

export const AgentRequest = Schema.Union([
  Schema.Struct({
    type: Schema.tag("approval"),
    requestId: RequestId,
    /** The call with all that is known: its announcement, merged with the fields of the request. */
    tool: ToolCall,
    /** The agent's reason, in its own words. */
    reason: Schema.optionalKey(Schema.String),
    options: Schema.Array(ApprovalOption),
    /** Only a person may allow it, as its sender wants: no rule, no profile and no flag. */
    onlyPeople: Schema.optionalKey(Schema.Literal(true)),
    /** A component of the session's own chain asks, and does it itself. */
    byComponent: Schema.optionalKey(Schema.Literal(true)),
    /** A digest of all facts that an answer is bound to. An answer has the digest that its person saw. */
    digest: Schema.optionalKey(Schema.String),
    /** How often these facts have changed since the request was opened. */
    revision: Schema.optionalKey(Schema.Int),
    /** The facts that the last change concerned. */
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
    /** What the rules made of it when it was looked at last. */
    judgement: Schema.optionalKey(Judgement),
    /** The permission profile of the agent then. What no rule answers is left to it. */
    profile: Schema.optionalKey(PermissionProfile),
    /** What rules would have to match to allow it: one match for each part that no rule allows. Absent where none can. */
    offers: Schema.optionalKey(Schema.Array(Match)),
    /**
     * A narrow rule that would answer it. Suggested after people have allowed like requests `times` times in a row. `folder`: the folder of the session
     * without links, in which the rule may hold.
     */
    suggestion: Schema.optionalKey(Schema.Struct({ rule: Rule, times: Schema.Int, folder: Schema.String })),
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
    /** Fields of unknown kinds, which the answer may leave out. `kind`: the agent's word for it. */
    omitted: Schema.optionalKey(Schema.Array(Schema.Struct({ name: Schema.String, kind: Schema.String })))
  }),
  /** An address of http or https that people open themselves. Signalbox never fetches it. */
  Schema.Struct({ type: Schema.tag("url"), ...elicitation, elicitationId: Schema.String, url: Schema.String })
]).pipe(Schema.toTaggedUnion("type"))
export type AgentRequest = typeof AgentRequest.Type

/** The answers of people. Plans and addresses are accepted or rejected, and forms are filled in or rejected. */
export const RequestResponse = Schema.Union([
  /**
   * `digest`: the digest of the request that the person saw. `reason`: why the person rejects. The protocol has no place for it beside an
   * option, so it becomes a prompt.
   */
  Schema.Struct({
    type: Schema.tag("option"),
    optionId: Schema.String,
    digest: Schema.optionalKey(Schema.String),
    reason: Schema.optionalKey(Schema.NonEmptyString)
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

/** The answer that chooses one option of a request in its present form. */
export const optionOf = (request: Extract<AgentRequest, { readonly type: "approval" }>, optionId: string) => ({
  type: "option" as const,
  optionId,
  ...(request.digest !== undefined && { digest: request.digest })
})

/**
 * Who gave an answer, by the connection. `page`: a browser. `program`: one with a token of its own, or without an id,
 * the holder of the server's token. `run`: `signalbox run`; `name` says whether a person or a flag answered. `id`: the
 * client's, missing for `run`. Older answers of pages have a short id as their name, and no `id`.
 */
export const AnsweringClient = Schema.Struct({
  kind: Schema.Literals(["page", "program", "run"]),
  id: Schema.optionalKey(Schema.String),
  name: Schema.optionalKey(Schema.String)
})
export type AnsweringClient = typeof AnsweringClient.Type

/** How a request ended. `expired`: its process or the server ended before an answer. */
export const RequestOutcome = Schema.Union([
  Schema.Struct({
    type: Schema.tag("answered"),
    response: RequestResponse,
    /** Set if nobody was asked: people had given this answer in the settings, or by a rule. */
    by: Schema.optionalKey(Schema.Literals(["settings", "rules"])),
    /** The profile that gave the answer, if the settings did. */
    profile: Schema.optionalKey(PermissionProfile),
    /** Set if the profile was chosen for the session, and not in the settings. */
    until: Schema.optionalKey(Schema.Literal("session")),
    /** A sentence about the answer: which rule gave it and about what, or what the profile allows. */
    why: Schema.optionalKey(Schema.String),
    /** The rule that gave the answer. */
    rule: Schema.optionalKey(RuleRef),
    client: Schema.optionalKey(AnsweringClient)
  }),
  Schema.Struct({ type: Schema.tag("cancelled") }),
  Schema.Struct({ type: Schema.tag("expired"), reason: Schema.String })
])
export type RequestOutcome = typeof RequestOutcome.Type
