/**
 * Connects one session's projection with the adapter's stream: sets the time of each step, and sends its events as one
 * batch. Events wait until the session is announced, since clients don't know it before.
 */
import type { IncomingUpdate } from "@signalbox/acp/AcpClient"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { EventOutlet } from "../../Services/EventOutlet.ts"
import { weightOf } from "../../../base/EventWeight.ts"
import * as SessionProjection from "./SessionProjection.ts"
import type { ThreadRecord } from "./ThreadRecord.ts"
import * as UpdateProjection from "./UpdateProjection.ts"

/** Most characters that may wait for the announcement. A history that is being loaded does not count. */
const maxHeld = 4 * 1024 * 1024

/** A change of the projection, which may produce events. */
export type Step = (projection: SessionProjection.SessionProjection) => void

export interface Emission {
  /** Projects updates that arrived together, and sends their events. Synchronous. */
  readonly project: (batch: ReadonlyArray<IncomingUpdate>) => void
  /** Runs a step of the projection at the present time, and sends its events. Synchronous. */
  readonly emit: (step: Step) => void
  /** Runs a step and sends its events even before the announcement: people must see what the start waits for. */
  readonly emitAhead: (step: Step) => void
  /** Whether so much waits for the announcement that no more updates are accepted. */
  readonly isFull: () => boolean
  /** Announces the session: runs `announce`, then sends the events that waited. */
  readonly release: (announce: Step) => void
  /** Drops the waiting events of a history that could not be loaded. */
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
