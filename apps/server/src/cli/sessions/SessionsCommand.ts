/** `signalbox sessions` on the command line. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { env, json, lazily, paragraphs, provider, stateDir } from "../Subcommand.ts"

const cwd = Flag.String("cwd").pipe(
  Flag.withMetavar("DIR"),
  Flag.withDescription("Only those of this folder"),
  Flag.optional
)

const session = Argument.String("session").pipe(Argument.withDescription("Its id, or the beginning of it"))

const list = Command.make(
  "list",
  {
    stateDir,
    provider,
    env,
    cwd,
    archived: Flag.Boolean("archived").pipe(
      Flag.withDescription("Only those that were put away"),
      Flag.withDefault(false)
    ),
    json: json("one session a line")
  },
  (flags) => lazily(async () => (await import("./ListSessions.ts")).listSessions(flags))
).pipe(
  Command.withShortDescription("List the sessions that an agent keeps"),
  Command.withDescription("List the sessions that an agent keeps, whoever began them. The agent is started for it.")
)

const import_ = Command.make("import", { stateDir, provider, cwd, session }, (flags) =>
  lazily(async () => (await import("./ImportSession.ts")).importSession(flags))
).pipe(
  Command.withShortDescription("Open a session of an agent as a thread, with its history"),
  Command.withDescription(
    paragraphs(
      "Open a session of an agent as a thread, with its history where the agent sends it.",
      "This is done by the server that runs: start one first. It starts the agent as your settings say."
    )
  )
)

const delete_ = Command.make(
  "delete",
  {
    stateDir,
    provider,
    env,
    cwd,
    yes: Flag.Boolean("yes").pipe(Flag.withAlias("y"), Flag.withDescription("Do not ask"), Flag.withDefault(false)),
    session
  },
  (flags) => lazily(async () => (await import("./DeleteSession.ts")).deleteSession(flags))
).pipe(
  Command.withDescription("Let an agent delete one of its sessions. A thread of yours that goes on with it stays.")
)

export const sessionsCommand = Command.make("sessions").pipe(
  Command.withShortDescription("List, open and delete the sessions that an agent keeps"),
  Command.withDescription("List, open and delete the sessions that an agent keeps, whoever began them."),
  Command.withSubcommands([list, import_, delete_])
)
