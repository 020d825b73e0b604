/** The prompts that an editor waits for: which turns they became, and how each ended. */
import * as Acp from "@signalbox/acp/AcpSchema"
import { ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import type { TurnId } from "@signalbox/contracts/Ids"
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { errorOf } from "./AcpFailure.ts"

interface Waiting {
  readonly ended: Deferred.Deferred<Acp.PromptResponse, RpcError>
  /** The turn as it was seen last. Undefined before its event has come. */
  seen: TurnView | undefined
  /** The person was asked how to go on. */
  chooses: boolean
}

export interface Held {
  /** Turns to withdraw: a turn before them did not end well. Their prompts are answered. */
  readonly held: ReadonlyArray<TurnId>
  /** Turns that wait for the choice how to go on after a lost session. Each is here once. */
  readonly toChoose: ReadonlyArray<TurnId>
}

export interface PromptEnds {
  /** Whether the editor has sent this prompt, now or earlier. */
  readonly has: (turnId: TurnId) => boolean
  /** Waits for the end of a turn that is about to be queued. */
  readonly begin: (turnId: TurnId) => Effect.Effect<Effect.Effect<Acp.PromptResponse, RpcError>>
  /** Gives up a turn that was not queued. */
  readonly forget: (turnId: TurnId) => void
  readonly open: () => ReadonlyArray<TurnId>
  /** Answers the prompts whose turns have ended, or are held. */
  readonly settle: (view: ThreadView) => Effect.Effect<Held>
  readonly refuse: (turnId: TurnId, error: RpcError) => Effect.Effect<void>
  /** Answers all prompts as stopped. */
  readonly stopAll: Effect.Effect<void>
  readonly failAll: (error: RpcError) => Effect.Effect<void>
}

export const make = (): PromptEnds => {
  const sent = new Set<TurnId>()
  const waiting = new Map<TurnId, Waiting>()
  return {
    has: (turnId) => sent.has(turnId),
    begin: (turnId) =>
      Effect.sync(() => {
        const ended = Deferred.makeUnsafe<Acp.PromptResponse, RpcError>()
        sent.add(turnId)
        waiting.set(turnId, { ended, seen: undefined, chooses: false })
        return Effect.ensuring(
          Deferred.await(ended),
          Effect.sync(() => waiting.delete(turnId))
        )
      }),
    forget: (turnId) => void waiting.delete(turnId),
    open: () => [...waiting.keys()],
    settle: Effect.fnUntraced(function* (view: ThreadView) {
      const held: Array<TurnId> = []
      const toChoose: Array<TurnId> = []
      for (const [turnId, one] of waiting) {
        const before = one.seen
        const turn = view.turns.find((candidate) => candidate.turnId === turnId)
        one.seen = turn ?? before
        if (turn !== undefined && view.forgotten === "open" && isHeld(turn, view)) {
          if (!one.chooses) toChoose.push(turnId)
          one.chooses = true
          continue
        }
        const end = turn === undefined ? before && endOfMissing(before) : endOf(turn, view)
        if (end === undefined) continue
        waiting.delete(turnId)
        if (turn?.status === "queued") held.push(turnId)
        yield* Deferred.done(one.ended, yield* Effect.exit(end))
      }
      return { held, toChoose }
    }),
    refuse: (turnId, error) =>
      Effect.suspend(() => {
        const one = waiting.get(turnId)
        waiting.delete(turnId)
        return one === undefined ? Effect.void : Effect.asVoid(Deferred.fail(one.ended, error))
      }),
    stopAll: Effect.suspend(() =>
      Effect.forEach(waiting.values(), ({ ended }) => Deferred.succeed(ended, { stopReason: "cancelled" }), {
        discard: true
      })
    ),
    failAll: (error) => Effect.forEach(waiting.values(), ({ ended }) => Deferred.fail(ended, error), { discard: true })
  }
}

type End = Effect.Effect<Acp.PromptResponse, RpcError>

const isReason = Schema.is(Acp.StopReason)

/** The agent's own reason, or else the one of the protocol. */
const stopped = (usual: "end_turn" | "cancelled" | "refusal" | "max_tokens", own: string | undefined = usual): End =>
  Effect.succeed({ stopReason: isReason(own) ? own : usual })

/** Whether a queued turn waits for people. A steering one waits only after a lost session. */
const isHeld = ({ status, steer }: TurnView, view: ThreadView): boolean =>
  status === "queued" &&
  view.held === true &&
  (!steer || view.forgotten === "open") &&
  ThreadProjection.runningTurn(view) === undefined

/** Undefined while the turn has not ended. */
const endOf = (turn: TurnView, view: ThreadView): End | undefined => {
  switch (turn.status) {
    case "queued":
      return isHeld(turn, view) ? held(view) : undefined
    case "completed":
      return stopped("end_turn", turn.stopReason)
    case "cancelled":
      return stopped("cancelled")
    case "refused":
      return stopped("refusal", turn.stopReason)
    case "limited":
      return stopped("max_tokens", turn.stopReason)
    case "sent":
    case "working":
    case "waiting":
    case "cancelling":
      return undefined
    case "failed":
    case "lost":
      return Effect.fail(turn.problem === undefined ? RpcError.internal("The turn failed.") : errorOf(turn.problem))
  }
}

/** A turn that is not in the thread any more: a queued one was withdrawn, and one that ran has ended long ago. */
const endOfMissing = ({ status }: TurnView): End =>
  status === "queued"
    ? stopped("cancelled")
    : Effect.fail(
        RpcError.internal(
          "How the turn ended is not known here: the connection to the server was gone. Next: load the session again"
        )
      )

/** The agent has lost the conversation, and the person did not choose how to go on. */
export const forgotten = ({ provider, threadId }: Pick<ThreadView, "provider" | "threadId">): RpcError =>
  new RpcError({
    code: ErrorCode.InternalError,
    message: `The prompt was not sent: ${provider.name} has lost the session with this conversation. Next: send it again and choose how to go on, or choose on the page, or with signalbox threads resume ${threadId} [--transcript]`,
    data: { code: "session-not-found" }
  })

/** A turn before it did not end well, so that nobody knows whether it is still meant. */
const held = (view: ThreadView): End => {
  const why = view.heldBy === undefined ? "prompts are held" : `the turn before it was ${endWords[view.heldBy.why]}`
  return Effect.fail(
    RpcError.internal(
      `The prompt was not sent: ${why}, and so it was taken back. Next: send it again if it is still meant`
    )
  )
}

const endWords = {
  stopped: "stopped",
  cancelled: "cancelled",
  refused: "refused",
  limited: "ended by a limit",
  failed: "not successful",
  lost: "lost",
  forgotten: "forgotten"
} as const
