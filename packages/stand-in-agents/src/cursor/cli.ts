import { parseCommandLine, UsageError } from "./CommandLine.ts"
import { projectConfigFault } from "./CliConfig.ts"
import { readEnvironment, type Environment } from "./Environment.ts"
import { Log } from "./Log.ts"
import { isSlug, slugNames } from "./ModelSlugs.ts"

const refuse = (message: string, code: number): never => {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

const main = async (): Promise<void> => {
  const environment = environmentOrExit()
  const log = new Log(environment.logFile)
  log.start()
  const { quirks } = environment
  const commandLine = commandLineOrExit()
  const fault = quirks.has("exit_bad_cli_json") ? projectConfigFault(commandLine.workspace ?? process.cwd()) : undefined
  if (fault !== undefined) refuse(fault, 1)
  if (commandLine.command !== "acp") {
    const { runCommand } = await import("./commands/run.ts")
    process.exitCode = await runCommand(environment, commandLine)
    return
  }
  const [extra] = commandLine.rest
  if (extra !== undefined) refuse(`error: unknown option '${extra}'`, 1)
  const { model, worktree } = commandLine
  if (model !== undefined && quirks.has("exit_bad_model") && !isSlug(model))
    refuse(`Cannot use this model: ${model}. Available models: ${slugNames.join(", ")}`, 1)
  if (worktree !== undefined && quirks.has("stdout_banner"))
    process.stdout.write(`Using worktree: ${process.cwd()}${worktree === "" ? "" : ` (${worktree})`}\n`)
  const { serve } = await import("./Acp.ts")
  serve(environment, commandLine, log)
}

const environmentOrExit = (): Environment => {
  try {
    return readEnvironment(process.env)
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error), 2)
  }
}

const commandLineOrExit = () => {
  try {
    return parseCommandLine(process.argv.slice(2))
  } catch (error) {
    if (error instanceof UsageError) return refuse(error.message, 1)
    throw error
  }
}

await main()
