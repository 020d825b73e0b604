/** Explains errors between Signalbox and an agent. The agent's own words and codes are the evidence. */
import {
  CapabilityMissing,
  InvalidRequest,
  MalformedResult,
  type RequestFailure,
  type UnsupportedVersion
} from "@signalbox/acp/AcpError"
import { ConnectionClosed, ErrorCode, type RpcError } from "@signalbox/acp/JsonRpc"
import type { Evidence, NextStep, Problem, ProblemCode } from "@signalbox/contracts/Problem"
import { type ProviderError, providerError } from "../../../base/ProviderError.ts"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import * as ErrorWords from "./ErrorWords.ts"
import { compact } from "../../../base/Json.ts"

type Named = Pick<AgentProfile, "name" | "explain" | "signIn">

/** Adds the sign-in methods, if the problem is a missing sign-in. */
export const withSignIn = ({ signIn }: Pick<AgentProfile, "signIn">, problem: Problem): Problem =>
  signIn === undefined || problem.code !== "auth-required" ? problem : { ...problem, signIn }

/** The evidence of an agent's error. A code that is not an integer is left out. */
export const rpcEvidence = (method: string, { code, data, message }: RpcError): Evidence => ({
  method,
  ...(Number.isSafeInteger(code) && { rpcCode: code }),
  rpcMessage: message,
  ...(data !== undefined && { rpcData: compact(data) })
})

/** Methods whose missing resource is the session itself (ACP v1, error). */
const aboutSession = /^session\/(?:prompt|set_)/

/** Matches an agent's words that contain a command, e.g. `auggie login`. */
const holdsCommand = /`[^`\n]{2,200}`/

/** The next step for a sign-in. An agent without sign-in methods may name a command in its words. */
const signingIn = ({ name, signIn }: Named, words: string): NextStep =>
  signIn?.methods.length === 0 && holdsCommand.test(words)
    ? { action: "run-command", label: "Do what it says in a terminal, then try again" }
    : { action: "log-in", label: `Sign in to ${name}` }

/** The problem for an error that the agent answered. */
export const rpcProblem = (profile: Named, method: string, error: RpcError): Problem => {
  if (error.unread === true) {
    return {
      code: "protocol-violation",
      title: `${profile.name} answered in a way that we do not understand.`,
      cause: `Its answer to ${method} was not read: ${error.message}.`,
      evidence: { method },
      nextSteps: [{ action: "send-again", label: "Send it again" }]
    }
  }
  const explained = profile.explain(method, error)
  if (explained !== undefined) return withSignIn(profile, explained)
  const evidence = rpcEvidence(method, error)
  const words = ErrorWords.wordsOf(error)
  const answered = `It answered ${method} with ${error.code}, "${words}".`
  if (error.code === ErrorCode.AuthRequired) {
    return withSignIn(profile, {
      code: "auth-required",
      title: `${profile.name} wants you to sign in.`,
      cause: answered,
      evidence,
      nextSteps: [signingIn(profile, words)]
    })
  }
  if (error.code === ErrorCode.ResourceNotFound && aboutSession.test(method)) {
    return {
      code: "session-not-found",
      title: `${profile.name} no longer has this session.`,
      cause: answered,
      evidence,
      nextSteps: [{ action: "send-again", label: "Send it again: the session is opened again" }]
    }
  }
  return {
    code: "request-failed",
    title: method === "authenticate" ? `${profile.name} could not sign you in.` : `${profile.name} could not do that.`,
    cause: answered,
    evidence,
    nextSteps: [{ action: "send-again", label: "Send it again" }]
  }
}

/** The next step for an agent that introduces itself wrongly: it does so each time. */
const reporting: NextStep = {
  action: "run-command",
  label: "Run signalbox conformance, and report what it says to the makers of the agent"
}

/** The problem for a call that failed. An agent's exit with its evidence is in `ExitProblems`. */
export const failureProblem = (profile: Named, method: string, failure: RequestFailure): Problem => {
  if (failure instanceof MalformedResult) {
    // An earlier answer may have the fault, e.g. the agent's choice of an encoding.
    const { message, method: answered, result } = failure
    return {
      code: "protocol-violation",
      title: `${profile.name} answered in a way that we do not understand.`,
      cause: `Its answer to ${answered} breaks the protocol: ${message}`,
      evidence: { method: answered, rpcData: compact(result) },
      nextSteps: [answered === "initialize" ? reporting : { action: "send-again", label: "Send it again" }]
    }
  }
  if (failure instanceof CapabilityMissing) {
    return {
      code: "unsupported",
      title: `${profile.name} does not take this.`,
      cause: `${method} needs ${failure.capability}, which it does not offer.`,
      evidence: { method },
      nextSteps: []
    }
  }
  if (failure instanceof InvalidRequest) {
    return { code: "internal", title: "We asked wrongly.", cause: failure.message, evidence: { method }, nextSteps: [] }
  }
  if (failure instanceof ConnectionClosed) {
    return {
      code: "agent-exited",
      title: `${profile.name} is gone.`,
      cause: failure.message,
      evidence: { method },
      nextSteps: [{ action: "restart", label: `Restart ${profile.name}` }]
    }
  }
  return rpcProblem(profile, method, failure)
}

/** The problem for an unsupported protocol version. The settings choose the version; Signalbox never guesses it. */
export const unsupportedVersion = (profile: Named, { message, offered }: UnsupportedVersion): ProviderError => {
  const step: NextStep =
    offered === 1
      ? { action: "run-command", label: 'Take "protocol": 2 out of its entry in the settings' }
      : offered === 2
        ? { action: "run-command", label: 'Put "protocol": 2 into its entry in the settings' }
        : { action: "check-again", label: "Check again after an update" }
  return providerError("agent-too-old", `${profile.name} speaks another version of the protocol.`, `${message}.`, {
    evidence: { method: "initialize" },
    nextSteps: [step]
  })
}

export const noSession = (name: string): ProviderError =>
  providerError("session-not-found", `${name} is not running.`, "The thread has no session with it.", {
    nextSteps: [{ action: "restart", label: `Start ${name}` }]
  })

export const turnInFlight = (name: string): ProviderError =>
  providerError("turn-in-flight", `${name} is busy.`, "It has a prompt already and takes one at a time.", {
    nextSteps: [{ action: "wait", label: "Wait for the turn to end" }]
  })

export const refusal = (code: ProblemCode, title: string, cause: string): ProviderError =>
  providerError(code, title, cause)
