/** Problems of a thread as errors of the protocol: an editor shows their message to a person. */
import { ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import { type NextStep, type Problem, sentencesOf } from "@signalbox/contracts/Problem"

/** What happened, why, and what to do next. `data` has the code of the problem, for programs. */
export const errorOf = (problem: Problem): RpcError => {
  const steps = problem.nextSteps.map((step) => stepWords(problem, step))
  const next = steps.length === 0 ? "" : ` Next: ${steps.join(" · ")}`
  return new RpcError({
    code: problem.code === "auth-required" ? ErrorCode.AuthRequired : ErrorCode.InternalError,
    message: `${sentencesOf(problem)}${next}`,
    data: { code: problem.code }
  })
}

/** An editor has no buttons for the steps, so each of them is a sentence with its command. */
const stepWords = ({ signIn }: Problem, { action, command, label }: NextStep): string => {
  if (command !== undefined) return `${label}: ${command}`
  return action === "log-in" && signIn !== undefined
    ? `${label}: signalbox login --provider ${signIn.providerId}`
    : label
}

export const noThread = (sessionId: string): RpcError =>
  new RpcError({
    code: ErrorCode.ResourceNotFound,
    message: `Signalbox has no thread ${sessionId}. It may have been deleted. Next: start a new session, or choose one of the list`,
    data: { sessionId }
  })

/** A call for a session that was neither started nor loaded on this connection. */
export const notOpen = (sessionId: string): RpcError =>
  new RpcError({
    code: ErrorCode.ResourceNotFound,
    message: `The session ${sessionId} is not open here. Next: load or resume it first`,
    data: { sessionId }
  })
