/** One tiny prompt, in a process that ends with it. Its session is then one that has had a prompt and that nobody holds. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AgentExit } from "../process/AgentExit.ts"
import type { OpenSession } from "./OpenSession.ts"
import { type Json, updateIn } from "./Messages.ts"
import type { ProcessEnd } from "./ProcessEnd.ts"
import type * as Wire from "./Wire.ts"

/** `lines` are all since the prompt was sent, `firstMs` the time to the first piece of an answer. */
export interface Turn {
  readonly session: OpenSession
  readonly answer: Wire.Answer
  readonly lines: ReadonlyArray<Wire.Line>
  readonly firstMs: number | undefined
  /** How the process ended when its input did; none where it stayed. */
  readonly exit: Option.Option<{ readonly exit: AgentExit; readonly durationMs: number }>
  /** What it took to end it, and what it left behind. */
  readonly end: ProcessEnd
}

const promptLimit = Duration.minutes(2)

/** Takes the smallest turn that a model can be asked for. The input of the process ends with it. */
export const take = Effect.fnUntraced(function* (session: OpenSession, exitWithin: Duration.Input) {
  const { process, wire } = session.agent
  const since = wire.lines().length
  const began = yield* Clock.currentTimeMillis
  const answer = yield* wire.ask("session/prompt", promptOf(session, "Reply with the single word: ready"), promptLimit)
  // What comes behind the answer belongs to it too.
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
