/** The problems that only Cursor has, for people. Signalbox shows commands to copy, and never runs them. */
import type { Evidence, NextStep, Problem } from "@signalbox/contracts/Problem"
import * as CommandLine from "effect/process/CommandLine"

/** The official installer (cursor.com/docs/cli/installation). */
export const installCommand = "curl https://cursor.com/install -fsS | bash"

/** A path as one word of a command that people copy. */
export const shellWord = (path: string): string => CommandLine.display([path])

export const checkAgain: NextStep = { action: "check-again", label: "Check again" }

/** The next step for a sign-in. `program`: as people type it. */
const logIn = (program = "cursor-agent"): NextStep => ({
  action: "log-in",
  label: "Sign in to Cursor in a terminal",
  command: `${program} login`
})

export const update = (program: string): NextStep => ({
  action: "run-command",
  label: "Update Cursor's command line",
  command: `${program} update`
})

export const sendAgain: NextStep = { action: "send-again", label: "Send again" }

export const authRequired = (cause: string, evidence: Evidence = {}, program?: string): Problem => ({
  code: "auth-required",
  title: "Cursor wants you to sign in.",
  cause,
  evidence,
  nextSteps: [logIn(program)]
})

export const usageLimit = (cause: string, evidence: Evidence = {}): Problem => ({
  code: "usage-limit",
  title: "Cursor has reached the limit of its account.",
  cause,
  evidence,
  nextSteps: [
    { action: "set-option", label: "Use another model" },
    { action: "wait", label: "Wait until the limit is lifted, or change the plan at cursor.com" }
  ]
})

export const modelRefused = (model: string | undefined, cause: string, evidence: Evidence = {}): Problem => ({
  code: "setting-rejected",
  title: model === undefined ? "Cursor can't use the chosen model." : `Cursor can't use the model ${model}.`,
  cause,
  evidence,
  nextSteps: [{ action: "set-option", label: "Choose another model" }]
})

export const reportedError = (cause: string, nextSteps: ReadonlyArray<NextStep>): Problem => ({
  code: "agent-reported-error",
  title: "Cursor ended the turn with an error.",
  cause,
  evidence: {},
  nextSteps
})
