/** `signalbox agents` on the command line. */
import { PermissionProfile } from "@signalbox/contracts/Provider"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { json, lazily, paragraphs, stateDir } from "../Subcommand.ts"

const name = Argument.String("name").pipe(Argument.withDescription("Small letters, digits and hyphens"))

const list = Command.make("list", { stateDir, json: json("one agent a line") }, (flags) =>
  lazily(async () => (await import("./Agents.ts")).listAgents(flags))
).pipe(Command.withDescription("List the agents that threads can be started on, and whether each can run"))

const add = Command.make(
  "add",
  {
    stateDir,
    title: Flag.String("title").pipe(
      Flag.withMetavar("TEXT"),
      Flag.withDescription("What people call it (default: its name)"),
      Flag.optional
    ),
    env: Flag.String("env").pipe(
      Flag.withMetavar("NAME=VALUE"),
      Flag.withDescription("Add a variable to its environment; may be repeated"),
      Flag.atLeast(0)
    ),
    needs: Flag.String("needs").pipe(
      Flag.withMetavar("NAME"),
      Flag.withDescription("A variable that holds its key: a check fails when none of them is set; may be repeated"),
      Flag.atLeast(0)
    ),
    url: Flag.String("url").pipe(
      Flag.withMetavar("URL"),
      Flag.withDescription("Where it is, if it runs elsewhere: instead of a command"),
      Flag.optional
    ),
    header: Flag.String("header").pipe(
      Flag.withMetavar("NAME=VALUE"),
      Flag.withDescription("Send this with each request to it; may be repeated"),
      Flag.atLeast(0)
    ),
    cwd: Flag.String("cwd").pipe(
      Flag.withMetavar("DIR"),
      Flag.withDescription("Start its process there (default: in the folder of the thread)"),
      Flag.optional
    ),
    protocol: Flag.Literals("protocol", ["1", "2"]).pipe(
      Flag.withDescription("The version of the protocol to begin with (default: 1)"),
      Flag.optional
    ),
    permissions: Flag.Literals("permissions", PermissionProfile.literals).pipe(
      Flag.withDescription(
        "Who answers when it asks for permission: ask (people, the default), allow-reads (reading and searching is allowed), read-only (and what changes or runs something is refused), edits (and changing files of the project is allowed), or bypass (all that no rule denies or asks about is allowed)"
      ),
      Flag.optional
    ),
    files: Flag.Literals("files", ["off", "read", "write"]).pipe(
      Flag.withDescription(
        "What it may do to files through Signalbox (default: off; most work on the disk themselves)"
      ),
      Flag.optional
    ),
    terminals: Flag.Boolean("terminals").pipe(
      Flag.withDescription("Let it run programs through Signalbox"),
      Flag.withDefault(false)
    ),
    replace: Flag.Boolean("replace").pipe(
      Flag.withDescription("Put it in place of one that has this name"),
      Flag.withDefault(false)
    ),
    name,
    command: Argument.String("command").pipe(
      Argument.withDescription("The program that speaks ACP on its standard streams, and its arguments"),
      Argument.variadic()
    )
  },
  (flags) => lazily(async () => (await import("./Agents.ts")).addAgent(flags))
).pipe(
  Command.withShortDescription("Put an agent into the settings: agents add NAME -- COMMAND ARGS"),
  Command.withDescription(
    paragraphs(
      "Put an agent into the settings: signalbox agents add NAME -- COMMAND ARGS. Nothing is started for it.",
      "The settings are settings.json in the state folder. Write it by hand as you like: a server that runs sees what you save."
    )
  )
)

const remove = Command.make("remove", { stateDir, name }, (flags) =>
  lazily(async () => (await import("./Agents.ts")).removeAgent(flags))
).pipe(
  Command.withShortDescription("Take an agent out of the settings"),
  Command.withDescription("Take an agent out of the settings. Its threads stay, and can't go on before it is put back.")
)

const yes = Flag.Boolean("yes").pipe(Flag.withAlias("y"), Flag.withDescription("Do not ask"), Flag.withDefault(false))

const unverified = Flag.Boolean("unverified").pipe(
  Flag.withDescription("Take a download for which the registry has no checksum"),
  Flag.withDefault(false)
)

const refresh = Flag.Boolean("refresh").pipe(
  Flag.withDescription("Load the registry again first ($SIGNALBOX_REGISTRY_URL, else the public one)"),
  Flag.withDefault(false)
)

const registry = Command.make("registry", { stateDir, refresh, json: json("one agent a line") }, (flags) =>
  lazily(async () => (await import("./RegistryAgents.ts")).showRegistry(flags))
).pipe(
  Command.withShortDescription("List the agents of the public registry"),
  Command.withDescription(
    "List the agents of the public registry, and how each would be run here. Nothing is loaded unless you say --refresh."
  )
)

const install = Command.make(
  "install",
  {
    stateDir,
    yes,
    unverified,
    name: Flag.String("name").pipe(
      Flag.withMetavar("NAME"),
      Flag.withDescription("Its name in the settings (default: its id)"),
      Flag.optional
    ),
    replace: Flag.Boolean("replace").pipe(
      Flag.withDescription("Put it in place of one that has this name"),
      Flag.withDefault(false)
    ),
    id: Argument.String("id").pipe(Argument.withDescription("Its id in the registry"))
  },
  (flags) => lazily(async () => (await import("./RegistryAgents.ts")).installAgent(flags))
).pipe(
  Command.withShortDescription("Install an agent of the registry, in exactly one version"),
  Command.withDescription(
    paragraphs(
      "Install an agent of the registry, in exactly one version, and put it into the settings. You are shown what is loaded, from where, and the exact command that will run it, and asked.",
      "Downloads are kept in agents-installed in the state folder. Packages of npm and PyPI are loaded by npx and uvx when the agent is first run."
    )
  )
)

const update = Command.make(
  "update",
  {
    stateDir,
    yes,
    unverified,
    refresh,
    names: Argument.String("name").pipe(
      Argument.withDescription("Which of those that were installed; all unless given"),
      Argument.variadic()
    )
  },
  (flags) => lazily(async () => (await import("./RegistryAgents.ts")).updateAgents(flags))
).pipe(
  Command.withShortDescription("Bring installed agents to the registry's version"),
  Command.withDescription(
    "Bring installed agents to the version that the registry has. What your settings say of them stays."
  )
)

export const agentsCommand = Command.make("agents").pipe(
  Command.withShortDescription("List the agents, add and remove your own, install others"),
  Command.withDescription(
    "List the agents that threads can be started on, add and remove your own, and install those of the public registry."
  ),
  Command.withSubcommands([list, add, remove, registry, install, update])
)
