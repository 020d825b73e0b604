/** Why a command failed, as a `Problem`: title, cause, evidence and next steps. */
import type { Problem } from "@signalbox/contracts/Problem"
import { Problem as ProblemSchema, sentencesOf } from "@signalbox/contracts/Problem"
import * as Schema from "effect/Schema"
import { messageOf } from "@signalbox/system/SystemError"
import { ExitCode, ofProblem } from "./ExitCode.ts"

export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  problem: ProblemSchema,
  exitCode: Schema.Literals([1, 2, 3, 4, 5, 6, 7])
}) {
  override get message(): string {
    return sentencesOf(this.problem)
  }
}

/** The command line asks for something that does not exist. */
export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", {
  /** The command that was called, e.g. `run`. */
  command: Schema.String,
  message: Schema.String,
  /** The valid choices, one a line. */
  offered: Schema.Array(Schema.String)
}) {}

export const usage = (command: string, message: string, offered: ReadonlyArray<string> = []): UsageError =>
  new UsageError({ command, message, offered })

export const failedWith = (problem: Problem, exitCode = ofProblem(problem)): CommandFailed => {
  return new CommandFailed({ problem, exitCode: exitCode === ExitCode.completed ? ExitCode.failed : exitCode })
}

/** An unexpected failure as a problem, with the words of the error. */
export const unexpected = (error: unknown): Problem => ({
  code: "internal",
  title: "Signalbox failed in a way that it should not.",
  cause: messageOf(error),
  evidence: {},
  nextSteps: [{ action: "restart", label: "Try again; with --log-level debug it says more" }]
})
