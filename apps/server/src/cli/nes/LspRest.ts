/** Keeps an editor from waiting once more, and as long, for an agent that has just not answered in time. */
import type { ProblemCode } from "@signalbox/contracts/Problem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Milliseconds in which an agent that did not answer is not asked by code actions, or by the editor itself. */
const restMs = 30_000

const overdue: ReadonlySet<ProblemCode> = new Set(["timed-out", "agent-start-timeout"])

export interface LspRest {
  /** Milliseconds until the agent is asked again; 0 if it may be asked now. */
  readonly leftMs: Effect.Effect<number>
  /** A question has failed. */
  readonly failed: (code: ProblemCode) => Effect.Effect<void>
  /** The agent has answered. */
  readonly worked: () => void
}

export const make = (): LspRest => {
  let until = 0
  return {
    leftMs: Effect.map(Clock.currentTimeMillis, (now) => Math.max(0, until - now)),
    failed: (code) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (overdue.has(code)) until = now + restMs
      }),
    worked: () => {
      until = 0
    }
  }
}
