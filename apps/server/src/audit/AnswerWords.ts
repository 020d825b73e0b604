/** Answers to requests in words, and what they come to. Pure. */
import type { AuditDecider, AuditEffect } from "@signalbox/contracts/Audit"
import type { AgentRequest, AnsweringClient, RequestOutcome, RequestResponse } from "@signalbox/contracts/AgentRequest"
import { oneLine } from "../base/Plain.ts"

export interface Answer {
  readonly effect: AuditEffect
  /** Absent where the request offers no such answer. */
  readonly words: string
}

const longest = 200

/** The kind of a request, as the audit log names it. */
export const kindOf = ({ type }: AgentRequest): string => {
  if (type === "approval") return "permission"
  return type === "url" ? "address" : type
}

export const titleOf = (request: AgentRequest): string => oneLine(titleIn(request), longest)

const titleIn = (request: AgentRequest): string => {
  switch (request.type) {
    case "approval": {
      const { subject, title } = request.tool
      if (subject.type === "command") return subject.command
      if (subject.type === "file") return `${request.tool.kind} ${subject.path}`
      if (subject.type === "url") return subject.url
      if (subject.type === "mcp") return `${subject.server}: ${subject.tool}`
      return title
    }
    case "question":
      return request.title ?? request.questions[0]?.prompt ?? "A question"
    case "plan":
      return request.name ?? request.overview ?? "A plan"
    case "form":
      return request.title ?? request.message
    case "url":
      return request.url
  }
}

/** What an answer to a request comes to. The texts that people filled in are not in it. */
export const answerOf = (request: AgentRequest, response: RequestResponse): Answer => {
  switch (response.type) {
    case "option": {
      const option =
        request.type === "approval" ? request.options.find(({ optionId }) => optionId === response.optionId) : undefined
      const words = oneLine(option?.name ?? response.optionId, longest)
      return { effect: option?.kind.startsWith("reject") === true ? "deny" : "allow", words }
    }
    case "answers":
      return { effect: "none", words: oneLine(chosenIn(request, response), longest) }
    case "content":
      return { effect: "none", words: oneLine(`filled in: ${Object.keys(response.content).join(", ")}`, longest) }
    case "skip":
      return { effect: "none", words: "skipped" }
    case "accept":
      return { effect: "allow", words: "accepted" }
    case "reject":
      return { effect: "deny", words: "rejected" }
  }
}

const chosenIn = (
  request: AgentRequest,
  { answers }: Extract<RequestResponse, { readonly type: "answers" }>
): string => {
  const questions = request.type === "question" ? request.questions : []
  const labels = answers.flatMap(({ optionIds, questionId }) => {
    const options = questions.find(({ id }) => id === questionId)?.options ?? []
    return optionIds.map((optionId) => options.find(({ id }) => id === optionId)?.label ?? optionId)
  })
  return `answered: ${labels.join(", ")}`
}

/** An answer whose request is not known. */
export const wordsOf = (response: RequestResponse): string =>
  response.type === "option" ? oneLine(response.optionId, longest) : response.type

/** The reason that stands in an outcome, if there is one. */
export const whyOf = (outcome: RequestOutcome): string | undefined => {
  if (outcome.type === "cancelled") return undefined
  if (outcome.type === "expired") return outcome.reason
  const { response, why } = outcome
  return why ?? ("reason" in response ? response.reason : undefined)
}

export const deciderOf = (outcome: RequestOutcome): AuditDecider => {
  if (outcome.type !== "answered") return { type: "nobody" }
  const { by, client, profile, rule, until } = outcome
  if (by === "rules" && rule !== undefined) return { type: "rule", rule }
  if (by !== undefined)
    return { type: "settings", ...(profile !== undefined && { profile }), ...(until !== undefined && { until }) }
  return flagOf(client) ?? { type: "person", ...(client !== undefined && { client }) }
}

/** A run answers by its flag where no person is at its terminal. */
export const flagOf = (client: AnsweringClient | undefined): AuditDecider | undefined =>
  client?.kind === "run" && client.name?.startsWith("--") === true ? { type: "flag", flag: client.name } : undefined
