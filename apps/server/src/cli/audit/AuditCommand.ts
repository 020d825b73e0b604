/** `signalbox audit` on the command line. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { json, lazily, output, paragraphs, stateDir } from "../Subcommand.ts"

const text = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.optional)

const list = Command.make(
  "list",
  {
    stateDir,
    thread: text("thread", "ID", "The decisions of this thread; the beginning of its id is enough"),
    agent: text("agent", "ID", "The decisions about requests of this agent"),
    effect: Flag.Literals("effect", ["allow", "deny", "none"]).pipe(
      Flag.withDescription("What they came to: allow, deny, or none of both"),
      Flag.optional
    ),
    rule: text("rule", "ID", "The decisions of this rule, and those that it had people make"),
    by: Flag.Literals("by", ["person", "rule", "settings", "flag", "nobody"]).pipe(
      Flag.withDescription("Who decided"),
      Flag.optional
    ),
    since: text("since", "TIME", "Not older than this: 30d, 12h, 90m, or a date such as 2027-01-31"),
    limit: Flag.Int("limit").pipe(
      Flag.withMetavar("NUMBER"),
      Flag.withDescription("The latest of them (default: 50)"),
      Flag.withDefault(50)
    ),
    json: json("one decision a line")
  },
  (flags) => lazily(async () => (await import("./ListDecisions.ts")).listDecisions(flags))
).pipe(
  Command.withShortDescription("List decisions, latest first"),
  Command.withDescription("List decisions, latest first: what was asked, what it came to, and who decided.")
)

const exportLog = Command.make("export", { stateDir, output }, (flags) =>
  lazily(async () => (await import("./ExportLog.ts")).exportLog(flags))
).pipe(
  Command.withShortDescription("Write the whole log as lines of JSON"),
  Command.withDescription(
    "Write the whole log as lines of JSON, oldest entry first, each with its hash. Signalbox audit verify proves such a file."
  )
)

const verify = Command.make(
  "verify",
  {
    stateDir,
    head: text("head", "HASH", "The hash of an entry that has to be there, such as one that verify has printed before"),
    json: json("the result"),
    file: Argument.String("file").pipe(
      Argument.withDescription("A file that audit export has made, or a copy of the log (default: the log)"),
      Argument.optional
    )
  },
  (flags) => lazily(async () => (await import("./VerifyLog.ts")).verifyLog(flags))
).pipe(
  Command.withShortDescription("Look whether the log was changed"),
  Command.withDescription(
    paragraphs(
      "Look whether each entry of the log is as it was written, and follows the one before it. The first one that is not is named.",
      "A log that was cut at its end is found by --head only: keep the hash that is printed.",
      "Exit codes: 0 unchanged, 1 changed, cut or unreadable, 2 usage."
    )
  )
)

export const auditCommand = Command.make("audit").pipe(
  Command.withShortDescription("List, export and prove the record of who decided what"),
  Command.withDescription(
    "List, export and prove the record of who decided what about the requests of agents. No server is needed. docs/AUDIT.md says what it holds."
  ),
  Command.withSubcommands([list, exportLog, verify])
)
