/**
 * Joins the turns of version 2. There a prompt is answered as soon as the agent has accepted it. Its turn ends when the
 * session is idle again (ACP v2, prompt lifecycle). Version 1 answers a prompt with the end of its turn.
 *
 * States are snapshots and may be repeated: a turn ends only when the session becomes idle.
 */
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import { ErrorCode, RpcError } from "../rpc/JsonRpc.ts"

/** The end of a turn, as version 1 answers a prompt. */
export type Outcome = Exit.Exit<{ readonly stopReason: string; readonly usage?: unknown }, RpcError>

export interface Turns {
  /** Called before a prompt is sent. */
  readonly begin: (sessionId: string) => void
  /** The agent has accepted the prompt. Returns the outcome if the turn has ended already. */
  readonly accepted: (sessionId: string, result: unknown) => Outcome | undefined
  /** The agent has refused the prompt, or can't be called any more. */
  readonly refused: (sessionId: string) => void
  /** Called before `session/cancel` is sent. */
  readonly cancelling: (sessionId: string) => void
  readonly isCancelling: (sessionId: string) => boolean
  /** The agent shows a message of the person. */
  readonly shown: (sessionId: string, messageId: unknown) => void
  /** Handles a `state_update`. Returns the outcome if it ends the turn. */
  readonly state: (sessionId: string, update: { readonly [member: PropertyKey]: unknown }) => Outcome | undefined
  /** The session was closed. Returns the outcome of its running turn. */
  readonly closed: (sessionId: string) => Outcome | undefined
}

interface Turn {
  accepted: boolean
  cancelling: boolean
  /** The person's messages that the agent has shown since the prompt was sent. */
  readonly shown: Set<unknown>
  /** The outcome of work that ended before the response to the prompt: of this turn, or of an earlier one. */
  before: Outcome | undefined
  shownBefore: ReadonlySet<unknown>
}

export const make = (): Turns => {
  const turns = new Map<string, Turn>()
  const busy = new Set<string>()
  /** Sessions that have reported at least once that they are working. Others report only that they are idle. */
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
      // Work that ended after this message, or with no shown message, belongs to this turn.
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
        // An unknown state does not count as idle.
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
