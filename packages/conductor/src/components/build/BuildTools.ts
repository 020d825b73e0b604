/** The tool of agents that runs a project's commands. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import { NotRun, type ProjectCommand, type Ran, RanIn } from "./ProjectCommand.ts"

/** Runs a command in the folder of a session. */
export type RunCommand = (command: ProjectCommand) => Effect.Effect<Ran, NotRun>

/** Most characters of a command line in the description of the tool. */
const longestLine = 200

const described = (commands: ReadonlyArray<ProjectCommand>): string =>
  [
    "Runs one of the commands that the user has configured for this project, in the session's folder, and waits for its end.",
    "It takes no arguments. The commands are:",
    ...commands.map(({ line, name }) => `- ${name}: ${line.slice(0, longestLine)}`)
  ].join("\n")

const toolkitOf = (commands: ReadonlyArray<ProjectCommand>) =>
  Toolkit.make(
    Tool.make("run_project_command", {
      description: described(commands),
      parameters: Schema.Struct({
        name: Schema.String.annotate({ description: `One of: ${commands.map(({ name }) => name).join(", ")}` })
      }),
      success: Schema.Struct({
        command: Schema.String,
        exitCode: Schema.optional(Schema.Int),
        signal: Schema.optional(Schema.String.annotate({ description: "The signal that ended it" })),
        timedOut: Schema.Boolean,
        seconds: Schema.Finite,
        output: Schema.String.annotate({
          description:
            "What it wrote to standard output and standard error. A long text lacks its middle, and says how much"
        }),
        omittedBytes: Schema.Int,
        ranIn: RanIn,
        notes: Schema.Array(Schema.String)
      }),
      failure: Schema.String
    })
      .annotate(Tool.Readonly, false)
      .annotate(Tool.Idempotent, false)
  )

/** The tool with these commands, and what it does. */
export const make = (commands: ReadonlyArray<ProjectCommand>, run: RunCommand) => {
  const toolkit = toolkitOf(commands)
  const layer = toolkit.toLayer({
    run_project_command: ({ name }) =>
      Effect.gen(function* () {
        const command = commands.find((one) => one.name === name)
        if (command === undefined)
          return yield* new NotRun({
            message: `There is no command ${JSON.stringify(name.slice(0, 80))}. Only what the user has configured runs: ${commands.map((one) => one.name).join(", ")}.`
          })
        const begun = yield* Clock.currentTimeMillis
        const { exitCode, notes, output, ranIn, signal, timedOut } = yield* run(command)
        const ms = (yield* Clock.currentTimeMillis) - begun
        return {
          command: command.line,
          ...(exitCode !== undefined && { exitCode }),
          ...(signal !== undefined && { signal }),
          timedOut,
          seconds: Math.round(ms / 100) / 10,
          output: output.text,
          omittedBytes: output.omittedBytes,
          ranIn,
          notes
        }
      }).pipe(Effect.mapError(({ message }) => message))
  })
  return { toolkit, layer }
}
