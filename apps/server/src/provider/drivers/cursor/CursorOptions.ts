/** Shows a Cursor's start to people, and sets its options from commands. */
import type { CursorOptions, ProviderOptions } from "@signalbox/contracts/Provider"
import * as CommandLine from "effect/process/CommandLine"
import * as Result from "effect/Result"
import * as Redaction from "@signalbox/redaction/Redaction"
import * as GivenCommand from "../acp/GivenCommand.ts"
import type { Shown, Variables } from "../Driver.ts"
import * as CursorBinary from "./CursorBinary.ts"
import * as GivenCursor from "./GivenCursor.ts"

/** Cursor takes global flags only before the command. */
export const commandLine = ({ apiEndpoint, args = [] }: CursorOptions): ReadonlyArray<string> => [
  ...(apiEndpoint === undefined ? [] : ["-e", apiEndpoint]),
  ...args,
  "acp"
]

/** The start as people see it. Empty for a Cursor without options. */
export const shown = (options: ProviderOptions): Shown => {
  if (GivenCursor.isGiven(options)) return GivenCommand.shown(options)
  const { cursor } = options
  if (cursor === undefined) return {}
  const words = [cursor.binaryPath ?? CursorBinary.names[0], ...Redaction.argv(commandLine(cursor))]
  return { commandLine: CommandLine.display(words), variables: Object.keys(cursor.env ?? {}) }
}

export const withVariables = (
  options: ProviderOptions,
  variables: Variables
): Result.Result<ProviderOptions, string> => {
  if (GivenCursor.isGiven(options)) return GivenCommand.withVariables(options, variables)
  const { cursor = {} } = options
  return Result.succeed({ ...options, cursor: { ...cursor, env: { ...cursor.env, ...variables } } })
}

const variable = "env."

/** `args` adds one more flag, `env.NAME` sets a variable. */
export const withOption = (
  options: ProviderOptions,
  name: string,
  value: string
): Result.Result<ProviderOptions, string> => {
  if (GivenCursor.isGiven(options)) return GivenCommand.withOption(options, name)
  const { cursor = {} } = options
  const changed = (change: CursorOptions) => Result.succeed({ ...options, cursor: { ...cursor, ...change } })
  switch (name) {
    case "binaryPath":
      return changed({ binaryPath: value })
    case "apiEndpoint":
      return changed({ apiEndpoint: value })
    case "args":
      return changed({ args: [...(cursor.args ?? []), value] })
    default:
      return name.startsWith(variable) && name.length > variable.length
        ? withVariables(options, { [name.slice(variable.length)]: value })
        : Result.fail(`${name} is no option of Cursor, which are binaryPath, apiEndpoint, args and env.NAME`)
  }
}
