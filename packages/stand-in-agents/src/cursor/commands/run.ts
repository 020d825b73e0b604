import { randomUUID } from "node:crypto"
import { Account } from "../Account.ts"
import type { CommandLine } from "../CommandLine.ts"
import type { Environment } from "../Environment.ts"
import { about, logIn, logOut, status } from "./account.ts"
import { help } from "./help.ts"
import type { Command } from "./invocation.ts"
import { mcp } from "./mcp.ts"
import { models } from "./models.ts"
import { complain, print } from "./output.ts"

const commands = new Map<string, Command>(
  Object.entries({
    version: ({ environment }) => print(environment.version),
    help,
    status,
    whoami: status,
    about,
    models,
    login: logIn,
    logout: logOut,
    mcp,
    "create-chat": () => print(randomUUID())
  } satisfies Record<string, Command>)
)

/** Everything but `acp`. @returns the exit code */
export const runCommand = async (environment: Environment, commandLine: CommandLine): Promise<number> => {
  const command = commands.get(commandLine.command)
  if (command === undefined) return complain(`error: unknown command '${commandLine.command}'`)
  return await command({ environment, commandLine, account: new Account(environment, commandLine.key) })
}
