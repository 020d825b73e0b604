/**
 * One prompt and its end. The end is emitted exactly at the agent's response, after every update before it (ACP v1,
 * prompt-turn).
 */
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

/** Sends a prompt and returns when its turn has ended. Interrupting the caller does not change the turn. */
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
    // A fiber of its own sends the prompt before the start is emitted, and continues if the caller leaves.
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
        // A prompt that our side refused gets no response, so the turn ends here.
        if (Exit.isFailure(exit)) settle(core, turn, exit, undefined)
        return Deferred.await(turn.done)
      })
    )
  })

/** Fits a prompt to the agent. Fails if nothing of it is left. */
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

/** Emits the end of a turn, once. */
export const end = (core: SessionCore, turn: RunningTurn, how: TurnEnd, line?: number): void => {
  const { emission, profile, requests, status } = core
  if (status.turn !== turn) return
  // The turn is cleared first, since a client that sees the end may send the next prompt at once.
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

/** The signal that the end of a turn gives to its session. */
const signalOf = ({ problem }: TurnEnd): SessionPhase.SessionSignal => {
  if (problem?.code === "auth-required") return "refused"
  return problem?.code === "session-not-found" ? "forgotten" : "accepted"
}

/**
 * A warning about a turn that its agent calls complete. A turn that was being stopped may have been complete: this
 * can't be known.
 */
const doubtOf = ({ cancelling }: RunningTurn, projection: SessionProjection.SessionProjection): string | undefined => {
  if (cancelling) return "was asked to stop, and says that it was done. Its last message may be cut off."
  return SessionProjection.isSilent(projection) ? "ended its turn without saying anything." : undefined
}

/**
 * How open items end with a turn. An agent that fails without a stop reason was cut off, whether or not its process
 * lives.
 */
const strandEndOf = ({ outcome, stopReason }: TurnEnd): StrandEnd => {
  if (outcome === "cancelled") return "cancelled"
  const broken = (outcome === "failed" || outcome === "limited") && stopReason === undefined
  return broken ? "cut" : "unfinished"
}

/** The outcome of a turn that ended with a problem. A limit of the account is no failure of the agent. */
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
      // Some agents end a stopped turn as complete. A turn without any text or action is not complete.
      if (turn.cancelling && SessionProjection.isSilent(projection)) return { outcome: "cancelled", stopReason }
      const text = SessionProjection.lastText(projection)
      const problem = text === undefined ? undefined : profile.errorInText(text, stopReason)
      return problem === undefined
        ? { outcome: "completed", stopReason }
        : { outcome: outcomeOf(problem), stopReason, problem: withSignIn(profile, problem) }
    }
  }
}

/** Undefined if the connection is closed, or the chain has ended: then the end of the process decides how the turn ended. */
const failed = (core: SessionCore, turn: RunningTurn, cause: Cause.Cause<RequestFailure>): TurnEnd | undefined => {
  const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (failure === undefined || failure instanceof ConnectionClosed) return undefined
  if (core.process.chain?.isOver()) return undefined
  if (failure instanceof MalformedResult) {
    const stopReason = textOf(objectOf(failure.result), "stopReason")
    // The protocol may add stop reasons, so the turn has ended.
    if (stopReason !== undefined) return answered(core, turn, stopReason)
  }
  // Some agents answer a cancelled prompt with an error.
  if (turn.cancelling) return { outcome: "cancelled" }
  const problem = failureProblem(core.profile, "session/prompt", failure)
  return { outcome: outcomeOf(problem), problem }
}
