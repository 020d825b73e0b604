/** Agents quote what they were given in their errors: problems and warnings without the secrets that are known here. */
import type { Problem } from "@signalbox/contracts/Problem"
import type { Secrets } from "@signalbox/redaction/Secrets"
import { ProviderError } from "../../../base/ProviderError.ts"
import type { EventDraft } from "../profile/EventDraft.ts"

/** Codes, actions and numbers are ours, and stay as they are; so do the ways to sign in. */
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

/** What an event tells of errors. What the agent says and does is told as it is: people decide and act on it. */
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
