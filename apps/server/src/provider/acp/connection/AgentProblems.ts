/** What goes wrong between us and an agent, in words. The agent's own words and codes are the evidence. */
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
import type { AgentProfile, LaunchInput } from "../profile/AgentProfile.ts"
import type { AgentExit } from "../../agent/AgentExit.ts"
import { evidenceOf } from "../../agent/RunningAgent.ts"
import * as ErrorWords from "./ErrorWords.ts"
import { compact } from "../../../base/Json.ts"

/** What the agent has said so far that is not the protocol. */
export interface Heard extends Pick<AgentExit, "stderrLines" | "stderrTail"> {
  readonly stray: ReadonlyArray<string>
}

type Named = Pick<AgentProfile, "name" | "explain" | "explainExit" | "signIn">

/** With the ways in, where it is for the want of a login. */
export const withSignIn = ({ signIn }: Pick<AgentProfile, "signIn">, problem: Problem): Problem =>
  signIn === undefined || problem.code !== "auth-required" ? problem : { ...problem, signIn }

/** The error as the agent gave it; a code that is none stands in its words only. */
export const rpcEvidence = (method: string, { code, data, message }: RpcError): Evidence => ({
  method,
  ...(Number.isSafeInteger(code) && { rpcCode: code }),
  rpcMessage: message,
  ...(data !== undefined && { rpcData: compact(data) })
})

/** What can't be found is the session itself (ACP v1, error). */
const aboutSession = /^session\/(?:prompt|set_)/

/** Words of an agent that hold a command: `auggie login`. */
const holdsCommand = /`[^`\n]{2,200}`/

/** An agent that names no way to sign in may name a command in its words. */
const signingIn = ({ name, signIn }: Named, words: string): NextStep =>
  signIn?.methods.length === 0 && holdsCommand.test(words)
    ? { action: "run-command", label: "Do what it says in a terminal, then try again" }
    : { action: "log-in", label: `Sign in to ${name}` }

/** An error that the agent answered. */
export const rpcProblem = (profile: Named, method: string, error: RpcError): Problem => {
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

/** The end of a process in the middle of a session that nobody here asked for. */
export const exitProblem = (profile: Named, exit: AgentExit): Problem => {
  if (exit.outputClosed) return outputClosed(profile, exit)
  return {
    code: "agent-exited",
    title:
      exit.reason === undefined ? `${profile.name} ended by itself.` : `The connection to ${profile.name} is gone.`,
    cause: exit.reason ?? `${howItEnded(exit)} ${lastWords(exit.stderrTail) ?? "It wrote nothing to stderr."}`,
    evidence: evidenceOf(exit),
    nextSteps: [{ action: "restart", label: `Restart ${profile.name}` }]
  }
}

/** A process that nothing can be heard of any more, though it went on. */
const outputClosed = ({ name }: Named, exit: AgentExit): Problem => ({
  code: "agent-output-closed",
  title: `${name} closed its output and went on running.`,
  cause: `Nothing that it says can arrive any more, so Signalbox ended it after 2 s. ${lastWords(exit.stderrTail) ?? "It wrote nothing to stderr."}`,
  evidence: evidenceOf(exit),
  nextSteps: [{ action: "restart", label: `Restart ${name}` }]
})

/** The end of a process before there was a session. `stray` is what it wrote to stdout that is no message. */
export const startExit = (
  profile: Named,
  exit: AgentExit,
  input: LaunchInput,
  stray: ReadonlyArray<string>
): Problem => {
  const explained = profile.explainExit(exit, input)
  if (explained !== undefined) return { ...explained, evidence: { ...explained.evidence, ...strayEvidence(stray) } }
  if (exit.reason !== undefined) {
    return {
      code: "agent-start-failed",
      title: `${profile.name} can't be reached.`,
      cause: exit.reason,
      evidence: {},
      nextSteps: [{ action: "check-again", label: "Check its address and try again" }]
    }
  }
  if (exit.outputClosed)
    return { ...outputClosed(profile, exit), evidence: { ...evidenceOf(exit), ...strayEvidence(stray) } }
  const words = lastWords(exit.stderrTail) ?? strayWords(stray) ?? "It wrote nothing, neither to stderr nor to stdout."
  return {
    code: "agent-exited",
    title: `${profile.name} ended before it was ready.`,
    cause: `${howItEnded(exit)} ${words}`,
    evidence: { ...evidenceOf(exit), ...strayEvidence(stray) },
    nextSteps: [{ action: "restart", label: `Restart ${profile.name}` }]
  }
}

