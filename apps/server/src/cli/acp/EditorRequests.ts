/** A request of the agent behind, asked of the editor: what it is asked, and what its answer means. */
import type { RequestFailure } from "@signalbox/acp/AcpError"
import * as Acp from "@signalbox/acp/AcpSchema"
import { type AgentRequest, optionOf, type RequestResponse } from "@signalbox/contracts/AgentRequest"
import * as ComponentMeta from "@signalbox/contracts/ComponentMeta"
import type { OpenRequest, ThreadView } from "@signalbox/contracts/ThreadView"
import { toolItemName } from "@signalbox/contracts/ToolItemName"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import type { Asking } from "./Asking.ts"
import * as EditorForms from "./EditorForms.ts"
import * as ToolUpdate from "./ToolUpdate.ts"

/** What the editor answered. Undefined: it has no form for this request, or leaves it to others. */
export type Answer = RequestResponse | undefined

/** Asks the editor. Interrupting this withdraws the request from it. */
export const ask = (open: OpenRequest, asking: Asking): Effect.Effect<Answer, RequestFailure> => {
  const { request } = open
  const offers = asking.agent.initialized()?.clientCapabilities?.elicitation
  if (request.type === "url" && offers?.url != null) return EditorForms.ask(request, asking)
  if ((request.type === "form" || request.type === "question") && offers?.form != null)
    return EditorForms.ask(request, asking)
  const question = questionOf(open, asking.view)
  if (question === undefined) return Effect.undefined
  let withdrawn = false
  const { agent, onLate } = asking
  return agent
    .requestPermission(
      {
        sessionId: asking.view.threadId,
        toolCall: question.toolCall,
        options: question.options,
        // The client may be another Signalbox, with rules and flags of its own.
        ...(request.type === "approval" && request.onlyPeople === true && { _meta: ComponentMeta.forPeople })
      },
      {
        onResponse: (exit, line) =>
          withdrawn && line !== undefined && Exit.isSuccess(exit) && exit.value.outcome.outcome === "selected"
            ? onLate
            : Effect.void
      }
    )
    .pipe(
      Effect.map(({ outcome }) =>
        outcome.outcome === "selected" && typeof outcome["optionId"] === "string"
          ? question.answer(outcome["optionId"])
          : undefined
      ),
      Effect.onInterrupt(() => Effect.sync(() => (withdrawn = true)))
    )
}

interface Question {
  readonly toolCall: Acp.ToolCallUpdate
  readonly options: ReadonlyArray<Acp.PermissionOption>
  readonly answer: (optionId: string) => Answer
}

/** Undefined for a request that can't be put as a choice between options, for an editor without forms. */
const questionOf = (open: OpenRequest, view: ThreadView): Question | undefined => {
  const { request } = open
  switch (request.type) {
    case "approval":
      return {
        toolCall: {
          toolCallId: callOf(request.tool.toolCallId, open, view),
          ...withNotes(
            ToolUpdate.fieldsOf(request.tool, () => undefined),
            notesOf(request)
          )
        },
        options: request.options.map(({ kind, name, optionId }) => option(optionId, name, kind)),
        answer: (optionId) => optionOf(request, optionId)
      }
    case "plan":
      return {
        toolCall: asCall(open, request.name ?? "Plan", [request.overview ?? "", request.plan]),
        options: [
          option("accept", "Accept the plan", "allow_once"),
          option("reject", "Reject the plan", "reject_once")
        ],
        answer: (optionId) => ({ type: optionId === "accept" ? "accept" : "reject" })
      }
    case "question": {
      const [only, ...more] = request.questions
      if (only === undefined || more.length > 0 || only.allowMultiple) return undefined
      return {
        toolCall: asCall(open, only.prompt, request.title === undefined ? [] : [request.title]),
        options: [
          ...only.options.map(({ id, label }) => option(`answer:${id}`, label, "allow_once")),
          option("skip", "Skip this question", "reject_once")
        ],
        answer: (optionId) =>
          optionId === "skip"
            ? { type: "skip" }
            : { type: "answers", answers: [{ questionId: only.id, optionIds: [optionId.slice("answer:".length)] }] }
      }
    }
    case "form":
    case "url":
      return undefined
  }
}

const isKind = Schema.is(Acp.PermissionOptionKind)

/** An option of a kind that nobody knows is drawn like a refusal: it allows nothing by its looks. */
const option = (optionId: string, name: string, kind: string): Acp.PermissionOption => ({
  optionId,
  name,
  kind: isKind(kind) ? kind : "reject_once"
})

/** The id under which the editor knows a call. */
const callOf = (toolCallId: string, { turnId }: OpenRequest, { items }: ThreadView): string => {
  const item = items.findLast(
    (one) => one.type === "tool" && one.turnId === turnId && one.tool.toolCallId === toolCallId
  )
  return item?.itemId ?? `${turnId ?? ""}:${toolItemName(toolCallId, turnId !== undefined)}`
}

/** A request about no call of a tool. An editor gets it as a call with an id of its own. */
const asCall = ({ request }: OpenRequest, title: string, texts: ReadonlyArray<string>): Acp.ToolCallUpdate => ({
  toolCallId: request.requestId,
  title,
  kind: "other",
  status: "pending",
  content: texts.filter((text) => text !== "").map((text) => ({ type: "content", content: { type: "text", text } }))
})

/** What a person should know before an answer, and no member of a call says. */
const notesOf = ({ links = [], reason }: Extract<AgentRequest, { readonly type: "approval" }>) => [
  ...(reason === undefined ? [] : [reason]),
  ...links.map(
    ({ leadsTo, outside, path }) =>
      `${path} leads to ${leadsTo}${outside ? ", outside of the folders of this session" : ""}.`
  )
]

const withNotes = (fields: Omit<Acp.ToolCall, "toolCallId">, notes: ReadonlyArray<string>) => ({
  ...fields,
  content: [
    ...notes.map((text): Acp.ToolCallContent => ({ type: "content", content: { type: "text", text } })),
    ...(fields.content ?? [])
  ]
})
