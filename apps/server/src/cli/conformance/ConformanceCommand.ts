/** `signalbox conformance` on the command line. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { env, json, lazily, paragraphs, stateDir } from "../Subcommand.ts"

export const conformanceCommand = Command.make(
  "conformance",
  {
    stateDir,
    provider: Flag.String("provider").pipe(
      Flag.withMetavar("ID"),
      Flag.withDescription("The agent: cursor (default), or another of signalbox agents"),
      Flag.optional
    ),
    agent: Flag.String("agent").pipe(
      Flag.withMetavar('"CMD ARGS"'),
      Flag.withDescription("Any ACP agent, by its command line instead"),
      Flag.optional
    ),
    env,
    model: Flag.Boolean("model").pipe(
      Flag.withDescription(
        "Also what needs the agent's model: six prompts, two of them cancelled and one empty, and nine questions if it suggests edits. That may cost something"
      ),
      Flag.withDefault(false)
    ),
    cwd: Flag.String("cwd").pipe(
      Flag.withMetavar("DIR"),
      Flag.withDescription("The folder the agent works in (default: an empty one, removed afterwards)"),
      Flag.optional
    ),
    json: json("the whole report on one line")
  },
  (flags) => lazily(async () => (await import("./ConformanceReporting.ts")).conformance(flags))
).pipe(
  Command.withShortDescription("Look over what an agent does of the protocol"),
  Command.withDescription(
    paragraphs(
      "Look over what an agent does of the protocol: what it claims, what it does, and where the two differ. The agent is started several times, in a folder of its own. It keeps the sessions that are made for it, unless it can delete them.",
      "Exit codes: 0 looked over, whatever was seen; 1 it could not be started; 2 usage; 3 stopped."
    )
  )
)