const strayEvidence = (stray: ReadonlyArray<string>): Evidence => (stray.length > 0 ? { stdoutTail: stray } : {})

const howItEnded = ({ exitCode, signal }: AgentExit): string => {
  if (signal !== undefined) return `Its process was ended by ${signal}.`
  return exitCode === undefined ? "Its process is gone." : `Its process exited with code ${exitCode}.`
}

const lastOf = (lines: ReadonlyArray<string>): string | undefined =>
  lines.findLast((line) => line.trim() !== "")?.slice(0, 500)

const lastWords = (stderrTail: ReadonlyArray<string>): string | undefined => {
  const last = lastOf(stderrTail)
  return last === undefined ? undefined : `Its last words: ${last}`
}

/** A program of which this is all we hear is most likely none that speaks the protocol. */
const strayWords = (stray: ReadonlyArray<string>): string | undefined => {
  const last = lastOf(stray)
  return last === undefined ? undefined : `What it wrote to stdout is not the protocol: ${last}`
}

/** A call that did not succeed, other than by the end of the process. */
export const failureProblem = (profile: Named, method: string, failure: RequestFailure): Problem => {
  if (failure instanceof MalformedResult) {
    return {
      code: "protocol-violation",
      title: `${profile.name} answered in a way that we do not understand.`,
      cause: `Its answer to ${method} breaks the protocol: ${failure.message}`,
      evidence: { method, rpcData: compact(failure.result) },
      nextSteps: [{ action: "send-again", label: "Send it again" }]
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

export const startTimeout = (
  profile: Named,
  waitingFor: string,
  seconds: number,
  { stderrLines, stderrTail, stray }: Heard
): ProviderError => {
  const launching = waitingFor === "launch"
  const what = launching ? "its program is not running yet" : `${waitingFor} is not answered`
  const words = strayWords(stray)
  return providerError(
    "agent-start-timeout",
    `${profile.name} did not start in time.`,
    `It showed no progress for ${seconds} s: ${what}.${words === undefined ? "" : ` ${words}`}`,
    {
      evidence: {
        ...(!launching && { method: waitingFor }),
        ...(stderrLines > 0 && { stderrLines, stderrTail }),
        ...strayEvidence(stray)
      },
      nextSteps: [{ action: "restart", label: "Start it again" }]
    }
  )
}

/** A call that is no part of a start. */
export const callTimeout = (
  profile: Named,
  method: string,
  seconds: number,
  { stderrLines, stderrTail, stray }: Heard
): ProviderError =>
  providerError(
    "timed-out",
    `${profile.name} did not answer in time.`,
    `${method} is not answered after ${seconds} s.`,
    {
      evidence: { method, ...(stderrLines > 0 && { stderrLines, stderrTail }), ...strayEvidence(stray) },
      nextSteps: [{ action: "check-again", label: "Try it again" }]
    }
  )

/** Which version is spoken to an agent stands in its settings; it is not guessed. */
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

export const cancelTimeout = (name: string, seconds: number, evidence: Evidence): Problem => ({
  code: "cancel-timeout",
  title: `${name} did not stop when asked.`,
  cause: `It did not end the turn within ${seconds} s of being told to. Its processes were ended and it was started again.`,
  evidence,
  nextSteps: []
})

export const refusal = (code: ProblemCode, title: string, cause: string): ProviderError =>
  providerError(code, title, cause)
