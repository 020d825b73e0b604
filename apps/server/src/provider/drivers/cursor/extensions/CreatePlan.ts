/**
 * `cursor/create_plan`: holds the turn until people have accepted or rejected the plan (Cursor documentation, ACP extension
 * methods). Nothing is ever accepted for them.
 */
import type { RpcError } from "@signalbox/acp/JsonRpc"
import * as Wire from "@signalbox/acp/Wire"
import type { PlanEntry, RequestOutcome, RequestResponse } from "@signalbox/contracts/AgentRequest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ExtensionContext } from "../../../acp/profile/AgentProfile.ts"
import * as Todos from "../Todos.ts"
import * as Params from "./Params.ts"

export const method = "cursor/create_plan"

interface CreatePlan {
  readonly toolCallId?: string
  readonly name?: string
  readonly overview?: string
  readonly plan: string
  readonly todos?: ReadonlyArray<Todos.Todo>
  readonly phases?: ReadonlyArray<{ readonly name?: string; readonly todos?: ReadonlyArray<Todos.Todo> }>
}

const CreatePlan: Schema.Codec<CreatePlan, unknown> = Schema.Struct({
  toolCallId: Wire.lenient(Schema.String),
  name: Wire.lenient(Schema.String),
  overview: Wire.lenient(Schema.String),
  plan: Schema.String,
  todos: Wire.lenient(Wire.skipInvalid(Todos.Todo)),
  phases: Wire.lenient(
    Wire.skipInvalid(
      Schema.Struct({ name: Wire.lenient(Schema.String), todos: Wire.lenient(Wire.skipInvalid(Todos.Todo)) })
    )
  )
})

const read = Params.reader(method, CreatePlan)

export type Answer =
  | { readonly outcome: "accepted" }
  | { readonly outcome: "rejected"; readonly reason: string }
  | { readonly outcome: "cancelled" }

export const handle = Effect.fnUntraced(function* (
  params: unknown,
  context: ExtensionContext
): Effect.fn.Return<{ readonly outcome: Answer }, RpcError> {
  const { name, overview, phases = [], plan, todos = [], toolCallId } = yield* read(params, context)
  // A plan in phases repeats its to-dos there. Equal ids are the same to-do.
  const entries = Todos.merging(
    Todos.replacing([], todos),
    phases.flatMap((phase) => phase.todos ?? [])
  )
  const outcome = yield* context.ask({
    type: "plan",
    ...(toolCallId !== undefined && { toolCallId }),
    ...(name !== undefined && name !== "" && { name }),
    ...(overview !== undefined && overview !== "" && { overview }),
    plan,
    entries
  })
  const answer = answerTo(outcome)
  // The present plan may consist of this proposal's steps. After a rejection nobody works on them.
  if (answer.outcome === "rejected" && isPartOf(context.plan, entries)) yield* context.setPlan([])
  return { outcome: answer }
})

/** Whether a plan has only steps of another one. */
const isPartOf = (plan: ReadonlyArray<PlanEntry>, whole: ReadonlyArray<PlanEntry>): boolean => {
  const steps = new Set(whole.map(({ content }) => content))
  return plan.length > 0 && plan.every(({ content }) => steps.has(content))
}

const noReason = "Rejected without a reason."

const answerTo = (outcome: RequestOutcome): Answer => {
  if (outcome.type !== "answered") return { outcome: "cancelled" }
  const { response } = outcome
  switch (response.type) {
    case "accept":
      return { outcome: "accepted" }
    case "reject":
      return { outcome: "rejected", reason: response.reason || noReason }
    case "skip":
    case "answers":
    case "content":
    case "option":
      return { outcome: "cancelled" }
  }
}

const Result = Schema.Struct({
  outcome: Schema.Union([
    Schema.Struct({ outcome: Schema.Literal("accepted") }),
    Schema.Struct({ outcome: Schema.Literal("rejected"), reason: Schema.String })
  ])
})
const readResult = Schema.decodeUnknownOption(Result)

/** The people's answer that led to this result. Undefined if the result was nobody's answer. */
export const responseIn = (result: unknown): RequestResponse | undefined => {
  const outcome = Option.getOrUndefined(readResult(result))?.outcome
  switch (outcome?.outcome) {
    case "accepted":
      return { type: "accept" }
    case "rejected":
      return outcome.reason === noReason ? { type: "reject" } : { type: "reject", reason: outcome.reason }
    case undefined:
      return undefined
  }
}
