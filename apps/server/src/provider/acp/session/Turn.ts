/** One prompt and its end. The end is told exactly at the agent's response: after every update before it (ACP v1, prompt-turn). */
import { MalformedResult, type RequestFailure } from "@signalbox/acp/AcpError"
import type { PromptResponse } from "@signalbox/acp/AcpSchema"
import { ConnectionClosed } from "@signalbox/acp/JsonRpc"
import { type PromptPart, promptWords } from "@signalbox/contracts/Content"
import type { TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { TurnOutcome } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type ProviderError, providerError } from "../../../base/ProviderError.ts"
import { failureProblem, turnInFlight, withSignIn } from "../connection/AgentProblems.ts"
import { type FittedPrompt, fittedPrompt } from "../projection/ContentMapping.ts"
import { objectOf, textOf } from "../../../base/Json.ts"
import type { RunningTurn, SessionCore } from "./SessionCore.ts"
import * as SessionOver from "./SessionOver.ts"
import * as SessionPhase from "./SessionPhase.ts"
import * as SessionProjection from "../projection/SessionProjection.ts"
import type { StrandEnd } from "../projection/Strand.ts"
import * as Warnings from "../projection/Warnings.ts"
import * as EventSink from "../projection/EventSink.ts"

export interface TurnEnd {
  readonly outcome: TurnOutcome
  readonly stopReason?: string
  readonly problem?: Problem
}

/** Hands a prompt over and returns when its turn has ended. Interrupting the caller changes nothing about the turn. */
export const prompt = (
  core: SessionCore,
  { prompt: parts, turnId }: { readonly turnId: TurnId; readonly prompt: ReadonlyArray<PromptPart> }
): Effect.Effect<void, ProviderError> =>
  Effect.suspend(() => {
    const { client, emission, profile, record, resumeToken, status } = core
    if (SessionPhase.isOver(status.phase)) return SessionOver.unavailable(core)
    if (status.turn !== undefined) return Effect.fail(turnInFlight(profile.name))
    const fit = fitted(core, parts)
    if (Result.isFailure(fit)) return Effect.fail(fit.failure)
    const { blocks, changes } = fit.success
    const turn: RunningTurn = { turnId, cancelling: false, done: Deferred.makeUnsafe() }
    status.turn = turn
    core.terminals?.beginTurn()
    const text = promptWords(parts)
    core.memory.prompts.push(text)
    record.turn(turnId, parts, core.now())
    emission.emit((projection) => SessionProjection.beginTurn(projection, turnId, text))
    const sent = client.prompt(
      { sessionId: resumeToken, prompt: blocks },
      { onResponse: (exit, line) => Effect.sync(() => settle(core, turn, exit, line)) }
    )
    // In a fiber of its own, it is on the wire before the start is told, and nobody's leaving ends it.
    return Effect.forkDetach(sent, { startImmediately: true }).pipe(
      Effect.tap(
        Effect.sync(() =>
          emission.emit(({ sink }) => {
            EventSink.push(sink, { type: "turn.started", turnId })
            for (const message of changes) EventSink.push(sink, { type: "runtime.warning", turnId, message })
          })
        )
      ),
      Effect.flatMap(Fiber.await),
      Effect.flatMap((exit) => {
        // A prompt that was refused on our side has no response to end at.
        if (Exit.isFailure(exit)) settle(core, turn, exit, undefined)
        return Deferred.await(turn.done)
      })
    )
  })

/** A prompt as the agent takes it; fails where nothing is left of it. */
export const fitted = (
  { client, profile: { name } }: Pick<SessionCore, "client" | "profile">,
  parts: ReadonlyArray<PromptPart>
): Result.Result<FittedPrompt, ProviderError> => {
  const fit = fittedPrompt(client.initialized()?.agentCapabilities ?? {}, name, parts)
  if (fit.blocks.length > 0) return Result.succeed(fit)
  const reason = `Nothing was sent. ${fit.changes.join(" ")}`
  const nextSteps = [{ action: "send-again" as const, label: "Say it in words" }]
  return Result.fail(providerError("unsupported", `${name} takes nothing of this prompt.`, reason, { nextSteps }))
}

