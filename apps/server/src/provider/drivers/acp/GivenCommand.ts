/** The command line that people have given for an agent. */
import type { ProviderOptions } from "@signalbox/contracts/Provider"
import * as CommandLine from "effect/process/CommandLine"
import * as Result from "effect/Result"
import * as Redaction from "@signalbox/redaction/Redaction"
import type { Shown, Variables } from "../Driver.ts"

/** The command line, or the address of an agent that runs elsewhere. */
export const shown = ({ acp = {} }: ProviderOptions): Shown => {
  const { args = [], command, env = {}, url = "" } = acp
  const commandLine = command === undefined ? url : CommandLine.display([command, ...Redaction.argv(args)])
  return { commandLine, variables: Object.keys(env) }
}

/** Fails: such an agent's options are in its command line. */
export const withOption = (_: ProviderOptions, name: string): Result.Result<ProviderOptions, string> =>
  Result.fail(`${name} is no option of an agent that is given by its command line: what it takes stands in that line`)

/** Sets variables. A remote agent has an environment that Signalbox can't set. */
export const withVariables = (
  { acp = {}, ...others }: ProviderOptions,
  variables: Variables
): Result.Result<ProviderOptions, string> =>
  acp.command === undefined
    ? Result.fail("this agent runs elsewhere, and is started there with variables of its own")
    : Result.succeed({ ...others, acp: { ...acp, env: { ...acp.env, ...variables } } })
