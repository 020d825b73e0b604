/**
 * What to do next, in the words of a terminal. The labels of a problem's steps are made for the buttons of a page: there is
 * nothing to check again and nothing to restart here, only commands and their flags.
 */
import type { NextStep, Problem, ProblemCode } from "@signalbox/contracts/Problem"

/** One piece of advice each. A step that means nothing on a terminal is left out. */
export const nextSteps = (problem: Problem): ReadonlyArray<string> => {
  const steps = problem.nextSteps.map((step) => words(problem, step)).filter((text) => text !== undefined)
  // After other steps it goes without saying that the command is run again.
  if (steps.length > 0 || !problem.nextSteps.some(({ action }) => repeating.has(action))) return steps
  return [again(problem)]
}

const repeating: ReadonlySet<NextStep["action"]> = new Set(["check-again", "restart", "send-again"])

const words = ({ code, signIn }: Problem, { action, command, label }: NextStep): string | undefined => {
  if (command !== undefined) return `${label.replace(/\.$/, "")}: ${command}`
  // What goes wrong in Signalbox itself, or with what it keeps, names its steps in whole sentences.
  if (code === "internal" || code === "storage") return label
  // It was written for a terminal.
  if (/(?:^|\s)--[a-z]/.test(label)) return label
  switch (action) {
    case "log-in":
      // One that was named by its command line is not among those that can be signed in to.
      if (signIn === undefined || signIn.providerId === "custom") return label
      return `${label}: signalbox login --provider ${signIn.providerId}`
    case "run-command":
      return label
    case "wait":
      // A run has one turn, and nothing to wait for but limits.
      return code === "turn-in-flight" ? undefined : label
    case "choose-folder":
      return "Name another folder with --cwd"
    case "set-option":
      return code === "auth-required" ? label : (options[code] ?? nameProgram)
    case "check-again":
    case "restart":
    case "send-again":
      return undefined
  }
}

const nameProgram = "Name the program with --agent, or put it in PATH"

const options: Partial<Record<ProblemCode, string>> = {
  "setting-rejected": "Choose another value with --model, --mode or --set",
  "agent-reported-error": "Change the settings with --model, --mode or --set",
  "usage-limit": "Use another model with --model",
  "config-invalid": "Name the program and its arguments with --agent"
}

const again = ({ code, evidence }: Problem): string => {
  if (code === "agent-not-found" || code === "agent-start-failed") return nameProgram
  return evidence.stdoutTail === undefined
    ? "Run the same command again"
    : "Make sure that the program speaks the Agent Client Protocol on stdout, and run the same command again"
}
