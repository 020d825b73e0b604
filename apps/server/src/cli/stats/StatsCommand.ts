/** `signalbox stats` on the command line. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { json, lazily, stateDir } from "../Subcommand.ts"

export const statsCommand = Command.make(
  "stats",
  {
    stateDir,
    json: json("one report a line"),
    watch: Flag.Boolean("watch").pipe(
      Flag.withAlias("w"),
      Flag.withDescription("Go on, with a report every five seconds"),
      Flag.withDefault(false)
    )
  },
  (flags) => lazily(async () => (await import("./Stats.ts")).stats(flags))
).pipe(
  Command.withShortDescription("Tell how the server is that runs"),
  Command.withDescription("Tell how the server is that runs: memory, storage, threads, and each agent")
)
