/** `signalbox login` and `signalbox logout` on the command line. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { env, lazily, paragraphs, provider, stateDir } from "../Subcommand.ts"

export const loginCommand = Command.make(
  "login",
  {
    stateDir,
    provider,
    env,
    method: Flag.String("method").pipe(
      Flag.withMetavar("ID"),
      Flag.withDescription("The way to sign in, where the agent offers several"),
      Flag.optional
    )
  },
  (flags) => lazily(async () => (await import("./SignIn.ts")).login(flags))
).pipe(
  Command.withShortDescription("Sign in to an agent"),
  Command.withDescription(
    paragraphs(
      "Sign in to an agent, in one of the ways that it offers: by itself, often in a browser, or in this terminal. What it asks for goes to the agent, and is not kept here.",
      "Exit codes: 0 signed in, 1 failed, 2 usage, 5 not signed in."
    )
  )
)

export const logoutCommand = Command.make("logout", { stateDir, provider, env }, (flags) =>
  lazily(async () => (await import("./SignIn.ts")).logout(flags))
).pipe(Command.withDescription("Let an agent forget who is signed in"))
