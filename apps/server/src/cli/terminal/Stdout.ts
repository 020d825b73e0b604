/** What a command prints on stdout, at the pace at which it is taken. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { codeOf } from "../../base/SystemError.ts"
import { type CommandFailed, failedWith } from "./Failure.ts"
import { safe } from "./Ink.ts"
import { escaped } from "./JsonText.ts"

/** Whoever read our words has left: `signalbox threads list | head -1`. */
export class NobodyReads extends Schema.TaggedError<NobodyReads>()("NobodyReads", {}) {}

/** Returns when the system has taken the text. */
export const write = (text: string): Effect.Effect<void, NobodyReads | CommandFailed> =>
  Effect.callback((resume) => {
    process.stdout.write(safe(text), (error) => {
      if (!error) resume(Effect.void)
      else resume(Effect.fail(codeOf(error) === "EPIPE" ? new NobodyReads() : failed(error)))
    })
  })

export const line = (text: string) => write(`${text}\n`)

/** Lines of JSON that somebody else has made. */
export const json = (text: string) => write(escaped(text))

/** On a terminal to the top of an empty screen; elsewhere one line down. */
export const clear: Effect.Effect<void> = Effect.sync(() => {
  process.stdout.write(process.stdout.isTTY ? "\u001b[H\u001b[2J" : "\n")
})

/** To have been read no further is no failure: the command ends, and that is all. */
export const unlessNobodyReads = <E, R>(effect: Effect.Effect<void, E | NobodyReads, R>): Effect.Effect<void, E, R> =>
  effect.pipe(Effect.catch((error) => (error instanceof NobodyReads ? Effect.void : Effect.fail(error))))

const failed = (error: Error) =>
  failedWith({
    code: "internal",
    title: "The output could not be written.",
    cause: error.message,
    evidence: {},
    nextSteps: [{ action: "restart", label: "Write it to another place" }]
  })
