/** One small prompt, in a process that ends afterwards. Its session then has had a prompt, and no process holds it. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AgentExit } from "../provider/agent/AgentExit.ts"
import type { OpenSession } from "./OpenSession.ts"
import { type Json, updateIn } from "./Messages.ts"
import type { ProcessEnd } from "./ProcessEnd.ts"
import type * as Wire from "./Wire.ts"

/**
 * One turn. `lines`: all lines since the prompt was sent. `firstMs`: milliseconds until the first piece of the answer.
 */
export interface Turn {
  readonly session: OpenSession
  readonly answer: Wire.Answer
  readonly lines: ReadonlyArray<Wire.Line>
  readonly firstMs: number | undefined
  /** How the process ended after its input was closed; none if it stayed. */
  readonly exit: Option.Option<{ readonly exit: AgentExit; readonly durationMs: number }>
  /** The step that ended the process, and the processes that it left behind. */
  readonly end: ProcessEnd
}

const promptLimit = Duration.minutes(2)

/** Takes the smallest possible turn, then closes the input of the process. */
export const take = Effect.fnUntraced(function* (session: OpenSession, exitWithin: Duration.Input) {
  const { process, wire } = session.agent
  const since = wire.lines().length
  const began = yield* Clock.currentTimeMillis
  const answer = yield* wire.ask("session/prompt", promptOf(session, "Reply with the single word: ready"), promptLimit)
  // Updates just after the answer still belong to the turn.
  yield* wire.next(() => false, "500 millis")
  const lines = wire.lines().slice(since)
  const first = lines.find((line) => updateIn(line, session.sessionId)?.["sessionUpdate"] === "agent_message_chunk")
  yield* wire.end
  const [took, exit] = yield* Effect.timed(Effect.timeoutOption(process.exited, exitWithin))
  const durationMs = Math.round(Duration.toMillis(took))
  return {
    session,
    answer,
    lines,
    firstMs: first === undefined ? undefined : first.at - began,
    exit: Option.map(exit, (exit) => ({ exit, durationMs }))
  } satisfies Omit<Turn, "end">
})

export const promptOf = ({ sessionId }: OpenSession, text: string): Json => ({
  sessionId,
  prompt: [{ type: "text", text }]
})
