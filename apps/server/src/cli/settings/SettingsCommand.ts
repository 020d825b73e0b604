/** `signalbox settings` on the command line. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { json, lazily, paragraphs, stateDir } from "../Subcommand.ts"

const provider = Flag.String("provider").pipe(
  Flag.withMetavar("ID"),
  Flag.withDescription("Those for this agent only"),
  Flag.optional
)

const cwd = Flag.String("cwd").pipe(
  Flag.withMetavar("DIR"),
  Flag.withDescription("Those for this folder only"),
  Flag.optional
)

const list = Command.make("list", { stateDir, provider, cwd, json: json("one setting a line") }, (flags) =>
  lazily(async () => (await import("./Settings.ts")).listRemembered(flags))
).pipe(Command.withDescription("List what was chosen last, by agent and folder"))

const forget = Command.make(
  "forget",
  {
    stateDir,
    provider,
    cwd,
    all: Flag.Boolean("all").pipe(Flag.withDescription("All of them, for every agent"), Flag.withDefault(false)),
    setting: Argument.String("setting").pipe(
      Argument.withDescription("The id of a setting: that one only"),
      Argument.optional
    )
  },
  (flags) => lazily(async () => (await import("./Settings.ts")).forget(flags))
).pipe(
  Command.withShortDescription("Let new threads begin as their agent likes"),
  Command.withDescription("Let new threads begin as their agent likes. Threads that are there stay as they are.")
)

export const settingsCommand = Command.make("settings").pipe(
  Command.withShortDescription("List and forget the settings with which new threads begin"),
  Command.withDescription(
    paragraphs(
      "What you choose in a thread, its mode or its model, is what the next thread of the same agent in the same folder begins with. Here you see it, and can let it be forgotten.",
      "All of this is done by the server that runs: start one first. Agents and their command lines are the business of signalbox agents."
    )
  ),
  Command.withSubcommands([list, forget])
)
