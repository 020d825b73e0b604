/**
 * The edge of one session's projection: gives it the time, and hands what comes of each step to the adapter's stream as one batch. Events
 * wait until the session has been announced, so that nothing is told of a session that nobody knows.
 */
import type { IncomingUpdate } from "@signalbox/acp/AcpClient"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { EventOutlet } from "../../Services/EventOutlet.ts"
import { weightOf } from "../../../base/EventWeight.ts"
import * as SessionProjection from "./SessionProjection.ts"
import type { ThreadRecord } from "./ThreadRecord.ts"
import * as UpdateProjection from "./UpdateProjection.ts"

/** Characters that may wait for the announcement; a history that is being loaded is not counted. */
const maxHeld = 4 * 1024 * 1024

/** A change of the projection, from which events come. */
export type Step = (projection: SessionProjection.SessionProjection) => void

export interface Emission {
  /** Projects updates that came together, and hands over what came of them. Synchronous. */
  readonly project: (batch: ReadonlyArray<IncomingUpdate>) => void
  /** Takes a step of the projection at the present time, and hands over what came of it. Synchronous. */
  readonly emit: (step: Step) => void
  /** Hands over what comes of a step even before the session is announced: people have to know what its start waits for. */
  readonly emitAhead: (step: Step) => void
  /** Whether so much waits for the announcement that nothing more is to be taken in. */
  readonly isFull: () => boolean
  /** Announces the session: `announce` tells it, and what waited follows. */
  readonly release: (announce: Step) => void
  /** Drops what waited of a history that could not be loaded. */
  readonly forgetReplay: () => void
}

export const make = (
  projection: SessionProjection.SessionProjection,
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

  const emit = (step: Step) => deliver(SessionProjection.step(projection, now(), step))

  return {
    project: (batch) => deliver(UpdateProjection.project(projection, batch, now())),
    emit,
    emitAhead: (step) => deliver(SessionProjection.step(projection, now(), step), true),
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
