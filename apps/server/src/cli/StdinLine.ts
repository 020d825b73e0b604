/** What a person types in answer to a question. */
import * as Effect from "effect/Effect"
import { createInterface } from "node:readline"

/** One line from stdin, asked for on stderr; nothing when stdin has ended. */
export const ask = (prompt: string): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    // Not in terminal mode: that would take Ctrl-C for itself.
    const reader = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
    process.stderr.write(prompt)
    let answer: string | undefined
    reader.once("line", (text) => {
      answer = text
      reader.close()
    })
    // Not before: closing pauses stdin, and the next question would wait on it for ever.
    reader.once("close", () => resume(Effect.succeed(answer)))
    return Effect.sync(() => reader.close())
  })
