/** `signalbox browsers` on the command line. */
import * as Command from "effect/cli/Command"
import { json, lazily, paragraphs, stateDir } from "../Subcommand.ts"

const list = Command.make("list", { stateDir, json: json("one browser a line") }, (flags) =>
  lazily(async () => (await import("./BrowsersLetIn.ts")).list(flags))
).pipe(Command.withDescription("List the browsers that were let in, by when they were last here"))

const forget = Command.make("forget", { stateDir }, (flags) =>
  lazily(async () => (await import("./BrowsersLetIn.ts")).forget(flags))
).pipe(
  Command.withShortDescription("Shut out all browsers, also while a server runs"),
  Command.withDescription(
    "Shut out all browsers, also while a server runs: those that are connected are cut off within seconds. The link that the server printed lets new ones in."
  )
)

export const browsersCommand = Command.make("browsers").pipe(
  Command.withShortDescription("List and shut out the browsers that were let in"),
  Command.withDescription(
    paragraphs(
      "A browser that came by the printed link stays in over restarts of the server, until it was away for 30 days.",
      "Programs of this account, and agents, are not concerned: they don't come in by a cookie."
    )
  ),
  Command.withSubcommands([list, forget])
)
