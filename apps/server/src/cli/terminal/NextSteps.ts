/**
 * The next steps of a problem, worded for a terminal, or for an editor that runs Signalbox by itself. Their labels are
 * made for the buttons of the page. A terminal has only commands and their flags: it can't check again or restart.
 */
import type { NextStep, Problem, ProblemCode } from "@signalbox/contracts/Problem"

/** A place at which people read the steps. */
interface Place {
  /** How they try once more: a whole sentence, and the end of one. */
  readonly again: readonly [whole: string, end: string]
  /** How they choose another folder. Undefined if the label says it. */
  readonly folder: string | undefined
}

const terminal: Place = {
  again: ["Run the same command again", "run the same command again"],
  folder: "Name another folder with --cwd"
}
/** People in an editor have no command line. They ask by typing on, or by a key of the editor. */
const editor: Place = { again: ["Ask again", "ask again"], folder: undefined }

/** One sentence for each step. Leaves out steps that mean nothing at the place. */
const stepsAt =
  (place: Place) =>
  (problem: Problem): ReadonlyArray<string> => {
    const steps = problem.nextSteps.map((step) => words(problem, step, place)).filter((text) => text !== undefined)
    // After other steps, people know that they have to try once more.
    if (steps.length > 0 || !problem.nextSteps.some(({ action }) => repeating.has(action))) return steps
    return [again(problem, place)]
  }

/** The steps for people at a terminal. */
export const nextSteps = stepsAt(terminal)

/** The steps for people in an editor. */
export const nextStepsInEditor = stepsAt(editor)

const repeating: ReadonlySet<NextStep["action"]> = new Set(["check-again", "restart", "send-again"])

const words = (
  { code, signIn }: Problem,
  { action, command, component, label }: NextStep,
  { folder }: Place
): string | undefined => {
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
      return folder ?? label
    case "set-option":
      return code === "auth-required" ? label : (options[code] ?? nameProgram)
    case "start-without":
      return `Switch ${component ?? "it"} off in the settings: "disabled": true`
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

const again = ({ code, evidence }: Problem, { again: [whole, end] }: Place): string => {
  // An agent that runs elsewhere has no program here.
  if (evidence.path?.includes("://") === true) return `Check its address, and ${end}`
  if (code === "agent-not-found" || code === "agent-start-failed") return nameProgram
  return evidence.stdoutTail === undefined
    ? whole
    : `Make sure that the program speaks the Agent Client Protocol on stdout, and ${end}`
}
