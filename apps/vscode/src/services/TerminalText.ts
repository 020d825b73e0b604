/** What people read of a program that an agent runs, and what the program gets of the editor's environment. Pure. */
import type { CreateTerminalRequest } from "@signalbox/acp/AcpSchema"
import { inText, revealAll } from "@signalbox/contracts/Invisible"
import { isOfEditor } from "../server/EditorVariables.ts"
import * as CommandLine from "effect/process/CommandLine"

/** The most characters of a command in the name of a tab. */
const mostCharacters = 60

/** E.g. `npm test (Cursor)`. */
export const nameOf = (
  { args = [], command }: Pick<CreateTerminalRequest, "args" | "command">,
  agent: string
): string => {
  const [flag, line] = args
  const isLine = command === "/bin/sh" && flag === "-c" && args.length === 2
  const words = CommandLine.display(isLine && line !== undefined ? [line] : [command, ...args])
  const shown = (isLine ? words.replace(/^'(.*)'$/s, "$1") : words).replaceAll(/\s+/g, " ")
  const revealed = inText(revealAll(shown))
  const short = revealed.length > mostCharacters ? `${revealed.slice(0, mostCharacters - 1)}…` : revealed
  return `${short} (${agent})`
}

/** E.g. `Ended with exit code 0`. */
export const endOf = ({
  exitCode,
  signal
}: {
  readonly exitCode: number | null
  readonly signal: string | null
}): string => {
  if (signal !== null) return `Ended by ${signal}`
  return exitCode === null ? "Ended" : `Ended with exit code ${exitCode}`
}

/** Says what a program gets besides the environment `host`, and what it does not get of it (undefined). */
export const environmentFor = (
  host: Readonly<Record<string, string | undefined>>,
  own: ReadonlyArray<{ readonly name: string; readonly value: string }>
): Record<string, string | undefined> => ({
  ...Object.fromEntries(
    Object.keys(host)
      .filter(isOfEditor)
      .map((name) => [name, undefined])
  ),
  ...Object.fromEntries(own.map(({ name, value }) => [name, value]))
})
