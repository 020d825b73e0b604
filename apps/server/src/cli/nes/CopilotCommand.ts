/** `signalbox nes copilot` on the command line. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { lazily, paragraphs } from "../Subcommand.ts"

export const copilotCommand = Command.make(
  "copilot",
  {
    server: Flag.String("server").pipe(
      Flag.withMetavar('"CMD ARGS"'),
      Flag.withDescription("How the language server is started"),
      Flag.withDefault("copilot-language-server --stdio")
    )
  },
  (flags) => lazily(async () => (await import("./Copilot.ts")).copilot(flags))
).pipe(
  Command.withShortDescription("Be an agent for suggestions that asks GitHub Copilot"),
  Command.withDescription(
    paragraphs(
      "Be an agent for next edit suggestions on standard input and output, which asks GitHub Copilot's language server (@github/copilot-language-server).",
      "The language server sends what you edit to GitHub, and keeps your sign-in in files of its own. GitHub's terms of use apply. Nothing starts it but this command.",
      "Exit codes: 0 the client has left, 1 the language server has ended, 2 usage, 129, 130 and 143 ended by SIGHUP, SIGINT and SIGTERM."
    )
  )
)
