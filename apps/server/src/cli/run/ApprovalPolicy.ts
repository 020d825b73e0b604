/** What `--approve` answers to an agent's request when no person answers it. Pure. */
import {
  type AgentRequest,
  type ApprovalOption,
  optionOf,
  type RequestResponse
} from "@signalbox/contracts/AgentRequest"
import { oneLine } from "../../base/Plain.ts"

/** `rules` and `reject` refuse what no rule allows. `rules` names the rule that would allow it. */
export type ApprovalPolicy = "rules" | "allow" | "reject"

export type Decision =
  | {
      readonly type: "respond"
      readonly response: RequestResponse
      readonly words: string
      /** Whether a rule could have answered. */
      readonly isForRules?: true
    }
  /** The request offers no answer that refuses, so the turn must be stopped. */
  | { readonly type: "cancel"; readonly words: string; readonly isForRules?: true }

export const allowing =
  "--approve allow: whatever the agent asks for is allowed, unless a rule of yours or a built-in one denies it."

const nobody = "Nobody is there to answer: signalbox run is not on a terminal, or was told not to ask."

/**
 * Answers one request. `allow` takes the option that allows once, and never one that allows always. `reject` takes the
 * option that rejects once; so does `allow` if no option allows once. If no option rejects once, the turn is stopped.
 * Under all policies, questions are skipped, and forms and addresses are declined: a policy knows no facts and opens
 * nothing.
 */
export const decide = (policy: ApprovalPolicy, request: AgentRequest): Decision => {
  switch (request.type) {
    case "approval": {
      const against = policy === "allow" ? standing(request) : undefined
      const allowed = policy === "allow" && against === undefined ? ofKind(request.options, "allow_once") : undefined
      if (allowed !== undefined) return option(request, allowed, "allowed")
      const because = against === undefined ? "" : ` ${oneLine(against, 400)}`
      const rejected = ofKind(request.options, "reject_once")
      if (rejected === undefined)
        return {
          type: "cancel",
          words: `no option refuses it just once, so the turn is stopped.${because}`,
          isForRules: true
        }
      const { words, ...rest } = option(request, rejected, "rejected")
      return { ...rest, words: `${words}${because === "" ? "" : `.${because}`}`, isForRules: true }
    }
    case "question":
      return { type: "respond", response: { type: "skip", reason: nobody }, words: "skipped" }
    case "plan":
      return policy === "allow"
        ? { type: "respond", response: { type: "accept" }, words: "accepted" }
        : { type: "respond", response: { type: "reject", reason: nobody }, words: "rejected" }
    case "form":
    case "url":
      return { type: "respond", response: { type: "reject", reason: nobody }, words: `declined. ${nobody}` }
  }
}

type Approval = Extract<AgentRequest, { readonly type: "approval" }>

/** Parts of a request that are listed at most. What is behind them can't be seen here. */
const mostParts = 64

/** Why a policy can't allow it: a rule denies or may deny it, or a built-in rule wants people to decide. */
const standing = ({ judgement }: Approval): string | undefined => {
  if (judgement === undefined) return "It could not be judged by the rules."
  const { commands, paths } = judgement
  const found = [judgement, ...commands, ...paths].find(
    ({ effect, rule }) => effect !== "allow" && (rule?.effect === "deny" || rule?.source === "built-in")
  )
  if (found !== undefined) return found.why
  return commands.length >= mostParts || paths.length >= mostParts ? "It has too many parts." : undefined
}

const ofKind = (options: ReadonlyArray<ApprovalOption>, kind: string): ApprovalOption | undefined =>
  options.find((candidate) => candidate.kind === kind)

const option = (request: Approval, { name, optionId }: ApprovalOption, verb: string) => ({
  type: "respond" as const,
  response: optionOf(request, optionId),
  words: `${verb} (${oneLine(name, 80)})`
})
