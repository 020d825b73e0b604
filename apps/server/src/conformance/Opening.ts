/** Opening a session with an agent. */
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Wire from "./Wire.ts"

/** What was answered to `session/new`, and when: `asked` lines had come before it was sent. */
export interface Opening {
  readonly answer: Wire.Answer
  readonly asked: number
  readonly durationMs: number
  /** What it said at the first attempt, where it took two. */
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
