/** The latest events of one thread since this server started: what a client missed that was away for a moment. */
import type { LoggedEvent } from "@signalbox/contracts/ThreadEvent"
import { weightOfOne } from "../base/EventWeight.ts"

/** The most that is remembered of a thread: events, and characters in them. The latest event is, however long. */
const mostEvents = 2000
const mostWeight = 1024 * 1024

export interface RecentEvents {
  /** Remembers what was published, in the order of its places in the log, which follow each other without a gap. */
  readonly add: (events: ReadonlyArray<LoggedEvent>) => void
  /** All events behind this place; undefined when not all of them are remembered, or when the log does not reach so far. */
  readonly after: (sequence: number) => ReadonlyArray<LoggedEvent> | undefined
}

interface Remembered {
  readonly entry: LoggedEvent
  readonly weight: number
}

/** `sequence` is the end of the log up to now. */
export const make = (sequence: number): RecentEvents => {
  /** Each event in the slot of its place, so that the one that is forgotten makes room for its successor. */
  const slots: Array<Remembered | undefined> = []
  /** The places before the first and of the last event in `slots`. */
  let before = sequence
  let last = sequence
  let weight = 0

  const makeRoom = (added: number): void => {
    while (before < last && (last - before >= mostEvents || weight + added > mostWeight)) {
      before++
      weight -= slots[before % mostEvents]?.weight ?? 0
      slots[before % mostEvents] = undefined
    }
  }

  return {
    add: (events) => {
      for (const entry of events) {
        const remembered = { entry, weight: weightOfOne(entry.event) }
        makeRoom(remembered.weight)
        last = entry.sequence
        slots[last % mostEvents] = remembered
        weight += remembered.weight
      }
    },
    after: (sequence) => {
      if (sequence < before || sequence > last) return undefined
      const events: Array<LoggedEvent> = []
      for (let place = sequence + 1; place <= last; place++) {
        const remembered = slots[place % mostEvents]
        if (remembered) events.push(remembered.entry)
      }
      return events
    }
  }
}
