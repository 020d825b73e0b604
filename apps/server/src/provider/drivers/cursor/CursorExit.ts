/** Explains why Cursor ended before its session, from its last words on stderr. */
import type { Evidence, Problem } from "@signalbox/contracts/Problem"
import type { LaunchInput } from "../../acp/profile/AgentProfile.ts"
import type { AgentExit } from "../../agent/AgentExit.ts"
import * as Problems from "./CursorProblems.ts"

export const explain = (exit: AgentExit, { cwd }: Pick<LaunchInput, "cwd">): Problem | undefined => {
  // Cursor exits with 1 when it refuses something. Any other code is a crash, whatever stderr says.
  if (exit.exitCode !== 1) return undefined
  const text = exit.stderrTail.join("\n")
  const evidence = evidenceOf(exit)
  return (
    configFault(text, cwd, evidence) ??
    modelFault(text, evidence) ??
    loginFault(text, evidence) ??
    flagFault(text, evidence)
  )
}

const evidenceOf = ({ exitCode, signal, stderrLines, stderrTail }: AgentExit): Evidence => ({
  stderrTail,
  stderrLines,
  ...(exitCode !== undefined && { exitCode }),
  ...(signal !== undefined && { signal })
})

/** The problem for an unknown key in a project's `.cursor/cli.json`, which ends every command, `acp` included. */
const configFault = (text: string, cwd: string, evidence: Evidence): Problem | undefined => {
  const line = text.split("\n").find((words) => /cli(?:-config)?\.json/.test(words))
  const fault = /Unrecognized key|Invalid|not valid|ZodError|schema/i
  if (!fault.test(text) || (line === undefined && !/Unrecognized key/.test(text))) return undefined
  const project = `${cwd}/.cursor/cli.json`
  const named = line?.includes(project) ? project : /(\/[^\s:'"]{0,512}cli(?:-config)?\.json)/.exec(line ?? "")?.[1]
  const path = named ?? project
  return {
    code: "config-invalid",
    title: "Cursor refuses its configuration.",
    cause: `It ended before it had started, because of ${path}: “${(line ?? text).trim()}”.`,
    evidence: { ...evidence, path },
    nextSteps: [
      { action: "run-command", label: "Correct the file", command: `\${EDITOR:-vi} ${Problems.shellWord(path)}` },
      { action: "restart", label: "Start Cursor again" }
    ]
  }
}

const modelFault = (text: string, evidence: Evidence): Problem | undefined => {
  const match = /Cannot use this model: (.{1,200}?)\. Available models/.exec(text)
  return match === null
    ? undefined
    : Problems.modelRefused(match[1], "It was started with a --model that it doesn't have.", evidence)
}

const loginFault = (text: string, evidence: Evidence): Problem | undefined => {
  const words = /Authentication required.*|The provided API key is invalid.*/.exec(text)?.[0]
  return words === undefined ? undefined : Problems.authRequired(`It ended and said: “${words}”`, evidence)
}

const flagFault = (text: string, evidence: Evidence): Problem | undefined => {
  const flag = /unknown option '([^']+)'/.exec(text)?.[1]
  return flag === undefined
    ? undefined
    : {
        code: "config-invalid",
        title: "Cursor doesn't know one of its arguments.",
        cause: `It was started with ${flag}, which this version doesn't have.`,
        evidence,
        nextSteps: [{ action: "set-option", label: "Change the arguments that Cursor is started with" }]
      }
}
