/** What `--approve` answers to an agent's request when no person answers it. Pure. */
import {
  type AgentRequest,
  type ApprovalOption,
  optionOf,
  type RequestResponse
} from "@signalbox/contracts/AgentRequest"
import { oneLine } from "../../base/Plain.ts"

export type ApprovalPolicy = "allow" | "reject"

export type Decision =
  | { readonly type: "respond"; readonly response: RequestResponse; readonly words: string }
  /** The request offers no answer that refuses, so the turn must be stopped. */
  | { readonly type: "cancel"; readonly words: string }

const nobody = "Nobody is there to answer: signalbox run is not on a terminal, or was told not to ask."

/**
 * Answers one request. `allow` takes the option that allows once, and never one that allows always. `reject` takes the
 * option that rejects once; so does `allow` if no option allows once. If no option rejects once, the turn is stopped.
 * Under both policies, questions are skipped, and forms and addresses are declined: a policy knows no facts and opens
 * nothing.
 */
export const decide = (policy: ApprovalPolicy, request: AgentRequest): Decision => {
  switch (request.type) {
    case "approval": {
      const allowed = policy === "allow" ? ofKind(request.options, "allow_once") : undefined
      if (allowed !== undefined) return option(request, allowed, "allowed")
      const rejected = ofKind(request.options, "reject_once")
      if (rejected !== undefined) return option(request, rejected, "rejected")
      return { type: "cancel", words: "no option refuses it just once, so the turn is stopped" }
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

const ofKind = (options: ReadonlyArray<ApprovalOption>, kind: string): ApprovalOption | undefined =>
  options.find((candidate) => candidate.kind === kind)

const option = (request: Approval, { name, optionId }: ApprovalOption, verb: string): Decision => ({
  type: "respond",
  response: optionOf(request, optionId),
  words: `${verb} (${oneLine(name, 80)})`
})
