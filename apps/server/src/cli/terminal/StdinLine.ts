/** Reads lines that a person types as answers. */
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

/** Asks on stderr and reads one line from stdin; undefined if stdin has ended. */
export const ask = (prompt: string): Effect.Effect<string | undefined> => Input.use((input) => lineOf(input, prompt))

const lineOf = (input: Input, prompt: string): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    // No further event would report this end.
    if (input.readableEnded || input.destroyed) return resume(Effect.succeed(undefined))
    // Terminal mode would handle Ctrl-C itself.
    const reader = createInterface({ input, terminal: false })
    Terminal.prompt(prompt)
    let answer: string | undefined
    reader.once("line", (text) => {
      answer = text
      reader.close()
    })
    // Resume only after closing: closing pauses stdin, and the next question would wait forever.
    reader.once("close", () => resume(Effect.succeed(answer)))
    return Effect.sync(() => reader.close())
  })

/** How long keys are ignored after a question appears. A key pressed sooner was meant for something else. */
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
      // Outside of raw mode, the terminal keeps typed characters until the line ends. Raw mode hands them over, so they
      // can be dropped.
      input.setRawMode?.(true)
      input.on("data", drop)
      // The previous question has paused stdin.
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

/** In raw mode, Ctrl-C is an ordinary key. */
const drop = (typed: Buffer): void => {
  if (typed.includes(0x03)) process.kill(process.pid, "SIGINT")
}

/** Waits until typed keys have been read. A busy process may run its timers before it reads. */
const polled = Effect.callback<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})
