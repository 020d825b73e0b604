import type { AgentRequest, RequestOutcome } from "@signalbox/contracts/AgentRequest"
import { ruleName } from "../text/ruleWords.ts"

export interface OutcomeWords {
  /** What became of the request. */
  readonly verb: string
  /** What was chosen, under the agent's own name for it; or why nothing was. */
  readonly choice?: string
}

/** How a request ended. The choice of an approval names the option as the agent did, and who took it. */
export const outcomeWords = (request: AgentRequest, outcome: RequestOutcome): OutcomeWords => {
  if (outcome.type === "cancelled") return { verb: `${nouns[request.type]} withdrawn`, choice: "without an answer" }
  if (outcome.type === "expired") return { verb: `${nouns[request.type]} expired`, choice: "nobody answered" }
  const { response } = outcome
  const why = outcome.why === undefined ? "" : `. ${outcome.why}`
  // A rule, or the permission profile of the agent's settings, may have answered; nobody was asked then.
  const who = whoAnswered(outcome)
  switch (response.type) {
    case "option": {
      const option =
        request.type === "approval" ? request.options.find(({ optionId }) => optionId === response.optionId) : undefined
      if (outcome.by === "rules")
        return {
          verb: verdict(option?.kind),
          choice: `by ${outcome.rule ? inSentence(ruleName(outcome.rule)) : "the rules"}`
        }
      return { verb: verdict(option?.kind), choice: `${who} chose “${option?.name ?? response.optionId}”${why}` }
    }
    case "answers":
      return { verb: "Answered", choice: `by ${who}` }
    case "skip":
      return { verb: "Skipped", choice: `by ${who}` }
    case "accept":
      return { verb: request.type === "url" ? "Opened" : "Plan accepted", choice: `by ${who}` }
    case "content":
      return { verb: "Filled in", choice: `by ${who}` }
    case "reject":
      return { verb: rejected[request.type], choice: `by ${who}` }
  }
}

const inSentence = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

const whoAnswered = ({ by, profile, until }: Extract<RequestOutcome, { readonly type: "answered" }>): string => {
  if (by === undefined) return "you"
  if (by === "rules") return "the rules"
  return until === undefined || profile === undefined ? "your settings" : `the profile ${profile} of this session`
}

const nouns: { readonly [Type in AgentRequest["type"]]: string } = {
  approval: "Request",
  question: "Question",
  plan: "Plan",
  form: "Form",
  url: "Address"
}

const rejected: { readonly [Type in AgentRequest["type"]]: string } = {
  approval: "Rejected",
  question: "Rejected",
  plan: "Plan rejected",
  form: "Form declined",
  url: "Not opened"
}

const verdict = (kind: string | undefined): string =>
  kind?.startsWith("allow_") ? "Allowed" : kind?.startsWith("reject_") ? "Rejected" : "Answered"
