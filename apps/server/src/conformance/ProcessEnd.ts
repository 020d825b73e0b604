/** Ends a process of the agent, and reports what it took. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { RunningAgent } from "../provider/agent/RunningAgent.ts"
import type { AgentExit } from "../provider/agent/AgentExit.ts"
import type { StopGrace } from "@signalbox/process/Program"
import { noLeftovers } from "@signalbox/process/ProcessLedger"
import { seconds } from "./Limits.ts"
import type { Wire } from "./Wire.ts"

export interface ProcessEnd {
  /** The step that ended the process. `before`: it had ended already, by itself or by a probe. */
  readonly by: "before" | "input" | "SIGTERM" | "SIGKILL"
  /** Milliseconds since the first step. */
  readonly durationMs: number
  /** Names of the processes that it had started and that outlived it outside of its group. */
  readonly leftBehind: ReadonlyArray<string>
}

/** The waits after closing the input, and after SIGTERM to the group. */
export const grace: StopGrace = { closeInput: "3 seconds", terminate: "2 seconds" }

/**
 * Ends a process: closes its input, then sends SIGTERM to its group, then SIGKILL. The process must have been started
 * with a `closeInput` grace of 0.
 */
export const end = Effect.fnUntraced(function* (process: RunningAgent, wire: Wire) {
  const before = yield* Effect.timeoutOption(process.exited, 0)
  if (Option.isSome(before)) return ended("before", 0, before.value)
  const [took, [by, exit]] = yield* Effect.timed(inSteps(process, wire))
  return ended(by, Math.round(Duration.toMillis(took)), exit)
})

const inSteps = Effect.fnUntraced(function* (
  process: RunningAgent,
  wire: Wire
): Effect.fn.Return<readonly [ProcessEnd["by"], AgentExit]> {
  yield* wire.end
  const alone = yield* Effect.timeoutOption(process.exited, grace.closeInput)
  if (Option.isSome(alone)) return ["input", alone.value]
  const exit = yield* process.stop
  return [exit.signal === "SIGKILL" ? "SIGKILL" : "SIGTERM", exit]
})

const ended = (by: ProcessEnd["by"], durationMs: number, { leftovers = noLeftovers }: AgentExit): ProcessEnd => ({
  by,
  durationMs,
  leftBehind: [...leftovers.ended, ...leftovers.kept, ...leftovers.left].map(({ name }) => name)
})

/** How all processes ended, in sentences. */
export const wordsOf = (ends: ReadonlyArray<ProcessEnd>): string => {
  const closed = seconds(grace.closeInput)
  const killed = seconds(grace.terminate)
  const part = (by: ProcessEnd["by"], ended: string) => {
    const those = ends.filter((one) => one.by === by)
    const longest = Math.max(...those.map(({ durationMs }) => durationMs))
    return those.length === 0 ? [] : [`${those.length} ${ended}${by === "before" ? "" : `, within ${longest} ms`}`]
  }
  const parts = [
    ...part("before", "had ended before, by a probe or alone"),
    ...part("input", "ended when the input was closed"),
    ...part("SIGTERM", `ended by SIGTERM to the group, ${closed} later`),
    ...part("SIGKILL", `had to be ended by SIGKILL to the group, ${killed} after SIGTERM`)
  ]
  return `${ends.length} ${ends.length === 1 ? "process was" : "processes were"} started by this command: ${parts.join("; ")}.`
}
