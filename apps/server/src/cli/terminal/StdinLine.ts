/** What a person types in answer to a question. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import * as Terminal from "./Terminal.ts"

/** The part of stdin that is used here. */
export interface Input extends Readable {
  readonly isTTY?: boolean
  readonly setRawMode?: (raw: boolean) => unknown
}

/** The stream from which answers are read. */
export const Input = Context.Reference<Input>("@signalbox/server/cli/terminal/StdinLine/Input", {
  defaultValue: () => process.stdin
})

/** One line from stdin, asked for on stderr; nothing when stdin has ended. */
export const ask = (prompt: string): Effect.Effect<string | undefined> => Input.use((input) => lineOf(input, prompt))

const lineOf = (input: Input, prompt: string): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    // No further event would tell that.
    if (input.readableEnded || input.destroyed) return resume(Effect.succeed(undefined))
    // Not in terminal mode: that would take Ctrl-C for itself.
    const reader = createInterface({ input, terminal: false })
    Terminal.prompt(prompt)
    let answer: string | undefined
    reader.once("line", (text) => {
      answer = text
      reader.close()
    })
    // Not before: closing pauses stdin, and the next question would wait on it for ever.
    reader.once("close", () => resume(Effect.succeed(answer)))
    return Effect.sync(() => reader.close())
  })

/** How long a question stands before it can be answered. A key that was meant for something else comes sooner. */
const inertFor = "500 millis"

/**
 * Asks for one line that allows something. Keys that were pressed before the question was on screen, and for half a second after, are
 * thrown away. The prompt appears when keys count.
 */
export const askAnew = (prompt: string): Effect.Effect<string | undefined> =>
  Effect.andThen(
    Input.use((input) => (input.isTTY === true ? discarding(input) : Effect.void)),
    ask(prompt)
  )

const discarding = (input: Input): Effect.Effect<void> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      // The terminal keeps what is typed until the line ends. Only in raw mode does it hand over all of it, to be thrown away.
      input.setRawMode?.(true)
      input.on("data", drop)
      // The question before has paused it.
      input.resume()
    }),
    () => Effect.andThen(Effect.sleep(inertFor), polled),
    () =>
      Effect.sync(() => {
        input.off("data", drop)
        input.pause()
        input.setRawMode?.(false)
      })
  )

/** In raw mode Ctrl-C is a key like any other. */
const drop = (typed: Buffer): void => {
  if (typed.includes(0x03)) process.kill(process.pid, "SIGINT")
}

/** What is typed already has been read by then: a busy process may get to its timers first. */
const polled = Effect.callback<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})
