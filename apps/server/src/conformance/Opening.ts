/** Opens a session with an agent. */
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Wire from "./Wire.ts"

/** The answer to `session/new`. `asked`: the number of lines that had come before it was sent. */
export interface Opening {
  readonly answer: Wire.Answer
  readonly asked: number
  readonly durationMs: number
  /** The first answer, if it took two attempts. */
  readonly before?: Wire.Answer
}

/** Some agents refuse the first session of a process and open the second. */
export const opened = Effect.fnUntraced(function* (wire: Wire.Wire, cwd: string, limit: Duration.Input) {
  const attempt = Effect.gen(function* () {
    const asked = wire.lines().length
    const began = yield* Clock.currentTimeMillis
    const answer = yield* wire.ask("session/new", { cwd, mcpServers: [] }, limit)
    return { answer, asked, durationMs: (yield* Clock.currentTimeMillis) - began }
  })
  const first: Opening = yield* attempt
  if (first.answer.type !== "error" || first.answer.code !== -32603) return first
  return { ...(yield* attempt), before: first.answer }
})
