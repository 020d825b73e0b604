/** Explains Cursor's JSON-RPC errors. Their messages are general ("Invalid params"), and the reason is in `data`. */
import { ErrorCode, type RpcError } from "@signalbox/acp/JsonRpc"
import type { Evidence, Problem } from "@signalbox/contracts/Problem"
import * as Predicate from "effect/Predicate"
import { rpcEvidence } from "../../acp/connection/AgentProblems.ts"
import * as CursorErrorText from "./CursorErrorText.ts"
import * as Problems from "./CursorProblems.ts"

/** `data.message` or `data.details`, whichever exists. */
const detailsOf = ({ data }: RpcError): string | undefined => {
  if (typeof data === "string") return data
  if (!Predicate.isObject(data)) return undefined
  return [data["message"], data["details"]].find((text) => typeof text === "string")
}

/** The error's message and details. */
export const textOf = (error: RpcError): string =>
  [error.message, detailsOf(error)].filter(Predicate.isNotNullish).join(": ")

export const explain = (method: string, error: RpcError): Problem | undefined => {
  const evidence = rpcEvidence(method, error)
  const text = textOf(error)
  if (error.code === ErrorCode.AuthRequired)
    return Problems.authRequired(`It answered ${method} with −32000, “${error.message}”.`, evidence)
  if (method === "authenticate") return Problems.authRequired(`It couldn't sign in by itself: “${text}”.`, evidence)
  if (/Session\b.{0,500}\bnot found/i.test(text))
    return {
      code: "session-not-found",
      title: "Cursor no longer has this session.",
      cause: `It answered ${method} with “${text}”.`,
      evidence,
      nextSteps: [{ action: "restart", label: "Start a new session" }]
    }
  const model = /(?:Cannot use this model|Invalid model value): (.+?)(?:\. Available models|$)/.exec(text)?.[1]
  if (model !== undefined) return Problems.modelRefused(model, `It answered ${method} with “${text}”.`, evidence)
  if (method.startsWith("session/set") && /Unknown model config option|Invalid value/.test(text))
    return {
      code: "setting-rejected",
      title: "Cursor refused the setting.",
      cause: `It answered ${method} with “${text}”. What can be set depends on the model.`,
      evidence,
      nextSteps: [{ action: "set-option", label: "Choose another value" }]
    }
  return inDetails(error, evidence)
}

/** The problem in the details of an internal error. Most builds report it as text at the end of a turn instead. */
const inDetails = (error: RpcError, evidence: Evidence): Problem | undefined => {
  const details = error.code === ErrorCode.InternalError ? detailsOf(error) : undefined
  const problem = details === undefined ? undefined : CursorErrorText.problemInDetails(details)
  return problem && { ...problem, evidence }
}
