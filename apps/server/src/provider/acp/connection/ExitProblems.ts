/** Explains an agent's exit that nobody asked for. */
import type { Problem } from "@signalbox/contracts/Problem"
import type { AgentExit, LostComponent } from "../../agent/AgentExit.ts"
import { evidenceOf } from "../../agent/RunningAgent.ts"
import type { AgentProfile, LaunchInput } from "../profile/AgentProfile.ts"
import { lastWords, strayEvidence, strayWords } from "./LastWords.ts"

type Named = Pick<AgentProfile, "name" | "explainExit">

/** The problem for an exit within a session. */
export const exitProblem = (profile: Named, exit: AgentExit): Problem => {
  if (exit.component !== undefined) return componentProblem(profile, exit.component)
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

/** The problem for an agent that closed its output and continued to run. */
const outputClosed = ({ name }: Named, exit: AgentExit): Problem => ({
  code: "agent-output-closed",
  title: `${name} closed its output and went on running.`,
  cause: `Nothing that it says can arrive any more, so Signalbox ended it after 2 s. ${lastWords(exit.stderrTail) ?? "It wrote nothing to stderr."}`,
  evidence: evidenceOf(exit),
  nextSteps: [{ action: "restart", label: `Restart ${name}` }]
})

/** The problem for an exit before the session. `stray`: its stdout lines that are not messages. */
export const startExit = (
  profile: Named,
  exit: AgentExit,
  input: LaunchInput,
  stray: ReadonlyArray<string>
): Problem => {
  if (exit.component !== undefined) return componentProblem(profile, exit.component)
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

/** The problem for a component that ended the chain in front of the agent. */
const componentProblem = ({ name: agent }: Named, component: LostComponent): Problem => {
  const { exitCode, message, name, signal, stderrTail } = component
  return {
    code: "component-ended",
    title:
      name === undefined
        ? `The chain in front of ${agent} ended.`
        : `The component ${name} ended, and the chain in front of ${agent} with it.`,
    cause: [message, lastWords(stderrTail), `${agent} was stopped.`].filter((words) => words !== undefined).join(" "),
    evidence: {
      ...(exitCode !== undefined && { exitCode }),
      ...(signal !== undefined && { signal }),
      ...(stderrTail.length > 0 && { stderrTail })
    },
    nextSteps: [
      { action: "restart", label: "Start the chain again" },
      ...(name === undefined
        ? []
        : [{ action: "start-without" as const, label: `Start without ${name}`, component: name }])
    ]
  }
}

const howItEnded = ({ exitCode, signal }: AgentExit): string => {
  if (signal !== undefined) return `Its process was ended by ${signal}.`
  return exitCode === undefined ? "Its process is gone." : `Its process exited with code ${exitCode}.`
}
