import type { Account } from "../Account.ts"
import type { CommandLine } from "../CommandLine.ts"
import type { Environment } from "../Environment.ts"

/** What a command of the command line works with. */
export interface Invocation {
  readonly environment: Environment
  readonly commandLine: CommandLine
  readonly account: Account
}

/** @returns the exit code. */
export type Command = (invocation: Invocation) => number | Promise<number>

/** `--format json`; an option that February's build did not have, and that any other build may be given wrongly. */
export type Format = "text" | "json"

/** @returns the format that was asked for, or the complaint about it. */
export const formatOf = ({ environment, commandLine }: Invocation): Format | { readonly complaint: string } => {
  const [option, value = "text"] = commandLine.rest.flatMap((word) => word.split("=", 2))
  if (option === undefined) return "text"
  if (option !== "--format" || environment.generation === "2026.02")
    return { complaint: `error: unknown option '${option}'` }
  return value === "json" || value === "text" ? value : { complaint: `error: invalid format '${value}'` }
}
