/**
 * One slot for each thread's session, from the beginning of its start until it is completely released. Until then no
 * other session takes the slot, so two processes never share a session. Each change is one atomic step, since several
 * fibers claim slots and end sessions.
 */
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Scope from "effect/Scope"
import type { ProviderError } from "../../../base/ProviderError.ts"
import type { OpenRequests } from "../requests/OpenRequests.ts"
import type { AcpSession } from "./AcpSession.ts"

export interface Slot {
  readonly threadId: ThreadId
  readonly scope: Scope.Closeable
  readonly session: Deferred.Deferred<AcpSession, ProviderError>
  /** Completes when the session is completely released, with its tape on the disk. */
  readonly released: Deferred.Deferred<void>
  readonly starting: Fiber.Fiber<unknown> | undefined
  /** Whether the slot is being released. */
  readonly closing: boolean
  readonly live: AcpSession | undefined
  /** The session's requests to people, which may also come while it starts. */
  readonly requests: OpenRequests | undefined
}

/**
 * `fresh`: the caller owns the slot now and starts the session · `taken`: another caller has it · `ending`: ask again
 * when it is released.
 */
export interface Claim {
  readonly type: "fresh" | "taken" | "ending"
  readonly slot: Slot
}

type Slots = HashMap.HashMap<ThreadId, Slot>

export type SessionSlots = Ref.Ref<Slots>

export const make: Effect.Effect<SessionSlots> = Ref.make(HashMap.empty<ThreadId, Slot>())

const emptySlot = (threadId: ThreadId): Slot => ({
  threadId,
  scope: Scope.makeUnsafe(),
  session: Deferred.makeUnsafe(),
  released: Deferred.makeUnsafe(),
  starting: undefined,
  closing: false,
  live: undefined,
  requests: undefined
})

/** Claims the thread's slot if it is free. */
export const claim = (slots: SessionSlots, threadId: ThreadId): Effect.Effect<Claim> =>
  Ref.modify(slots, (all): readonly [Claim, Slots] => {
    const slot = Option.getOrUndefined(HashMap.get(all, threadId))
    if (slot !== undefined) return [{ type: isEnding(slot) ? "ending" : "taken", slot }, all]
    const fresh = emptySlot(threadId)
    return [{ type: "fresh", slot: fresh }, HashMap.set(all, threadId, fresh)]
  })

/** Replaces the slot of this session with a fresh one. Undefined if the session no longer has the slot. */
export const takeOver = (slots: SessionSlots, threadId: ThreadId, from: AcpSession): Effect.Effect<Slot | undefined> =>
  Ref.modify(slots, (all): readonly [Slot | undefined, Slots] => {
    const slot = Option.getOrUndefined(HashMap.get(all, threadId))
    if (slot?.live !== from) return [undefined, all]
    const fresh = emptySlot(threadId)
    return [fresh, HashMap.set(all, threadId, fresh)]
  })

/** Updates a slot, as long as it is still in use. */
export const note = (
  slots: SessionSlots,
  { released, threadId }: Slot,
  news: Partial<Pick<Slot, "starting" | "closing" | "live" | "requests">>
): Effect.Effect<void> =>
  Ref.update(slots, (all) =>
    HashMap.modify(all, threadId, (slot) => (slot.released === released ? { ...slot, ...news } : slot))
  )

/** Releases all resources of a slot, and then the slot. */
export const vacate = (slots: SessionSlots, slot: Slot): Effect.Effect<void> => {
  const { released, scope, threadId } = slot
  const leave = Ref.update(slots, (all) =>
    Option.exists(HashMap.get(all, threadId), (one) => one.released === released) ? HashMap.remove(all, threadId) : all
  )
  return note(slots, slot, { closing: true }).pipe(
    Effect.andThen(Scope.close(scope, Exit.void)),
    Effect.andThen(leave),
    Effect.andThen(Deferred.succeed(released, undefined)),
    Effect.asVoid
  )
}

/** The thread's slot. Undefined if it has none. */
export const slotOf = (slots: SessionSlots, threadId: ThreadId): Effect.Effect<Slot | undefined> =>
  Effect.map(Ref.get(slots), (all) => Option.getOrUndefined(HashMap.get(all, threadId)))

export const list = (slots: SessionSlots): Effect.Effect<ReadonlyArray<Slot>> =>
  Effect.map(Ref.get(slots), (all) => [...HashMap.values(all)])

/** Whether the slot's session has ended or is ending. */
export const isEnding = ({ closing, live }: Slot): boolean => closing || live?.isLive() === false
