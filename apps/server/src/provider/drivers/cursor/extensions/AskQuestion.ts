/**
 * `cursor/ask_question`: holds the turn until people have answered, skipped or stopped. Answers are by the ids of the options (Cursor
 * documentation, ACP extension methods). There are no free-text answers.
 */
import type { RpcError } from "@signalbox/acp/JsonRpc"
import * as Wire from "@signalbox/acp/Wire"
import type { RequestOutcome, RequestResponse } from "@signalbox/contracts/AgentRequest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ExtensionContext } from "../../../acp/profile/AgentProfile.ts"
import * as Params from "./Params.ts"

export const method = "cursor/ask_question"

interface AskQuestion {
  readonly toolCallId?: string
  readonly title?: string
  readonly questions: ReadonlyArray<{
    readonly id: string
    readonly prompt: string
    readonly options: ReadonlyArray<{ readonly id: string; readonly label?: string }>
    readonly allowMultiple?: boolean
  }>
}

const AskQuestion: Schema.Codec<AskQuestion, unknown> = Schema.Struct({
  toolCallId: Wire.lenient(Schema.String),
  title: Wire.lenient(Schema.String),
  // An unreadable question or option refuses the whole request: answers to a part would pass for answers to all.
  questions: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      prompt: Schema.String,
      options: Schema.Array(Schema.Struct({ id: Schema.String, label: Wire.lenient(Schema.String) })),
      allowMultiple: Wire.lenient(Schema.Boolean)
    })
  )
})

const read = Params.reader(method, AskQuestion)

export type Answer =
  | {
      readonly outcome: "answered"
      readonly answers: ReadonlyArray<{
        readonly questionId: string
        readonly selectedOptionIds: ReadonlyArray<string>
      }>
    }
  | { readonly outcome: "skipped"; readonly reason: string }
  | { readonly outcome: "cancelled" }

export const handle = Effect.fnUntraced(function* (
  params: unknown,
  context: ExtensionContext
): Effect.fn.Return<{ readonly outcome: Answer }, RpcError> {
  const { questions, title, toolCallId } = yield* read(params, context)
  if (questions.length === 0) return yield* Params.malformed(method, "questions is empty", params, context)
  const outcome = yield* context.ask({
    type: "question",
    ...(toolCallId !== undefined && { toolCallId }),
    ...(title !== undefined && title !== "" && { title }),
    questions: questions.map(({ allowMultiple = false, id, options, prompt }) => ({
      id,
      prompt,
      options: options.map((option) => ({ id: option.id, label: option.label || option.id })),
      allowMultiple
    }))
  })
  return { outcome: answerTo(outcome) }
})

const noReason = "Skipped without a reason."

const answerTo = (outcome: RequestOutcome): Answer => {
  if (outcome.type !== "answered") return { outcome: "cancelled" }
  const { response } = outcome
  switch (response.type) {
    case "answers":
      return {
        outcome: "answered",
        answers: response.answers.map(({ optionIds, questionId }) => ({ questionId, selectedOptionIds: optionIds }))
      }
    case "skip":
    case "reject":
      return { outcome: "skipped", reason: response.reason || noReason }
    case "accept":
    case "content":
    case "option":
      // A question without an answer cancels all: what people meant is unknown, and must not be guessed.
      return { outcome: "cancelled" }
  }
}

const Result = Schema.Struct({
  outcome: Schema.Union([
    Schema.Struct({
      outcome: Schema.Literal("answered"),
      answers: Schema.Array(
        Schema.Struct({ questionId: Schema.String, selectedOptionIds: Schema.Array(Schema.String) })
      )
    }),
    Schema.Struct({ outcome: Schema.Literal("skipped"), reason: Schema.String })
  ])
})
const readResult = Schema.decodeUnknownOption(Result)

/** The people's answer that led to this result. Undefined if the result was nobody's answer. */
export const responseIn = (result: unknown): RequestResponse | undefined => {
  const outcome = Option.getOrUndefined(readResult(result))?.outcome
  switch (outcome?.outcome) {
    case "answered":
      return {
        type: "answers",
        answers: outcome.answers.map(({ questionId, selectedOptionIds }) => ({
          questionId,
          optionIds: selectedOptionIds
        }))
      }
    case "skipped":
      return outcome.reason === noReason ? { type: "skip" } : { type: "skip", reason: outcome.reason }
    case undefined:
      return undefined
  }
}
