/** What the arguments of the component say. */
import * as CommandWords from "@signalbox/process/CommandWords"
import * as Result from "effect/Result"
import { parseArgs } from "node:util"
import type { ProjectCommand } from "./ProjectCommand.ts"
import * as ComponentArguments from "../../ComponentArguments.ts"

export interface Settings {
  /** At least one, each with a name of its own. */
  readonly commands: ReadonlyArray<ProjectCommand>
  /** The time limit of a run, in seconds. */
  readonly seconds: number
}

export const usage = '--command "NAME=COMMAND ARGS" … [--timeout SECONDS]'

const mostCommands = 32
const mostSeconds = 86_400
const nameForm = /^[a-z][a-z0-9-]{0,39}$/

const commandOf = (text: string): ProjectCommand => {
  const at = text.indexOf("=")
  const name = text.slice(0, Math.max(at, 0))
  const shown = JSON.stringify(text.slice(0, 80))
  if (!nameForm.test(name))
    throw new Error(
      `--command ${shown} does not begin with a name and "=". A name has lower-case letters, digits and hyphens.`
    )
  const line = text.slice(at + 1).trim()
  const words = CommandWords.split(line)
  if (Result.isFailure(words)) throw new Error(`The command of ${name} can't be read: ${words.failure}.`)
  const [program = "", ...args] = words.success
  return { name, program, args, line }
}

const commandsOf = (texts: ReadonlyArray<string>): ReadonlyArray<ProjectCommand> => {
  if (texts.length === 0) throw new Error("It has no command to run. Name at least one.")
  if (texts.length > mostCommands) throw new Error(`It takes at most ${mostCommands} commands.`)
  const commands = texts.map(commandOf)
  const twice = commands.find(({ name }, index) => commands.findIndex((one) => one.name === name) !== index)
  if (twice !== undefined) throw new Error(`Two commands have the name ${twice.name}.`)
  return commands
}

/** Fails with a sentence that says what is wrong. */
export const of = (args: ReadonlyArray<string>): Result.Result<Settings, string> =>
  ComponentArguments.read(usage, () => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        command: { type: "string", multiple: true, default: [] },
        timeout: { type: "string", default: "600" }
      }
    })
    return {
      commands: commandsOf(values.command),
      seconds: ComponentArguments.numberIn("--timeout", values.timeout, mostSeconds, "seconds")
    }
  })
