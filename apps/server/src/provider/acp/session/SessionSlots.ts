/**
 * The place of each thread's session, from the moment in which its start begins until everything of it is released. Until then nothing takes
 * its place, so that no two processes ever share a session. Each change is one step: several fibers claim places and end sessions.
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
  /** Completes when everything of it is released, the tape on the disk. */
  readonly released: Deferred.Deferred<void>
  readonly starting: Fiber.Fiber<unknown> | undefined
  /** It is being released. */
  readonly closing: boolean
  readonly live: AcpSession | undefined
  /** What it asks people, also while it starts. */
  readonly requests: OpenRequests | undefined
}

/** `fresh`: the caller has the place now, and starts · `taken`: another has · `ending`: to be asked for again when it is released. */
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

/** Takes the thread's place where it is free. */
export const claim = (slots: SessionSlots, threadId: ThreadId): Effect.Effect<Claim> =>
  Ref.modify(slots, (all): readonly [Claim, Slots] => {
    const slot = Option.getOrUndefined(HashMap.get(all, threadId))
    if (slot !== undefined) return [{ type: isEnding(slot) ? "ending" : "taken", slot }, all]
    const fresh = emptySlot(threadId)
    return [{ type: "fresh", slot: fresh }, HashMap.set(all, threadId, fresh)]
  })

/** Takes the thread's place from a session that has it; undefined where that is gone. */
export const takeOver = (slots: SessionSlots, threadId: ThreadId, from: AcpSession): Effect.Effect<Slot | undefined> =>
  Ref.modify(slots, (all): readonly [Slot | undefined, Slots] => {
    const slot = Option.getOrUndefined(HashMap.get(all, threadId))
    if (slot?.live !== from) return [undefined, all]
    const fresh = emptySlot(threadId)
    return [fresh, HashMap.set(all, threadId, fresh)]
  })

/** Notes what became of a slot, as long as it has its place. */
export const note = (
  slots: SessionSlots,
  { released, threadId }: Slot,
  news: Partial<Pick<Slot, "starting" | "closing" | "live" | "requests">>
): Effect.Effect<void> =>
  Ref.update(slots, (all) =>
    HashMap.modify(all, threadId, (slot) => (slot.released === released ? { ...slot, ...news } : slot))
  )

/** Releases everything of a slot, and then its place. */
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

/** The thread's place; undefined where it has none. */
export const slotOf = (slots: SessionSlots, threadId: ThreadId): Effect.Effect<Slot | undefined> =>
  Effect.map(Ref.get(slots), (all) => Option.getOrUndefined(HashMap.get(all, threadId)))

export const list = (slots: SessionSlots): Effect.Effect<ReadonlyArray<Slot>> =>
  Effect.map(Ref.get(slots), (all) => [...HashMap.values(all)])

/** Whether its session is at its end. */
export const isEnding = ({ closing, live }: Slot): boolean => closing || live?.isLive() === false
