/** A command that people have configured for a project, and what becomes of it when it runs. */
import * as Schema from "effect/Schema"
import type { CutText } from "./CutOutput.ts"

export interface ProjectCommand {
  /** How the agent names it: lower-case letters, digits and hyphens. */
  readonly name: string
  readonly program: string
  readonly args: ReadonlyArray<string>
  /** The command line as people have written it. */
  readonly line: string
}

export const RanIn = Schema.Literals(["client-terminal", "own-process"])

/** A run that has ended. */
export interface Ran {
  readonly ranIn: typeof RanIn.Type
  readonly exitCode?: number
  readonly signal?: string
  readonly timedOut: boolean
  readonly output: CutText
  /** What the caller should know besides, in sentences. */
  readonly notes: ReadonlyArray<string>
}

/** Why a command did not run, as a sentence for a model. */
export class NotRun extends Schema.TaggedError<NotRun>()("NotRun", { message: Schema.String }) {}
