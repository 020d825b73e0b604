/** Removes known secrets from problems and warnings, since agents quote their input in errors. */
import type { Problem } from "@signalbox/contracts/Problem"
import type { Secrets } from "@signalbox/redaction/Secrets"
import { ProviderError } from "../../../base/ProviderError.ts"
import type { EventDraft } from "../profile/EventDraft.ts"

/** Removes secrets from a problem. Codes, actions and numbers are ours and stay; so do the sign-in methods. */
const without = (secrets: Secrets, problem: Problem): Problem => {
  if (secrets.isEmpty) return problem
  const { hide } = secrets
  const { cause, evidence, nextSteps, title } = problem
  const { path, rpcData, rpcMessage, stderrTail, stdoutTail } = evidence
  return {
    ...problem,
    title: hide(title),
    cause: hide(cause),
    evidence: {
      ...evidence,
      ...(stderrTail !== undefined && { stderrTail: stderrTail.map(hide) }),
      ...(stdoutTail !== undefined && { stdoutTail: stdoutTail.map(hide) }),
      ...(rpcMessage !== undefined && { rpcMessage: hide(rpcMessage) }),
      ...(rpcData !== undefined && { rpcData: hide(rpcData) }),
      ...(path !== undefined && { path: hide(path) })
    },
    nextSteps: nextSteps.map(({ command, label, ...step }) => ({
      ...step,
      label: hide(label),
      ...(command !== undefined && { command: hide(command) })
    }))
  }
}

export const withoutError = (secrets: Secrets, { problem }: ProviderError): ProviderError =>
  new ProviderError({ problem: without(secrets, problem) })

/** Removes secrets from an event's errors. The agent's words and actions stay complete, since people decide on them. */
export const withoutEvent = (secrets: Secrets, draft: EventDraft): EventDraft => {
  if ("problem" in draft && draft.problem !== undefined) return { ...draft, problem: without(secrets, draft.problem) }
  if (draft.type === "runtime.warning") {
    const { detail, message } = draft
    return { ...draft, message: secrets.hide(message), ...(detail !== undefined && { detail: secrets.hide(detail) }) }
  }
  if (draft.type === "session.configured") {
    return { ...draft, skipped: draft.skipped.map((each) => ({ ...each, reason: secrets.hide(each.reason) })) }
  }
  return draft
}
