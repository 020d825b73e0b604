/** The places of the turns of a thread among all its turns. Plain data, which the lane of the thread alone changes. */
import type { ItemId, TurnId } from "@signalbox/contracts/Ids"
import type { LoggedEvent } from "@signalbox/contracts/ThreadEvent"
import type { ThreadHead, TurnView } from "@signalbox/contracts/ThreadView"
import * as TurnQueue from "@signalbox/threads/TurnQueue"
import type { PlacedTurn } from "../storage/ThreadStore.ts"

export interface TurnPlace {
  position: number
  /** The position of its first entry. */
  firstItem: number | undefined
  /** The turn that was folded last; undefined when it must be written. */
  written: TurnView | undefined
  /** Its entries that are not at hand; undefined where nobody knows them all. */
  readonly departed: Set<ItemId> | undefined
}

export interface TurnPlaces {
  /** Those of the turns that are at hand. */
  readonly byId: Map<TurnId, TurnPlace>
  /** The position that the next new turn gets. */
  next: number
  /** Turns that were taken back since the last fold. */
  withdrawn: ReadonlyArray<TurnId>
}

export const make = (next: number): TurnPlaces => ({ byId: new Map(), next, withdrawn: [] })

/** Puts a turn at hand that is as it was folded. */
export const hold = (places: TurnPlaces, { firstItem, position, turn }: PlacedTurn): void => {
  places.byId.set(turn.turnId, { position, firstItem, written: turn, departed: undefined })
}

/** Follows events of the thread: `before` is the head that they changed to `after`. */
export const follow = (
  places: TurnPlaces,
  events: ReadonlyArray<LoggedEvent>,
  before: ThreadHead | undefined,
  after: ThreadHead
): void => {
  const firstNew = places.next
  let reordered = false
  for (const { event } of events) {
    if (event.type === "turn.queued") {
      places.byId.set(event.turnId, newPlace(places.next++))
      if (event.steer) reordered = true
    } else if (event.type === "turn.moved") reordered = true
    else if (event.type === "turn.withdrawn" && !after.turns.some(({ turnId }) => turnId === event.turnId)) {
      places.byId.delete(event.turnId)
      places.withdrawn = [...places.withdrawn, event.turnId]
    }
  }
  if (reordered) putInOrder(places, after, before, firstNew)
}

/** Sorts the positions of waiting and new turns by the order of the queue. */
const putInOrder = (
  places: TurnPlaces,
  { turns }: ThreadHead,
  before: ThreadHead | undefined,
  firstNew: number
): void => {
  const waited = new Set(before === undefined ? [] : TurnQueue.waiting(before).map(({ turnId }) => turnId))
  const placed = turns.flatMap(({ turnId }) => {
    const place = places.byId.get(turnId)
    return place !== undefined && (waited.has(turnId) || place.position >= firstNew) ? [place] : []
  })
  const positions = placed.map(({ position }) => position).sort((one, other) => one - other)
  for (const [index, place] of placed.entries()) {
    const position = positions[index] ?? place.position
    if (position === place.position) continue
    place.position = position
    place.written = undefined
  }
}

/** Notes the first entry of a turn; any later one changes nothing. */
export const begin = (places: TurnPlaces, turnId: TurnId, firstItem: number): void => {
  const place = places.byId.get(turnId)
  if (place === undefined || place.firstItem !== undefined) return
  place.firstItem = firstItem
  place.written = undefined
}

/** Whether a turn is in no fold as it is now. */
export const isChanged = (places: TurnPlaces, turn: TurnView): boolean => places.byId.get(turn.turnId)?.written !== turn

/** Takes note that these turns are folded as they are now. */
export const written = (places: TurnPlaces, turns: ReadonlyArray<TurnView>): void => {
  for (const turn of turns) {
    const place = places.byId.get(turn.turnId)
    if (place) place.written = turn
  }
  places.withdrawn = []
}

const newPlace = (position: number): TurnPlace => ({
  position,
  firstItem: undefined,
  written: undefined,
  departed: new Set()
})
