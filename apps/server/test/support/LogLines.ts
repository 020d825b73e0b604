/** What is logged while something runs. */
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"

/** Runs `use` with the lines that are logged meanwhile. */
export const logging = Effect.fnUntraced(function* <A, E, R>(use: Effect.Effect<A, E, R>) {
  const lines: Array<string> = []
  const logger = Logger.make<unknown, void>(({ message }) => void lines.push(String(message)))
  const result = yield* Effect.provide(use, Logger.layer([logger]))
  return { lines, result }
})
