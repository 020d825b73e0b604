import { existsSync, readFileSync } from "node:fs"
import { CliConfig } from "../CliConfig.ts"
import type { Environment } from "../Environment.ts"
import { ModelSelection } from "../ModelSelection.ts"
import { slugRows } from "../ModelSlugs.ts"
import { Timeline } from "../Timeline.ts"
import type { Command } from "./invocation.ts"
import { complain, print } from "./output.ts"

export const models: Command = async ({ environment, account }) => {
  const { quirks, state, timeScale } = environment
  if (!account.authenticated)
    return complain(
      "Error: Authentication required. Please run 'agent login' first, or set CURSOR_API_KEY environment variable."
    )
  if (quirks.has("slow_models")) await new Timeline(timeScale).wait(quirks.number("slow_models", 11_600))
  if (quirks.has("list_models_kills_acp")) stopRunning(environment)
  const { model } = ModelSelection.stored(new CliConfig(state).read())
  return print(
    [
      "Loading models…",
      "Available models",
      "",
      ...slugRows(model),
      "",
      "Tip: use --model <id> (or /model <id> in interactive mode) to switch."
    ].join("\n")
  )
}

/** The emulator as it is started from the repository, and from the package of the product. */
const programs = /src\/cursor\/main\.ts|agents\/cursor\.js/

/** Only processes that the emulator wrote down itself, and that still are the emulator. */
const stopRunning = ({ state }: Environment): void => {
  for (const file of state.list("running")) {
    const pid = Number.parseInt(file, 10)
    const commandLine = `/proc/${pid}/cmdline`
    const ours = existsSync(commandLine) && programs.test(readFileSync(commandLine, "utf8"))
    if (ours) process.kill(pid, "SIGTERM")
    else state.remove("running", file)
  }
}
