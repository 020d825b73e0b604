/** `signalbox nes` on the command line. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { env, json, lazily, paragraphs, stateDir } from "../Subcommand.ts"
import { copilotCommand } from "./CopilotCommand.ts"

/** Which agent is asked, and how it is started. */
const whom = {
  stateDir,
  provider: Flag.String("provider").pipe(
    Flag.withMetavar("ID"),
    Flag.withDescription("The agent: one of signalbox agents (default: the provider of suggestions in the settings)"),
    Flag.optional
  ),
  agent: Flag.String("agent").pipe(
    Flag.withMetavar('"CMD ARGS"'),
    Flag.withDescription("Any ACP agent that makes suggestions, by its command line instead"),
    Flag.optional
  ),
  env
}

const set = Flag.String("set").pipe(
  Flag.withMetavar("ID=VALUE"),
  Flag.withDescription("A setting of the agent's session; may be repeated"),
  Flag.atLeast(0)
)

const attempt = Command.make(
  "try",
  {
    ...whom,
    line: Flag.Int("line").pipe(Flag.withMetavar("N"), Flag.withDescription("The line of the cursor, from 1")),
    column: Flag.Int("column").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription("The column of the cursor, from 1, in UTF-16 units")
    ),
    set,
    tape: Flag.String("tape").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("Record every line between Signalbox and the agent"),
      Flag.optional
    ),
    json: json("the suggestions, what was left out and the time on one line"),
    file: Argument.String("file").pipe(Argument.withDescription("The file that is edited; it is not changed"))
  },
  (flags) => lazily(async () => (await import("./Try.ts")).tryOut(flags))
).pipe(
  Command.withShortDescription("Ask an agent once for the next edit of a file"),
  Command.withDescription(
    paragraphs(
      "Ask an agent once for the next edit of a file, and print it as a unified diff. The file stays as it is. No server needs to run.",
      "The workspace is this folder, if the file is in it, else the folder of the file. A file that git ignores, or that is never sent, is not sent.",
      "Exit codes: 0 a suggestion; 4 none; 1 failed; 2 usage; 3 stopped."
    )
  )
)

const record = Flag.Boolean("record").pipe(
  Flag.withDescription("Record what you edit and what is suggested, for signalbox nes replay"),
  Flag.withDefault(false)
)

const lsp = Command.make("lsp", { ...whom, set, record }, (flags) =>
  lazily(async () => (await import("./Lsp.ts")).lsp(flags))
).pipe(
  Command.withShortDescription("Bring an agent's suggestions to any editor, as a language server"),
  Command.withDescription(
    paragraphs(
      "Bring the next edit suggestions of an agent to any editor, as a language server. No Signalbox server needs to run.",
      "An editor with inline completion (LSP 3.18) shows suggestions in the line. Other editors, and other places, get code actions. Files that git ignores, or that are never sent, stay with the editor.",
      "Standard input and output carry the Language Server Protocol and nothing else. Problems go to standard error, and to the editor as messages. When standard input ends, all programs have ended within 5 seconds.",
      "Exit codes: 0 the editor has left as the protocol says, 1 it left otherwise, 2 usage, 129, 130 and 143 ended by SIGHUP, SIGINT and SIGTERM."
    )
  )
)

const replay = Command.make(
  "replay",
  {
    ...whom,
    json: json("each question with both answers, and then the report,"),
    tape: Argument.String("tape").pipe(
      Argument.withDescription("A recording: its file, or the beginning of its name in the state folder")
    )
  },
  (flags) => lazily(async () => (await import("./Replay.ts")).replay(flags))
).pipe(
  Command.withShortDescription("Play what you typed to another agent, and compare its suggestions"),
  Command.withDescription(
    paragraphs(
      "Play what you typed to another agent, and compare its suggestions with the recorded ones. Files stay as they are. No server needs to run.",
      'Recordings are made where the settings say "suggestions": {"record": true}, and by signalbox nes lsp --record. The agent gets the same events in the same order, without the pauses, and is asked at the same points.',
      "Two edits are the same if they make the same text. Where the cursor goes then does not count.",
      "Exit codes: 0 replayed; 1 failed; 2 usage; 3 stopped."
    )
  )
)

export const nesCommand = Command.make("nes").pipe(
  Command.withDescription("Next edit suggestions of agents"),
  Command.withSubcommands([attempt, lsp, replay, copilotCommand])
)
