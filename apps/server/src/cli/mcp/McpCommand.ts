/** `signalbox mcp` on the command line. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { json, lazily, paragraphs, stateDir } from "../Subcommand.ts"

const name = Argument.String("name").pipe(Argument.withDescription("As agents and people call the server"))

const project = Flag.String("project").pipe(
  Flag.withMetavar("DIR"),
  Flag.withDescription("Of the threads in this folder and below it (default: of all threads)"),
  Flag.optional
)

const list = Command.make(
  "list",
  {
    stateDir,
    cwd: Flag.String("cwd").pipe(
      Flag.withMetavar("DIR"),
      Flag.withDescription("The folder that they are for (default: this one)"),
      Flag.withDefault(".")
    ),
    json: json("one server a line")
  },
  (flags) => lazily(async () => (await import("./Mcp.ts")).listServers(flags))
).pipe(Command.withDescription("List the MCP servers that sessions in a folder are given, and whether each can be"))

const add = Command.make(
  "add",
  {
    stateDir,
    project,
    env: Flag.String("env").pipe(
      Flag.withMetavar("NAME=VALUE"),
      Flag.withDescription("Add a variable to its environment; may be repeated"),
      Flag.atLeast(0)
    ),
    url: Flag.String("url").pipe(
      Flag.withMetavar("URL"),
      Flag.withDescription("Where it is, if it runs already: instead of a command"),
      Flag.optional
    ),
    sse: Flag.Boolean("sse").pipe(
      Flag.withDescription("It speaks the older kind of HTTP, by server-sent events"),
      Flag.withDefault(false)
    ),
    header: Flag.String("header").pipe(
      Flag.withMetavar("NAME=VALUE"),
      Flag.withDescription("Send this with each request to its address; may be repeated"),
      Flag.atLeast(0)
    ),
    replace: Flag.Boolean("replace").pipe(
      Flag.withDescription("Put it in place of one that has this name"),
      Flag.withDefault(false)
    ),
    name,
    command: Argument.String("command").pipe(
      Argument.withDescription("The program, and its arguments; agents start it"),
      Argument.variadic()
    )
  },
  (flags) => lazily(async () => (await import("./Mcp.ts")).addServer(flags))
).pipe(
  Command.withShortDescription("Put an MCP server into the settings: mcp add NAME -- COMMAND ARGS"),
  Command.withDescription(
    paragraphs(
      "Put an MCP server into the settings: signalbox mcp add NAME -- COMMAND ARGS. Sessions that start from then on are given it.",
      "Write '${env:NAME}' for a secret: it stands for a variable of the environment that Signalbox runs in, so that the secret itself is in no file."
    )
  )
)

const remove = Command.make("remove", { stateDir, project, name }, (flags) =>
  lazily(async () => (await import("./Mcp.ts")).removeServer(flags))
).pipe(Command.withDescription("Take an MCP server out of the settings"))

const enable = Command.make("enable", { stateDir, project, name }, (flags) =>
  lazily(async () => (await import("./Mcp.ts")).switchServer({ ...flags, enabled: true }))
).pipe(Command.withDescription("Give an MCP server to sessions that start from now on"))

const disable = Command.make("disable", { stateDir, project, name }, (flags) =>
  lazily(async () => (await import("./Mcp.ts")).switchServer({ ...flags, enabled: false }))
).pipe(
  Command.withDescription(
    "Give an MCP server only to sessions of threads for which it was chosen, from the next that starts"
  )
)

export const mcpCommand = Command.make("mcp").pipe(
  Command.withShortDescription("List, add and switch the MCP servers that agents are given"),
  Command.withDescription("List, add and switch the MCP servers that agents are given."),
  Command.withSubcommands([list, add, remove, enable, disable])
)
