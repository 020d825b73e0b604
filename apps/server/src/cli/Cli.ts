/** The command line: its commands and flags. The code of a command is loaded only when the command is called. */
import * as Argument from "effect/cli/Argument"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { oneLine } from "../base/Plain.ts"
import { version } from "../base/Version.ts"
import { fromCommand, withValue } from "./Arguments.ts"
import { acpCommand } from "./acp/AcpCommand.ts"
import { agentsCommand } from "./agents/AgentsCommand.ts"
import { auditCommand } from "./audit/AuditCommand.ts"
import { backupCommand, restoreCommand } from "./backup/BackupCommands.ts"
import { clientsCommand } from "./clients/ClientsCommand.ts"
import { componentCommand, conductorCommand } from "./conductor/ConductorCommand.ts"
import { conformanceCommand } from "./conformance/ConformanceCommand.ts"
import { ExitCode } from "./terminal/ExitCode.ts"
import { CommandFailed, unexpected, UsageError } from "./terminal/Failure.ts"
import * as Log from "./serve/Log.ts"
import { ideCommand } from "./ide/IdeCommand.ts"
import { mcpCommand } from "./mcp/McpCommand.ts"
import { nesCommand } from "./nes/NesCommand.ts"
import { presenter } from "./terminal/Presenter.ts"
import { problemShown } from "./terminal/ProblemText.ts"
import { rulesCommand } from "./rules/RulesCommand.ts"
import { sessionsCommand } from "./sessions/SessionsCommand.ts"
import { settingsCommand } from "./settings/SettingsCommand.ts"
import { loginCommand, logoutCommand } from "./signin/SignInCommands.ts"
import { statsCommand } from "./stats/StatsCommand.ts"
import { env, lazily, paragraphs, stateDir } from "./Subcommand.ts"
import { replayCommand, tapeCommand } from "./tape/TapeCommand.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { threadsCommand } from "./threads/ThreadsCommand.ts"

const serve = Command.make(
  "serve",
  {
    port: Flag.Int("port").pipe(
      Flag.withAlias("p"),
      Flag.withMetavar("PORT"),
      Flag.withDescription("Port to listen on (default: 4177, or the next free one)"),
      Flag.optional
    ),
    host: Flag.String("host").pipe(
      Flag.withMetavar("HOST"),
      Flag.withDescription("Address to listen on, of this machine only: 127.0.0.1 or ::1"),
      Flag.withDefault("127.0.0.1")
    ),
    resume: Flag.Literals("resume", ["on-prompt", "at-once"]).pipe(
      Flag.withDescription(
        "When agents that an earlier server was running, or that ended by themselves, are started again: with the next prompt, or at once"
      ),
      Flag.withDefault("on-prompt")
    ),
    endAfter: Flag.String("end-after").pipe(
      Flag.withMetavar("TIME"),
      Flag.withDescription(
        "End by itself when no client was connected and no agent at work for this time, as in 30s, 10m or 2h (default: never)"
      ),
      Flag.optional
    ),
    stateDir
  },
  (flags) => lazily(async () => (await import("./serve/Serve.ts")).serve(flags))
).pipe(
  Command.withShortDescription("Run the server and its page on this machine (this is the default)"),
  Command.withDescription(
    paragraphs(
      "Run the server and its page on this machine (this is the default).",
      "It notes what happens in logs/server.ndjson in the state folder. An agent that is slow to start is reported after $SIGNALBOX_START_SLOW (10 seconds), and given up after $SIGNALBOX_START_TIMEOUT (30 seconds) without any progress.",
      "Exit codes: 0 ended by a signal, 1 failed, 2 usage, 7 another server uses the state folder."
    )
  )
)

