/**
 * The next steps of a problem, worded for a terminal. Their labels are made for the buttons of the page. A terminal has
 * only commands and their flags: it can't check again or restart.
 */
import type { NextStep, Problem, ProblemCode } from "@signalbox/contracts/Problem"

/** One sentence for each step. Leaves out steps that mean nothing on a terminal. */
export const nextSteps = (problem: Problem): ReadonlyArray<string> => {
  const steps = problem.nextSteps.map((step) => words(problem, step)).filter((text) => text !== undefined)
  // After other steps, people know that they have to run the command again.
  if (steps.length > 0 || !problem.nextSteps.some(({ action }) => repeating.has(action))) return steps
  return [again(problem)]
}

const repeating: ReadonlySet<NextStep["action"]> = new Set(["check-again", "restart", "send-again"])

const words = ({ code, signIn }: Problem, { action, command, label }: NextStep): string | undefined => {
  if (command !== undefined) return `${label.replace(/\.$/, "")}: ${command}`
  // Problems of Signalbox itself and of its storage have whole sentences as labels.
  if (code === "internal" || code === "storage") return label
  // A label with a flag was written for a terminal.
  if (/(?:^|\s)--[a-z]/.test(label)) return label
  switch (action) {
    case "log-in":
      // `signalbox login` can't find an agent that was named by its command line.
      if (signIn === undefined || signIn.providerId === "custom") return label
      return `${label}: signalbox login --provider ${signIn.providerId}`
    case "run-command":
      return label
    case "wait":
      // A run has only one turn, so it never waits for another turn. It may wait for a limit.
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
