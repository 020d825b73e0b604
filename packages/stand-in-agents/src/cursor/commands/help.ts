import type { Command } from "./invocation.ts"
import { print } from "./output.ts"

const general = `Usage: agent [options] [command]

Cursor Agent (an emulator for tests and demonstrations)

Options:
  -v, --version        output the version number
  --model <id>         model to use
  -f, --force          allow commands unless explicitly denied
  -h, --help           display help

Commands:
  login                log in
  logout               log out
  status|whoami        show who is logged in
  about                show version, system and account
  models               list the models of this account
  mcp                  manage MCP servers
  create-chat          create an empty chat and print its id
  help [command]       display help for a command`

const acp = `Usage: agent acp

Start the Agent Client Protocol server on standard input and output`

/** `acp` is left out of the general help, as it long was. */
export const help: Command = ({ commandLine }) => print(commandLine.rest[0] === "acp" ? acp : general)
