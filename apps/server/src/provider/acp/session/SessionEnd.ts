/**
 * Ends a session, by request or because the agent ended. Open items are closed first, so that nothing seems to
 * continue.
 */
import type { Problem } from "@signalbox/contracts/Problem"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { sentencesOf } from "@signalbox/process/LeftoverWords"
import { exitProblem } from "../connection/ExitProblems.ts"
import { noLeftovers } from "@signalbox/process/ProcessLedger"
import { exitOf } from "../../agent/RunningAgent.ts"
import { type AgentExit, codeOf } from "../../agent/AgentExit.ts"
import type { SessionCore } from "./SessionCore.ts"
import * as SessionPhase from "./SessionPhase.ts"
import * as SessionProjection from "../projection/SessionProjection.ts"
import * as Turn from "./Turn.ts"
import * as Warnings from "../projection/Warnings.ts"
import * as EventSink from "../projection/EventSink.ts"

export interface SessionEnd {
  readonly expected: boolean
  /** How the running turn ends, if there is one. */
  readonly turn: Turn.TurnEnd
  /** The problem, if no turn reports it. */
  readonly problem?: Problem
}

/** Emits the end of a session, once. */
export const tell = (core: SessionCore, exit: AgentExit, how: SessionEnd): void => {
  const { emission, requests, status, tape, terminals } = core
  if (!SessionPhase.send(status, "reported")) return
  status.endedBy = how.problem
  const { turn } = status
  requests.closeAll(
    how.expected
      ? { type: "cancelled" }
      : { type: "expired", reason: `${core.profile.name} ended before it was answered.` }
  )
  terminals?.endAll()
  if (turn !== undefined) Turn.end(core, turn, how.turn)
  const code = codeOf(exit)
  emission.emit((projection) => {
    // Items after a turn, or outside of turns, may still be open.
    SessionProjection.endTurn(projection, "unfinished")
    for (const { detail, message } of sentencesOf(core.profile.name, exit.leftovers ?? noLeftovers))
      Warnings.note(projection, message, detail)
    const problem = turn === undefined && how.problem !== undefined && { problem: how.problem }
    EventSink.push(projection.sink, { type: "session.exited", expected: how.expected, ...code, ...problem })
  })
  const stopped = how.turn.problem?.code === "cancel-timeout" ? "stuck" : "stopped"
  const seal = core.process.chain !== undefined && { seal: core.projection.seal.key }
  tape.note({ event: "exit", ...code, ended: how.expected ? stopped : "itself", ...seal })
  Deferred.doneUnsafe(core.gone, Exit.void)
}

/** Kills the process of a session that is still running when its scope closes. */
export const force = (core: SessionCore): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { process, status } = core
    if (status.phase === "ended") return Effect.void
    SessionPhase.send(status, "stopped")
    return Effect.map(process.kill, (exit) => tell(core, exit, { expected: true, turn: { outcome: "cancelled" } }))
  })

/** Waits until the agent ends by itself, and emits that end. */
export const watch = (core: SessionCore): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* core.client.closed
    SessionPhase.send(core.status, "silenced")
    if (core.status.phase !== "silent") return
    const exit = yield* exitOf(core.process)
    if (core.status.phase !== "silent") return
    const problem = exitProblem(core.profile, exit)
    tell(core, exit, { expected: false, turn: { outcome: "failed", problem }, problem })
  })
