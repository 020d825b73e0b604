/** `signalbox rules` on the command line. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { json, lazily, paragraphs, stateDir } from "../Subcommand.ts"

const cwd = Flag.String("cwd").pipe(
  Flag.withMetavar("DIR"),
  Flag.withDescription("The folder that an agent works in (default: this one)"),
  Flag.withDefault(".")
)

const rules = Flag.String("rules").pipe(
  Flag.withMetavar("FILE"),
  Flag.withDescription("The rules of this file alone, in place of your own and the project's"),
  Flag.optional
)

const text = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.optional)

const list = Command.make("list", { stateDir, cwd, rules, json: json("one rule a line") }, (flags) =>
  lazily(async () => (await import("./ListRules.ts")).listRules(flags))
).pipe(
  Command.withShortDescription("List the rules that count in a folder, in words"),
  Command.withDescription(
    "List the rules that count in a folder, in words: your own and those of its project, and whether each is in force."
  )
)

const check = Command.make(
  "check",
  {
    stateDir,
    cwd,
    json: json("one fault or warning a line"),
    file: Argument.String("file").pipe(
      Argument.withDescription("A rules file (default: your own and the project's)"),
      Argument.optional
    )
  },
  (flags) => lazily(async () => (await import("./CheckRules.ts")).checkRules(flags))
).pipe(
  Command.withShortDescription("Look for faults and warnings in rules files"),
  Command.withDescription(
    paragraphs(
      "Look for faults and warnings in rules files. Each is printed as FILE:LINE:COLUMN.",
      "Exit codes: 0 no faults, 1 a fault or no such file, 2 usage."
    )
  )
)

const project = Flag.Boolean("project").pipe(
  Flag.withDescription("The file of the project in --cwd, .signalbox/rules.json, instead of your own"),
  Flag.withDefault(false)
)

const add = Command.make(
  "add",
  {
    stateDir,
    cwd,
    project,
    file: Flag.String("rules").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("Add it to this file, for run --rules FILE"),
      Flag.optional
    ),
    command: text("command", "PATTERN", "A command, such as 'pnpm vitest **'; without ** it may have no further words"),
    path: text("path", "PATTERN", "A file or folder, such as 'src/**' or '~/.ssh/**'"),
    kind: text("kind", "KIND", "What the request does, such as read, edit, delete or execute"),
    tool: text("tool", "NAME", "A tool, as the agent or its MCP server names it"),
    server: text("server", "NAME", "An MCP server"),
    host: text("host", "NAME", "The host of an address, such as '*.example.org'"),
    agent: text("agent", "ID", "The agent that asks"),
    scope: text(
      "scope",
      "SCOPE",
      "Where it holds: global (default), workspace, workspace=DIR, thread=ID, session=ID or session-kind=KIND"
    ),
    until: text(
      "until",
      "END",
      "Until when: once, session, or a date such as 2027-01-31 (default: until it is removed)"
    ),
    why: text("why", "TEXT", "A sentence that is shown with the rule"),
    effect: Argument.Literals("effect", ["allow", "deny", "ask"]).pipe(
      Argument.withDescription("What becomes of a request: deny beats ask, ask beats allow")
    )
  },
  (flags) => lazily(async () => (await import("./ChangeRules.ts")).addRule(flags))
).pipe(
  Command.withShortDescription("Add a rule: rules add EFFECT --command PATTERN"),
  Command.withDescription(
    paragraphs(
      "Add a rule to your own file or to the project's. What is in the file stays as it is, comments included.",
      "Put a pattern in single quotes, so that the shell leaves its stars alone."
    )
  )
)

const remove = Command.make(
  "remove",
  {
    stateDir,
    cwd,
    project,
    number: Argument.Int("number").pipe(Argument.withDescription("The number that signalbox rules list shows"))
  },
  (flags) => lazily(async () => (await import("./ChangeRules.ts")).removeRule(flags))
).pipe(Command.withDescription("Take a rule out of your own file or of the project's. Comments around it stay."))

const trust = Command.make("trust", { stateDir, cwd }, (flags) =>
  lazily(async () => (await import("./TrustRules.ts")).trustProject(flags))
).pipe(
  Command.withShortDescription("Put the rules of a project in force"),
  Command.withDescription(
    "Put the rules of a project in force, as its file is now. If the file changes, they have to be trusted again. Rules of a project can only deny and ask."
  )
)

const untrust = Command.make("untrust", { stateDir, cwd }, (flags) =>
  lazily(async () => (await import("./TrustRules.ts")).untrustProject(flags))
).pipe(Command.withDescription("Take the rules of a project out of force"))

const explain = Command.make(
  "explain",
  {
    stateDir,
    cwd,
    rules,
    agent: Flag.String("agent").pipe(
      Flag.withMetavar("ID"),
      Flag.withDescription("The agent that asks (default: cursor)"),
      Flag.withDefault("cursor")
    ),
    command: text("command", "CMD", "The command line that it asks for; - reads it from standard input"),
    request: text("request", "FILE", "A request in JSON instead, such as a tool call; - reads it from standard input"),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print the verdict as one line of JSON"),
      Flag.withDefault(false)
    )
  },
  (flags) => lazily(async () => (await import("./ExplainRules.ts")).explain(flags))
).pipe(
  Command.withShortDescription("Say what would become of a request, and why"),
  Command.withDescription(
    paragraphs(
      "Say what would become of a request, and why. Nothing is run, and nobody is asked.",
      "Exit codes: 0 for every verdict, 1 a rules file of yours has a fault, 2 usage."
    )
  )
)

const test = Command.make("test", { stateDir, cwd, rules, json: json("one example a line") }, (flags) =>
  lazily(async () => (await import("./TestRules.ts")).testRules(flags))
).pipe(
  Command.withShortDescription("Try the examples that stand beside rules"),
  Command.withDescription(
    paragraphs(
      "Try the examples that stand beside rules, and name each that comes out otherwise. The rules of a file are tried whether they are in force or not.",
      "Exit codes: 0 all come out as expected, 1 one differs or a file has a fault, 2 usage."
    )
  )
)

const replay = Command.make(
  "replay",
  {
    stateDir,
    rules: text("rules", "FILE", "The rules of this file alone, in place of those in force"),
    rule: text("rule", "JSON", "One more rule, as it would stand in a rules file"),
    since: text("since", "TIME", "Requests not older than this: 30d, 12h, 90m, or a date (default: all)"),
    json: json("the result")
  },
  (flags) => lazily(async () => (await import("./ReplayRules.ts")).replayRules(flags))
).pipe(
  Command.withShortDescription("Try rules on the requests of the past"),
  Command.withDescription(
    paragraphs(
      "Say what rules would have made of the requests in the audit log, and count what would have ended otherwise. Nothing is changed.",
      "Requests are judged by their recorded commands and paths. Where the paths lead now is not looked up."
    )
  )
)

export const rulesCommand = Command.make("rules").pipe(
  Command.withShortDescription("List, add, check and try the rules that answer requests of agents"),
  Command.withDescription(
    paragraphs(
      "List, add, check and try the rules that answer requests of agents. A rule allows a request, denies it, or has people asked.",
      "Your own rules are in rules.json in the state folder, those of a project in .signalbox/rules.json. No server is needed. docs/RULES.md says what a rule may hold."
    )
  ),
  Command.withSubcommands([list, check, add, remove, trust, untrust, explain, test, replay])
)
