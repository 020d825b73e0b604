/** Text that was shown already and is not on the disk yet: gathered, so that a stream of small pieces becomes few large rows. */
import type { LoggedEvent } from "@signalbox/contracts/ThreadEvent"
import { weightOfOne } from "../base/EventWeight.ts"
import { joinLogged } from "./EventJoining.ts"

/** How long text is gathered, milliseconds. */
export const longestMs = 250
/** UTF-16 units of text that are worth a transaction. */
const enoughText = 16 * 1024
/** What events may weigh: that are gathered, and that wait while the disk refuses them. */
const enoughWeight = 256 * 1024
const tooMuchWeight = 1024 * 1024

export interface PendingEvents {
  readonly add: (events: ReadonlyArray<LoggedEvent>) => void
  /** All of it, with pieces of one text joined. */
  readonly joined: () => ReadonlyArray<LoggedEvent>
  readonly isEmpty: () => boolean
  /** It is worth a transaction. */
  readonly isEnough: () => boolean
  /** Whoever brings more has to wait until it is written. */
  readonly isTooMuch: () => boolean
  /** It is on the disk. */
  readonly clear: () => void
}

export const make = (): PendingEvents => {
  let pending: Array<LoggedEvent> = []
  let length = 0
  let weight = 0
  return {
    add: (events) => {
      for (const entry of events) {
        pending.push(entry)
        weight += weightOfOne(entry.event)
        if ("text" in entry.event) length += entry.event.text.length
      }
    },
    joined: () => joinLogged(pending),
    isEmpty: () => pending.length === 0,
    isEnough: () => length >= enoughText || weight >= enoughWeight,
    isTooMuch: () => weight >= tooMuchWeight,
    clear: () => {
      pending = []
      length = 0
      weight = 0
    }
  }
}
