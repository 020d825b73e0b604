/** Writes to stdout as fast as its reader takes the text. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { codeOf } from "@signalbox/system/SystemError"
import { type CommandFailed, failedWith } from "./Failure.ts"
import { safe } from "./Ink.ts"
import { escaped } from "./JsonText.ts"
import * as Terminal from "./Terminal.ts"

/** The reader of stdout has closed it, as in `signalbox threads list | head -1`. */
export class NobodyReads extends Schema.TaggedError<NobodyReads>()("NobodyReads", {}) {}

/** Writes a text, and returns when the system has taken it. */
export const write = (text: string): Effect.Effect<void, NobodyReads | CommandFailed> => put(safe(text))

const put = (text: string): Effect.Effect<void, NobodyReads | CommandFailed> =>
  Effect.callback((resume) => {
    process.stdout.write(text, (error) => {
      if (!error) resume(Effect.void)
      else resume(Effect.fail(isClosed(error) ? new NobodyReads() : failed(error)))
    })
  })

export const line = (text: string) => write(`${text}\n`)

/** Writes a text that programs read byte by byte, such as a diff. A terminal gets it made safe. */
export const exact = (text: string) => (process.stdout.isTTY ? write(text) : put(text))

/** Writes lines of JSON that this process did not make. */
export const json = (text: string) => write(escaped(text))

/** Clears the screen of a terminal. Writes a line break if stdout is no terminal. */
export const clear: Effect.Effect<void> = Effect.sync(() => {
  process.stdout.write(process.stdout.isTTY ? "\u001b[H\u001b[2J" : "\n")
})

/** A reader that closes stdout is no failure: the command just ends. */
export const unlessNobodyReads = <E, R>(effect: Effect.Effect<void, E | NobodyReads, R>): Effect.Effect<void, E, R> =>
  effect.pipe(Effect.catch((error) => (error instanceof NobodyReads ? Effect.void : Effect.fail(error))))

/** Whether the reader of stdout has closed it. */
const isClosed = (error: Error): boolean => codeOf(error) === "EPIPE"

/**
 * A terminal for commands that print as they go. When stdout can't be written any more, the command ends as with Ctrl-C.
 * `written` fails unless all was written that somebody wanted to read.
 */
export const streamed = (): {
  readonly terminal: Terminal.Terminal
  readonly written: Effect.Effect<void, CommandFailed>
} => {
  let lost: Error | undefined
  const terminal = Terminal.ofProcess((error) => {
    lost = error
    process.emit("SIGINT")
  })
  const written = Effect.suspend(() => (lost === undefined || isClosed(lost) ? Effect.void : Effect.fail(failed(lost))))
  return { terminal, written }
}

/** What a command fails with when the system does not take its output. */
const failed = (error: Error): CommandFailed =>
  failedWith({
    code: "internal",
    title: "The output could not be written.",
    cause: error.message,
    evidence: {},
    nextSteps: [{ action: "restart", label: "Write it to another place" }]
  })
