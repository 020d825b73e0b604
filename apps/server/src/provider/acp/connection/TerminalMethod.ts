/**
 * Finds the program that a sign-in method runs in a terminal. The protocol's type for it is the configured program with
 * more arguments. Agents also send it in `_meta`: `terminal-auth` has a whole command line; `type` and `args` replace
 * the usual arguments. Only the agent's own program is run; people see any other command and may run it themselves.
 */
import type { AuthMethod } from "@signalbox/acp/AcpSchema"
import { realpathSync } from "node:fs"
import { basename, delimiter, resolve } from "node:path"
import type { Launch } from "../../agent/Launch.ts"
import { objectOf, textOf } from "../../../base/Json.ts"
import * as KnownPrograms from "../profile/KnownPrograms.ts"

export interface TerminalMethod {
  readonly launch: Launch
  /** Whether the program is the agent's own. */
  readonly own: boolean
  /** Variables that the agent adds to the launch environment. */
  readonly variables: Readonly<Record<string, string>>
}

/** Undefined if the method needs no terminal, or its description is invalid. */
export const of = (method: AuthMethod, launch: Launch): TerminalMethod | undefined => {
  const run = (
    command: string,
    args: ReadonlyArray<string>,
    variables: Readonly<Record<string, string>>,
    own = true
  ) => ({
    launch: { ...launch, command, args, env: { ...launch.env, ...variables } },
    own,
    variables
  })
  if (method.type === "terminal") {
    return run(launch.command, [...launch.args, ...(method.args ?? [])], method.env ?? {}, launch.remote === undefined)
  }
  if (method.type !== undefined || launch.remote !== undefined) return undefined
  const meta = objectOf(method._meta)
  const named = objectOf(meta["terminal-auth"])
  const command = textOf(named, "command")
  if (command !== undefined) {
    const args = wordsIn(named["args"] ?? [])
    const usable = args !== undefined && command.length <= maxLength && !command.includes("\0")
    return usable ? run(command, args, variablesIn(named["env"]), isOwn(command, launch)) : undefined
  }
  const args = meta["type"] === "terminal" ? wordsIn(meta["args"]) : undefined
  if (args === undefined) return undefined
  return run(
    launch.command,
    [...KnownPrograms.wordsBeforeOptions(launch.command, launch.args), ...args],
    variablesIn(meta["env"])
  )
}

const maxWords = 64
/** Most characters of a word. */
const maxLength = 2_000

const isWord = (word: unknown): word is string =>
  typeof word === "string" && word.length <= maxLength && !word.includes("\0")

const wordsIn = (value: unknown): ReadonlyArray<string> | undefined =>
  Array.isArray(value) && value.length <= maxWords && value.every(isWord) ? value : undefined

const variablesIn = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(objectOf(value))
      .slice(0, maxWords)
      .flatMap(([name, word]) => (/^\w{1,200}$/.test(name) && isWord(word) ? [[name, word] as const] : []))
  )

/**
 * Whether a command is the same file as the started one. A program that runs any file, such as an interpreter, counts
 * as nobody's own.
 */
const isOwn = (command: string, { command: started, cwd = "/", env }: Launch): boolean => {
  const path = env["PATH"] ?? process.env["PATH"] ?? ""
  const ours = fileOf(started, cwd, path)
  return ours !== undefined && ours === fileOf(command, cwd, path) && ![started, ours].some(runsAnything)
}

const fileOf = (command: string, cwd: string, path: string): string | undefined => {
  const folders = command.includes("/") ? [""] : path.split(delimiter)
  for (const folder of folders) {
    try {
      return realpathSync(resolve(cwd, folder, command))
    } catch {
      // This folder does not have the file.
    }
  }
  return undefined
}

const launchers =
  /^(?:node|nodejs|bun|bunx|deno|npm|npx|pnpm|pnpx|yarn|uv|uvx|pipx|python|pypy|ruby|perl|php|java|sh|bash|dash|zsh|fish|ksh|busybox|env|sudo|doas|nice|nohup|setsid|docker|podman|ssh)[\d.]*$/

const runsAnything = (path: string): boolean => launchers.test(basename(path).slice(0, 100))
