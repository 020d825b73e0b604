/** `signalbox acp` on the command line. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { lazily, paragraphs, stateDir } from "../Subcommand.ts"

export const acpCommand = Command.make(
  "acp",
  {
    stateDir,
    provider: Flag.String("provider").pipe(
      Flag.withMetavar("ID"),
      Flag.withDescription(
        "The agent of new threads: cursor (default), or another of signalbox agents. Only its threads are listed then"
      ),
      Flag.optional
    ),
    signIn: Flag.Boolean("sign-in").pipe(
      Flag.withDescription("Sign in to the agent in this terminal instead, as signalbox login does"),
      Flag.withDefault(false)
    ),
    serverEndsAfter: Flag.String("server-ends-after").pipe(
      Flag.withMetavar("TIME"),
      Flag.withDescription(
        "How long a server that this starts goes on after its last client, as in 30s, 10m or 2h (default: 10m)"
      ),
      Flag.withDefault("10m")
    )
  },
  (flags) => lazily(async () => (await import("./Acp.ts")).acp(flags))
).pipe(
  Command.withShortDescription("Be an agent for an editor: its sessions are threads of the server"),
  Command.withDescription(
    paragraphs(
      "Be an agent for an editor that speaks the Agent Client Protocol, on standard input and output. Its sessions are threads of the server: they are kept, and pages show them at the same time.",
      "It uses the server of the state folder. If none runs, it starts one, which ends 10 minutes after its last client.",
      "Exit codes: 0 the editor has left, 1 the server can't be reached, 2 usage, 129, 130 and 143 ended by SIGHUP, SIGINT and SIGTERM."
    )
  )
)
