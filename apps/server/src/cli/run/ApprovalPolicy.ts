/** What `--approve` answers when an agent asks and no person does. Pure. */
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
  /** No answer says no: the turn has to be stopped. */
  | { readonly type: "cancel"; readonly words: string }

const nobody = "Nobody is there to answer: signalbox run is not on a terminal, or was told not to ask."

/**
 * `allow` grants this one time and never for good, whatever the agent offers; where it offers no such option, and with `reject`, it is
 * refused this one time. If that is not offered, the turn is stopped. Questions are skipped, forms and addresses declined under either: a
 * policy knows no facts and opens nothing.
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
