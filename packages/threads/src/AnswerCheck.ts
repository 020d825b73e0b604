/** Whether an answer fits its request. The decider and the agent's session use this one check. */
import type { AgentRequest, RequestResponse } from "@signalbox/contracts/AgentRequest"
import { type PatternTest, refusalOf } from "@signalbox/contracts/Elicitation"

/** The reason why `response` does not fit `request`, in one sentence. Only what the agent offered can be answered. */
export const mismatch = (
  request: AgentRequest,
  response: RequestResponse,
  matches: PatternTest
): string | undefined => {
  switch (request.type) {
    case "approval":
      if (response.type !== "option")
        return `A permission is answered with one of its options, not with “${response.type}”.`
      if (request.options.some(({ optionId }) => optionId === response.optionId)) return undefined
      return `The agent offers no option “${response.optionId}”.`
    case "question": {
      if (response.type === "skip") return undefined
      if (response.type !== "answers") return `A question is answered or skipped, not “${response.type}”.`
      for (const { optionIds, questionId } of response.answers) {
        const question = request.questions.find(({ id }) => id === questionId)
        if (question === undefined) return `The agent asked no question “${questionId}”.`
        const unknown = optionIds.find((optionId) => !question.options.some(({ id }) => id === optionId))
        if (unknown !== undefined) return `The question “${question.prompt}” offers no option “${unknown}”.`
        if (optionIds.length > 1 && !question.allowMultiple)
          return `The question “${question.prompt}” takes one answer.`
      }
      const asked = response.answers.map(({ questionId }) => questionId)
      return new Set(asked).size === asked.length ? undefined : "A question was answered twice."
    }
    case "plan":
      if (response.type === "accept" || response.type === "reject") return undefined
      return `A plan is accepted or rejected, not “${response.type}”.`
    case "form":
      if (response.type === "reject") return undefined
      if (response.type !== "content") return `A form is filled in or rejected, not “${response.type}”.`
      return refusalOf(request.fields, response.content, matches)
    case "url":
      if (response.type === "accept" || response.type === "reject") return undefined
      return `An address is accepted or rejected, not “${response.type}”.`
  }
}

/** The title that people see for an answer that does not fit. */
export const unfitting = "This is not an answer to what was asked."

/** Whether the answer chooses an option of an approval that has changed since it was read, or was never seen. */
export const isOutdated = (request: AgentRequest, response: RequestResponse): boolean =>
  request.type === "approval" && response.type === "option" && request.digest !== response.digest

/** The problem that people see for an outdated answer. */
export const outdated = {
  title: "The request changed after you read it.",
  cause:
    "What the agent would do is not what this answer was given for. Nothing was sent to the agent: read the request as it is now, and answer that."
} as const
