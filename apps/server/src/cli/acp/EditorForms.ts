/** Forms, addresses and questions of the agent behind, for editors that show forms and open addresses. */
import type { RequestFailure } from "@signalbox/acp/AcpError"
import type * as Acp from "@signalbox/acp/AcpSchema"
import type { AgentRequest, Question, RequestResponse } from "@signalbox/contracts/AgentRequest"
import type { FormField, FormOption } from "@signalbox/contracts/Elicitation"
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Asking } from "./Asking.ts"

type Asked = Exclude<AgentRequest, { readonly type: "approval" | "plan" }>
type Content = { readonly [name: string]: Acp.ElicitationContentValue }

interface Form {
  readonly params: Acp.CreateElicitationRequest
  readonly accepted: (content: Content) => RequestResponse
  readonly declined: RequestResponse
}

/** Undefined: the person has dismissed it, so that it is left to others. */
export const ask = (
  request: Asked,
  { agent, onLate, view }: Asking
): Effect.Effect<RequestResponse | undefined, RequestFailure> => {
  const { accepted, declined, params } = formOf(request, view.threadId)
  let withdrawn = false
  return agent
    .createElicitation(params, {
      onResponse: (exit, line) =>
        withdrawn && line !== undefined && Exit.isSuccess(exit) && exit.value.action === "accept" ? onLate : Effect.void
    })
    .pipe(
      Effect.map((answer) => {
        if (answer.action === "decline") return declined
        return answer.action === "accept" ? accepted(contentIn(answer)) : undefined
      }),
      Effect.onInterrupt(() => Effect.sync(() => (withdrawn = true)))
    )
}

const contentIn = (answer: Acp.CreateElicitationResponse): Content => {
  const content = "content" in answer ? answer.content : undefined
  return isContent(content) ? content : {}
}

const isContent = (content: unknown): content is Content =>
  typeof content === "object" && content !== null && !Array.isArray(content)

const formOf = (request: Asked, sessionId: ThreadId): Form => {
  switch (request.type) {
    case "url":
      return {
        params: {
          mode: "url",
          sessionId,
          message: request.message,
          elicitationId: request.elicitationId,
          url: request.url
        },
        accepted: () => ({ type: "accept" }),
        declined: { type: "reject" }
      }
    case "form":
      return {
        params: {
          mode: "form",
          sessionId,
          message: request.message,
          requestedSchema: {
            type: "object",
            ...(request.title !== undefined && { title: request.title }),
            ...(request.description !== undefined && { description: request.description }),
            properties: Object.fromEntries(request.fields.map((field) => [field.name, propertyOf(field)])),
            required: request.fields.filter(({ required }) => required).map(({ name }) => name)
          }
        },
        accepted: (content) => ({ type: "content", content }),
        declined: { type: "reject" }
      }
    case "question":
      return {
        params: {
          mode: "form",
          sessionId,
          message: request.title ?? request.questions[0]?.prompt ?? "A question",
          requestedSchema: {
            type: "object",
            properties: Object.fromEntries(request.questions.map((question) => [question.id, choicesOf(question)])),
            required: request.questions.filter(({ allowMultiple }) => !allowMultiple).map(({ id }) => id)
          }
        },
        accepted: (content) => ({
          type: "answers",
          answers: request.questions.map(({ id }) => ({ questionId: id, optionIds: chosenIn(content, id) }))
        }),
        declined: { type: "skip" }
      }
  }
}

const chosenIn = (content: Content, id: string): ReadonlyArray<string> => {
  const value = Object.hasOwn(content, id) ? content[id] : undefined
  if (typeof value === "string") return [value]
  return Array.isArray(value) ? value : []
}

const choicesOf = ({ allowMultiple, options, prompt }: Question): Acp.ElicitationPropertySchema => {
  const choices = options.map(({ id, label }) => ({ const: id, title: label }))
  return allowMultiple
    ? { type: "array", title: prompt, items: { anyOf: choices } }
    : { type: "string", title: prompt, oneOf: choices }
}

const titled = ({ description, label, value }: FormOption): Acp.EnumOption => ({
  const: value,
  title: label,
  ...(description !== undefined && { description })
})

const propertyOf = (field: FormField): Acp.ElicitationPropertySchema => {
  const common = {
    ...(field.label !== undefined && { title: field.label }),
    ...(field.description !== undefined && { description: field.description })
  }
  switch (field.type) {
    case "text": {
      const { format, initial, maxLength, minLength, pattern } = field
      return {
        ...common,
        type: "string",
        ...(minLength !== undefined && { minLength }),
        ...(maxLength !== undefined && { maxLength }),
        ...(pattern !== undefined && { pattern }),
        ...(format !== undefined && { format }),
        ...(initial !== undefined && { default: initial })
      }
    }
    case "number": {
      const { initial, integer, maximum, minimum } = field
      return {
        ...common,
        type: integer ? "integer" : "number",
        ...(minimum !== undefined && { minimum }),
        ...(maximum !== undefined && { maximum }),
        ...(initial !== undefined && { default: initial })
      }
    }
    case "boolean":
      return { ...common, type: "boolean", ...(field.initial !== undefined && { default: field.initial }) }
    case "choice":
      return {
        ...common,
        type: "string",
        oneOf: field.options.map(titled),
        ...(field.initial !== undefined && { default: field.initial })
      }
    case "choices": {
      const { initial, maxItems, minItems, options } = field
      return {
        ...common,
        type: "array",
        items: { anyOf: options.map(titled) },
        ...(minItems !== undefined && { minItems }),
        ...(maxItems !== undefined && { maxItems }),
        ...(initial !== undefined && { default: initial })
      }
    }
  }
}