const run = Command.make(
  "run",
  {
    provider: Flag.String("provider").pipe(
      Flag.withMetavar("ID"),
      Flag.withDescription(
        "The agent: cursor (default), cursor-simulated, eliza, signalbox-nes, or one of your settings (signalbox agents)"
      ),
      Flag.optional
    ),
    agent: Flag.String("agent").pipe(
      Flag.withMetavar('"CMD ARGS"'),
      Flag.withDescription("Any ACP agent, by its command line instead"),
      Flag.optional
    ),
    cwd: Flag.String("cwd").pipe(
      Flag.withMetavar("DIR"),
      Flag.withDescription("The folder the agent works in (default: this one)"),
      Flag.optional
    ),
    mode: Flag.String("mode").pipe(Flag.withMetavar("ID"), Flag.withDescription("Mode of the session"), Flag.optional),
    model: Flag.String("model").pipe(Flag.withMetavar("ID"), Flag.withDescription("Model to use"), Flag.optional),
    set: Flag.String("set").pipe(
      Flag.withMetavar("ID=VALUE"),
      Flag.withDescription("Any other setting of the session; may be repeated"),
      Flag.atLeast(0)
    ),
    option: Flag.String("option").pipe(
      Flag.withMetavar("NAME=VALUE"),
      Flag.withDescription(
        "How the agent is started, over its providerOptions in the settings: binaryPath, apiEndpoint, args or env.NAME of a Cursor; may be repeated"
      ),
      Flag.atLeast(0)
    ),
    env,
    image: Flag.String("image").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("An image that goes along with the prompt: PNG, JPEG, GIF or WebP; may be repeated"),
      Flag.atLeast(0)
    ),
    file: Flag.String("file").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription(
        "A file that goes along: its text where the agent takes that, else a link to it; may be repeated"
      ),
      Flag.atLeast(0)
    ),
    remember: Flag.Boolean("remember").pipe(
      Flag.withDescription(
        "Begin with what was chosen last for this agent in this folder, and have --mode, --model and --set remembered there, by the server that runs"
      ),
      Flag.withDefault(false)
    ),
    approve: Flag.Literals("approve", ["rules", "ask", "allow", "reject"]).pipe(
      Flag.withDescription(
        "What becomes of a request that your rules don't answer: ask (on a terminal; elsewhere like rules), rules (reject it, and name the rule that would allow it), allow just this once, or reject"
      ),
      Flag.withDefault("ask")
    ),
    rules: Flag.String("rules").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("The rules of this file alone, in place of your own and the project's"),
      Flag.optional
    ),
    resume: Flag.String("resume").pipe(
      Flag.withMetavar("SESSION"),
      Flag.withDescription("Resume an earlier session; every run prints its own at the end"),
      Flag.optional
    ),
    listSettings: Flag.Boolean("list-settings").pipe(
      Flag.withDescription("List what can be chosen with --mode, --model and --set, instead of sending a prompt"),
      Flag.withDefault(false)
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription(
        "Print one event a line as JSON; the last one is turn.completed. With --list-settings one setting a line"
      ),
      Flag.withDefault(false)
    ),
    tape: Flag.String("tape").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("Record every line between Signalbox and the agent"),
      Flag.optional
    ),
    timeout: Flag.Finite("timeout").pipe(
      Flag.withMetavar("SECONDS"),
      Flag.withDescription("Cancel the turn after this time"),
      Flag.optional
    ),
    prompt: Argument.String("prompt").pipe(
      Argument.withDescription("The prompt for the agent; - reads it from standard input"),
      Argument.variadic()
    )
  },
  (flags) => lazily(async () => (await import("./run/RunCommand.ts")).runCommand(flags))
).pipe(
  Command.withShortDescription("Send one prompt to an agent and print what happens"),
  Command.withDescription(
    paragraphs(
      "Send one prompt to an agent and print what happens.",
      "Exit codes: 0 completed, 1 failed, 2 usage, 3 cancelled, 4 refused or limit reached, 5 signing in is needed, 6 timed out."
    )
  )
)

const doctor = Command.make("doctor", { stateDir }, (flags) =>
  lazily(async () => (await import("./doctor/Doctor.ts")).doctor(flags))
).pipe(
  Command.withShortDescription("Look over this machine, the state folder and the agents"),
  Command.withDescription(
    "Look over this machine: Node, the agents and what to do about what is missing; the state folder, who uses it, how much is on the disk, whether the database is sound, and agents that were left over; settings and rules. Nothing is changed."
  )
)

const root = Command.make("signalbox").pipe(
  Command.withDescription("Runs coding agents that speak the Agent Client Protocol, and keeps every word on record"),
  Command.withSubcommands([
    serve,
    run,
    agentsCommand,
    mcpCommand,
    loginCommand,
    logoutCommand,
    sessionsCommand,
    settingsCommand,
    rulesCommand,
    auditCommand,
    threadsCommand,
    clientsCommand,
    backupCommand,
    restoreCommand,
    tapeCommand,
    replayCommand,
    statsCommand,
    conformanceCommand,
    conductorCommand,
    componentCommand,
    ideCommand,
    nesCommand,
    acpCommand,
    doctor
  ])
)

const environment = Layer.mergeAll(
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions, GlobalFlag.LogLevel] }),
  CliOutput.layerPresenter(presenter)
)

/** Flags that work without a command. All other flags belong to a command. */
const globals = ["--help", "-h", "--version", "-v", "--completions"]

/** Without a command it is `serve`, with or without flags. */
const withDefault = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first] = fromCommand(args)
  const isServe =
    first === undefined || (first.startsWith("-") && !globals.some((flag) => first.split("=")[0] === flag))
  return isServe ? ["serve", ...args] : args
}

/** A command to be judged may be any text, and a program passes it as it is. */
const withAnyCommand = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first, second] = fromCommand(args)
  return first === "rules" && second === "explain" ? withValue(args, "--command") : args
}

/** The exit code of the process. Prints every failure in words, and none with a stack. */
const exitCodeOf = (exit: Exit.Exit<void, unknown>): ExitCode => {
  if (Exit.isSuccess(exit)) return ExitCode.completed
  if (Cause.hasInterruptsOnly(exit.cause)) return ExitCode.cancelled
  const error = Cause.squash(exit.cause)
  if (error instanceof UsageError) {
    Terminal.err([
      { style: "error", text: `signalbox ${error.command}: ${error.message}` },
      ...error.offered.map((line) => `  ${oneLine(line, 400)}`)
    ])
    return ExitCode.usage
  }
  if (error instanceof CommandFailed) {
    Terminal.err(problemShown(error.problem))
    return error.exitCode
  }
  // The presenter has already printed these.
  if (CliError.isCliError(error)) return ExitCode.usage
  Terminal.err(problemShown(unexpected(error)))
  return ExitCode.failed
}

/** Runs the command line and ends the process. */
export const main = (args: ReadonlyArray<string>): void => {
  // The reader of our output may close it before we end. A server goes on without a reader.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
  const program = Command.runWith(root, { version })(withAnyCommand(withDefault(args))).pipe(
    Effect.provide(Layer.mergeAll(environment, NodeServices.layer, Log.layer))
  )
  Effect.runFork(program).addObserver((exit) => {
    const code = exitCodeOf(exit)
    process.exit(code === ExitCode.completed ? process.exitCode : code)
  })
}
