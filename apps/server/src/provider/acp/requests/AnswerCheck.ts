/** Whether an answer fits what was asked. Pure. */
import type { AgentRequest, RequestResponse } from "@signalbox/contracts/AgentRequest"
import { refusalOf } from "@signalbox/contracts/Elicitation"
import { patternTest } from "../../../base/PatternMatch.ts"

/** Why an answer does not fit its request. */
export const mismatch = (request: AgentRequest, response: RequestResponse): string | undefined => {
  switch (request.type) {
    case "approval": {
      if (response.type !== "option") return "An approval is answered with one of the agent's options."
      if (request.options.some(({ optionId }) => optionId === response.optionId)) return undefined
      return `The agent did not offer ${response.optionId}.`
    }
    case "question": {
      if (response.type === "skip") return undefined
      if (response.type !== "answers") return "A question is answered with its options, or skipped."
      for (const { optionIds, questionId } of response.answers) {
        const question = request.questions.find(({ id }) => id === questionId)
        if (question === undefined) return `There is no question ${questionId}.`
        const unknown = optionIds.find((id) => !question.options.some((option) => option.id === id))
        if (unknown !== undefined) return `The question ${questionId} has no option ${unknown}.`
        if (optionIds.length > 1 && !question.allowMultiple) return `The question ${questionId} takes one option.`
      }
      return undefined
    }
    case "plan":
      return response.type === "accept" || response.type === "reject" ? undefined : "A plan is accepted or rejected."
    case "form":
      if (response.type === "reject") return undefined
      if (response.type !== "content") return "A form is filled in or rejected."
      return refusalOf(request.fields, response.content, patternTest())
    case "url":
      return response.type === "accept" || response.type === "reject"
        ? undefined
        : "An address is accepted or rejected."
  }
}
