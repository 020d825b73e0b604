/**
 * From one session's projection to the adapter's stream. Events wait until the session has been announced, so that nothing
 * is told of a session that nobody knows.
 */
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { EventOutlet } from "../../Services/EventOutlet.ts"
import { weightOf } from "../../../base/EventWeight.ts"
import type { SessionProjection } from "./SessionProjection.ts"
import type { ThreadRecord } from "./ThreadRecord.ts"

/** Characters that may wait for the announcement; a history that is being loaded is not counted. */
const maxHeld = 4 * 1024 * 1024

export interface Emission {
  /** Runs a step of the projection at the present time, and hands over what came of it. Synchronous. */
  readonly emit: (step: () => void) => void
  /** Takes a step at once, even before the session is announced: people have to know what its start waits for. */
  readonly emitAhead: (step: () => void) => void
  /** Whether so much waits for the announcement that nothing more is to be taken in. */
  readonly isFull: () => boolean
  /** Announces the session: `announce` tells it, and what waited follows. */
  readonly release: (announce: () => void) => void
  /** Drops what waited of a history that could not be loaded. */
  readonly forgetReplay: () => void
}

export const make = (
  projection: SessionProjection,
  outlet: EventOutlet,
  record: ThreadRecord,
  now: () => number
): Emission => {
  let held: Array<ProviderRuntimeEvent> | undefined = []
  let heldWeight = 0

  const deliver = (events: ReadonlyArray<ProviderRuntimeEvent>, ahead = false) => {
    if (events.length === 0) return
    if (held !== undefined && !ahead) {
      for (const event of events) held.push(event)
      if (projection.replay === undefined) heldWeight += weightOf(events)
      return
    }
    const weight = weightOf(events)
    record.append(events, weight)
    outlet.offer(events, weight)
  }

  const emit = (step: () => void, ahead = false) => {
    const at = now()
    projection.at = at
    projection.sink.setTime(at)
    step()
    deliver(projection.sink.take(), ahead)
  }

  return {
    emit: (step) => emit(step),
    emitAhead: (step) => emit(step, true),
    isFull: () => held !== undefined && heldWeight + projection.echo.whole.length >= maxHeld,
    release: (announce) => {
      const waited = held ?? []
      held = undefined
      emit(announce)
      deliver(waited)
    },
    forgetReplay: () => {
      held = held?.filter((event) => !("replayed" in event))
    }
  }
}
