/**
 * Turns. In version 2 a prompt is answered as soon as the agent has taken it in. What follows is over when the session is idle again (ACP
 * v2, prompt lifecycle). Here that is put together: a prompt is answered with how its turn ended.
 *
 * States are snapshots and may be repeated: a turn ends when the session becomes idle, not whenever it is said to be.
 */
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import { ErrorCode, RpcError } from "../rpc/JsonRpc.ts"

/** How a turn ended, as version 1 answers a prompt. */
export type Outcome = Exit.Exit<{ readonly stopReason: string; readonly usage?: unknown }, RpcError>

export interface Turns {
  /** A prompt is about to be sent. */
  readonly begin: (sessionId: string) => void
  /** The agent has taken it in. The outcome, if the turn is over already. */
  readonly accepted: (sessionId: string, result: unknown) => Outcome | undefined
  /** The agent has refused it, or can't be asked any more. */
  readonly refused: (sessionId: string) => void
  /** `session/cancel` is about to be sent. */
  readonly cancelling: (sessionId: string) => void
  readonly isCancelling: (sessionId: string) => boolean
  /** The agent shows a message of the person. */
  readonly shown: (sessionId: string, messageId: unknown) => void
  /** A `state_update`. The outcome, if it ends the turn. */
  readonly state: (sessionId: string, update: { readonly [member: PropertyKey]: unknown }) => Outcome | undefined
  /** The session was closed. The outcome of the turn that was running. */
  readonly closed: (sessionId: string) => Outcome | undefined
}

interface Turn {
  accepted: boolean
  cancelling: boolean
  /** The messages of the person that were shown since the prompt was sent. */
  readonly shown: Set<unknown>
  /** How foreground work ended before the prompt was answered: that of this turn, or of one before it. */
  before: Outcome | undefined
  shownBefore: ReadonlySet<unknown>
}

export const make = (): Turns => {
  const turns = new Map<string, Turn>()
  const busy = new Set<string>()
  /** Sessions that have said at least once that they are at work. Others say only that they are done. */
  const reporting = new Set<string>()

  const end = (sessionId: string, outcome: Outcome) => {
    turns.delete(sessionId)
    return outcome
  }

  return {
    begin: (sessionId) =>
      void turns.set(sessionId, {
        accepted: false,
        cancelling: false,
        shown: new Set(),
        before: undefined,
        shownBefore: new Set()
      }),
    accepted: (sessionId, result) => {
      const turn = turns.get(sessionId)
      if (turn === undefined) return undefined
      turn.accepted = true
      const messageId = Predicate.isObject(result) ? result["messageId"] : undefined
      const { before, shownBefore } = turn
      // Work that ended behind this very message, or with none shown at all, was the turn's own.
      const own = before !== undefined && !busy.has(sessionId) && (shownBefore.has(messageId) || turn.shown.size === 0)
      return own ? end(sessionId, before) : undefined
    },
    refused: (sessionId) => void turns.delete(sessionId),
    cancelling: (sessionId) => {
      const turn = turns.get(sessionId)
      if (turn !== undefined) turn.cancelling = true
    },
    isCancelling: (sessionId) => turns.get(sessionId)?.cancelling === true,
    shown: (sessionId, messageId) => void turns.get(sessionId)?.shown.add(messageId),
    state: (sessionId, update) => {
      const wasBusy = busy.has(sessionId)
      if (update["state"] !== "idle") {
        // What is not known is not idle.
        busy.add(sessionId)
        reporting.add(sessionId)
        return undefined
      }
      busy.delete(sessionId)
      const turn = turns.get(sessionId)
      const ends = wasBusy || (!reporting.has(sessionId) && typeof update["stopReason"] === "string")
      if (turn === undefined || !ends) return undefined
      const outcome = outcomeOf(update, turn.cancelling)
      if (turn.accepted) return end(sessionId, outcome)
      turn.before = outcome
      turn.shownBefore = new Set(turn.shown)
      return undefined
    },
    closed: (sessionId) => {
      busy.delete(sessionId)
      reporting.delete(sessionId)
      return turns.get(sessionId)?.accepted === true
        ? end(sessionId, Exit.succeed({ stopReason: "cancelled" }))
        : undefined
    }
  }
}

const outcomeOf = (
  { error, stopReason, usage }: { readonly [member: PropertyKey]: unknown },
  cancelling: boolean
): Outcome => {
  if (stopReason === "error") return Exit.fail(errorOf(error))
  const told = typeof stopReason === "string" ? stopReason : cancelling ? "cancelled" : "end_turn"
  return Exit.succeed({ stopReason: told, ...(usage !== undefined && usage !== null && { usage }) })
}

const errorOf = (error: unknown): RpcError => {
  if (!Predicate.isObject(error)) return RpcError.internal("The agent stopped because of an error")
  const { code, data, message } = error
  return new RpcError({
    code: typeof code === "number" ? code : ErrorCode.InternalError,
    message: typeof message === "string" ? message : "The agent stopped because of an error",
    ...(data === undefined ? {} : { data })
  })
}