/** Tells the end of a turn, once. */
export const end = (core: SessionCore, turn: RunningTurn, how: TurnEnd, line?: number): void => {
  const { emission, profile, requests, status } = core
  if (status.turn !== turn) return
  // Who hears of the end may send the next prompt at once.
  status.turn = undefined
  SessionPhase.send(status, signalOf(how))
  requests.closeTurn(turn.turnId)
  emission.emit((projection) => {
    const words = how.outcome === "completed" ? doubtOf(turn, projection) : undefined
    if (words !== undefined) Warnings.warn(projection, `${profile.name} ${words}`)
    SessionProjection.endTurn(projection, strandEndOf(how), line)
    EventSink.push(projection.sink, { type: "turn.completed", turnId: turn.turnId, ...how }, line)
  })
  Deferred.doneUnsafe(turn.done, Exit.void)
}

/** What the end of a turn shows of its session. */
const signalOf = ({ problem }: TurnEnd): SessionPhase.SessionSignal => {
  if (problem?.code === "auth-required") return "refused"
  return problem?.code === "session-not-found" ? "forgotten" : "accepted"
}

/** What people should know of a turn that its agent calls done. It may have been done before it was stopped: nobody can tell. */
const doubtOf = ({ cancelling }: RunningTurn, projection: SessionProjection.SessionProjection): string | undefined => {
  if (cancelling) return "was asked to stop, and says that it was done. Its last message may be cut off."
  return SessionProjection.isSilent(projection) ? "ended its turn without saying anything." : undefined
}

/** An agent that fails without a stop reason has ended in the middle of what it said. It does not matter whether its process lives. */
const strandEndOf = ({ outcome, stopReason }: TurnEnd): StrandEnd => {
  if (outcome === "cancelled") return "cancelled"
  const broken = (outcome === "failed" || outcome === "limited") && stopReason === undefined
  return broken ? "cut" : "unfinished"
}

/** How a turn that a problem ended is told: a limit of the account is no failure of the agent. */
const outcomeOf = ({ code }: Problem): TurnEnd["outcome"] => (code === "usage-limit" ? "limited" : "failed")

const settle = (
  core: SessionCore,
  turn: RunningTurn,
  exit: Exit.Exit<PromptResponse, RequestFailure>,
  line: number | undefined
): void => {
  if (core.status.turn !== turn) return
  const how = Exit.isSuccess(exit) ? answered(core, turn, exit.value.stopReason) : failed(core, turn, exit.cause)
  if (how !== undefined) end(core, turn, how, line)
}

const answered = ({ profile, projection }: SessionCore, turn: RunningTurn, stopReason: string): TurnEnd => {
  switch (stopReason) {
    case "cancelled":
      return { outcome: "cancelled", stopReason }
    case "refusal":
      return { outcome: "refused", stopReason }
    case "max_tokens":
    case "max_turn_requests":
      return { outcome: "limited", stopReason }
    default: {
      // Agents are known to end a stopped turn as if it were done. One without a word or a deed is not done.
      if (turn.cancelling && SessionProjection.isSilent(projection)) return { outcome: "cancelled", stopReason }
      const text = SessionProjection.lastText(projection)
      const problem = text === undefined ? undefined : profile.errorInText(text, stopReason)
      return problem === undefined
        ? { outcome: "completed", stopReason }
        : { outcome: outcomeOf(problem), stopReason, problem: withSignIn(profile, problem) }
    }
  }
}

/** Undefined when the connection is gone: then the end of the process tells how the turn ended. */
const failed = (core: SessionCore, turn: RunningTurn, cause: Cause.Cause<RequestFailure>): TurnEnd | undefined => {
  const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (failure === undefined || failure instanceof ConnectionClosed) return undefined
  if (failure instanceof MalformedResult) {
    const stopReason = textOf(objectOf(failure.result), "stopReason")
    // Stop reasons may be added to the protocol; the turn has ended all the same.
    if (stopReason !== undefined) return answered(core, turn, stopReason)
  }
  // Agents are known to answer a cancelled prompt with an error.
  if (turn.cancelling) return { outcome: "cancelled" }
  const problem = failureProblem(core.profile, "session/prompt", failure)
  return { outcome: outcomeOf(problem), problem }
}
