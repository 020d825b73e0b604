/** `signalbox threads` on the command line. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { json, lazily, output, stateDir } from "../Subcommand.ts"

const yes = Flag.Boolean("yes").pipe(Flag.withAlias("y"), Flag.withDescription("Do not ask"), Flag.withDefault(false))

const exportTo = Flag.String("export").pipe(
  Flag.withMetavar("DIR"),
  Flag.withDescription("Write each thread to a file in this folder first; one that can't be written is kept"),
  Flag.optional
)

const whichThread = "Its id, or the beginning of it"

const list = Command.make("list", { stateDir, json: json("one thread a line") }, (flags) =>
  lazily(async () => (await import("./ListThreads.ts")).listThreads(flags))
).pipe(Command.withDescription("List the threads, those changed last first"))

const export_ = Command.make(
  "export",
  {
    stateDir,
    output,
    thread: Argument.String("id").pipe(Argument.withDescription(whichThread))
  },
  (flags) => lazily(async () => (await import("./ExportThread.ts")).exportThread(flags))
).pipe(
  Command.withShortDescription("Write a whole thread as lines of JSON"),
  Command.withDescription(
    "Write a whole thread as lines of JSON: first what the thread is, then its turns and entries with all their text."
  )
)

const resume = Command.make(
  "resume",
  {
    stateDir,
    transcript: Flag.Boolean("transcript").pipe(
      Flag.withDescription(
        "Where the agent has lost its session: the next prompt takes along what was said, at most 60,000 characters"
      ),
      Flag.withDefault(false)
    ),
    thread: Argument.String("id").pipe(Argument.withDescription(whichThread))
  },
  (flags) => lazily(async () => (await import("./ResumeThread.ts")).resumeThread(flags))
).pipe(
  Command.withShortDescription("Send the prompts of a thread that are held"),
  Command.withDescription(
    "Send the prompts of a thread that are held. After its agent has lost the session, you choose: a new session that knows nothing of what was said, or one with the transcript handed over (--transcript)."
  )
)

const delete_ = Command.make(
  "delete",
  {
    stateDir,
    export: exportTo,
    yes,
    threads: Argument.String("id").pipe(Argument.withDescription(whichThread), Argument.variadic({ min: 1 }))
  },
  (flags) => lazily(async () => (await import("./RemoveThreads.ts")).deleteThreads(flags))
).pipe(
  Command.withShortDescription("Remove threads with all that is kept of them"),
  Command.withDescription(
    "Remove threads with all that is kept of them: the log, output of tools, tapes. Their agents are stopped. Files that agents changed in your projects stay as they are. A database with more than 128 MiB to keep holds traces of what was removed until the server ends."
  )
)

const prune = Command.make(
  "prune",
  {
    stateDir,
    olderThan: Flag.String("older-than").pipe(
      Flag.withMetavar("TIME"),
      Flag.withDescription("Unchanged for at least so long: 30d, 12h, 2w")
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withAlias("n"),
      Flag.withDescription("Only list these threads"),
      Flag.withDefault(false)
    ),
    export: exportTo,
    yes
  },
  (flags) => lazily(async () => (await import("./RemoveThreads.ts")).pruneThreads(flags))
).pipe(
  Command.withShortDescription("Remove threads that were left alone for long"),
  Command.withDescription(
    "Remove threads that were left alone for long, with all that is kept of them. Threads whose agent is at work, or whose prompt waits, stay; so do those that can't be read."
  )
)

export const threadsCommand = Command.make("threads").pipe(
  Command.withShortDescription("List, export, resume and remove threads"),
  Command.withDescription(
    "List, export, resume and remove threads. All of this is done by the server that runs: start one first."
  ),
  Command.withSubcommands([list, export_, resume, delete_, prune])
)
