/** `signalbox tape` and `signalbox replay` on the command line. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { json, lazily, output, stateDir } from "../Subcommand.ts"

const tape = Argument.String("tape").pipe(
  Argument.withDescription("A file, or a thread or session by the beginning of its id; of a thread all its tapes")
)

const list = Command.make("list", { stateDir, json: json("one tape a line") }, (flags) =>
  lazily(async () => (await import("./TapeList.ts")).listTapes(flags))
).pipe(Command.withDescription("List the tapes, those changed last first"))

const export_ = Command.make(
  "export",
  {
    stateDir,
    output,
    tape
  },
  (flags) => lazily(async () => (await import("./TapeExport.ts")).exportTape(flags))
).pipe(
  Command.withShortDescription("Write tapes as one file to pass on"),
  Command.withDescription(
    "Write tapes as one file to pass on, with its parts joined. Secrets are looked for once more, and what was taken out is reported."
  )
)

export const tapeCommand = Command.make("tape").pipe(
  Command.withShortDescription("List and export tapes"),
  Command.withDescription("List and export tapes: the record of every line between Signalbox and its agents."),
  Command.withSubcommands([list, export_])
)

export const replayCommand = Command.make(
  "replay",
  {
    stateDir,
    json: json("one event a line"),
    speed: Flag.Finite("speed").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription("Keep the pauses of the tape, N times as fast; without it there are none"),
      Flag.optional
    ),
    tape
  },
  (flags) => lazily(async () => (await import("./Replay.ts")).replayTape(flags))
).pipe(
  Command.withShortDescription("Play a tape again and print what happened"),
  Command.withDescription(
    "Play a tape again and print what happened, as it was then. No agent is started and nothing is changed: the tape stands in for the agent, and everything else is the real thing.\n\nExit codes: 0 all of it went as on the tape, 1 otherwise, 2 usage."
  )
)
