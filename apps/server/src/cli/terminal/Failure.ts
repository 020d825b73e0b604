/** Why a command of ours could not do its work, in the form in which all problems are told: what, why, on what evidence, what next. */
import type { Problem } from "@signalbox/contracts/Problem"
import { Problem as ProblemSchema, sentencesOf } from "@signalbox/contracts/Problem"
import * as Schema from "effect/Schema"
import { messageOf } from "../../base/SystemError.ts"
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
  /** What would have been right, line by line. */
  offered: Schema.Array(Schema.String)
}) {}

export const usage = (command: string, message: string, offered: ReadonlyArray<string> = []): UsageError =>
  new UsageError({ command, message, offered })

export const failedWith = (problem: Problem, exitCode = ofProblem(problem)): CommandFailed => {
  return new CommandFailed({ problem, exitCode: exitCode === ExitCode.completed ? ExitCode.failed : exitCode })
}

/** A failure that nobody foresaw, in the words of whatever failed. */
export const unexpected = (error: unknown): Problem => ({
  code: "internal",
  title: "Signalbox failed in a way that it should not.",
  cause: messageOf(error),
  evidence: {},
  nextSteps: [{ action: "restart", label: "Try again; with --log-level debug it says more" }]
})
