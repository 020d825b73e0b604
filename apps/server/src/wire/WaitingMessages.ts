/** Messages that have come to a part of a chain, and may go on from there. They are found by what they say. */
import type { WireMessage } from "./WireMessage.ts"

/** Messages of one method that wait at one place. More are forgotten, those with the oldest text first. */
const mostWaiting = 1000

/** Methods at places that are remembered: agents choose them. More are forgotten, the oldest first. */
const mostPlaces = 1000

export interface WaitingMessages<A> {
  /** Keeps `item` for a message that has come to its place. A message whose text is not known is not kept. */
  readonly came: (message: WireMessage, item: A) => void
  /** Takes out the first that has come to the sender of this message, says the same, and fits. */
  readonly same: (message: WireMessage, fits: (item: A) => boolean) => A | undefined
  /** Takes out the first that has come to the sender of this message with its method, and fits. */
  readonly first: (message: WireMessage, fits: (item: A) => boolean) => A | undefined
}

export const make = <A>(): WaitingMessages<A> => {
  /** Items by place, direction and method; then by what their messages say. */
  const places = new Map<string, Place<A>>()

  const take = (place: string, key: string, at: number): A | undefined => {
    const found = places.get(place)
    const items = found?.texts.get(key)
    if (found === undefined || items === undefined) return undefined
    const [item] = items.splice(at, 1)
    found.size -= 1
    if (items.length === 0) found.texts.delete(key)
    if (found.size === 0) places.delete(place)
    return item
  }

  return {
    came: (message, item) => {
      const { text } = message
      if (text === undefined) return
      const key = keyOf(message.to, message)
      const place = places.get(key) ?? { texts: new Map<string, Array<A>>(), size: 0 }
      places.set(key, place)
      const items = place.texts.get(text)
      if (items === undefined) place.texts.set(text, [item])
      else items.push(item)
      place.size += 1
      if (place.size > mostWaiting) for (const [oldest] of place.texts) return void take(key, oldest, 0)
      if (places.size > mostPlaces) for (const [oldest] of places) return void places.delete(oldest)
    },
    same: (message, fits) => {
      const place = keyOf(message.from, message)
      const { text = "" } = message
      const at = places.get(place)?.texts.get(text)?.findIndex(fits) ?? -1
      return at === -1 ? undefined : take(place, text, at)
    },
    first: (message, fits) => {
      const place = keyOf(message.from, message)
      for (const [key, items] of places.get(place)?.texts ?? []) {
        const at = items.findIndex(fits)
        if (at !== -1) return take(place, key, at)
      }
      return undefined
    }
  }
}

interface Place<A> {
  readonly texts: Map<string, Array<A>>
  /** How many items all its texts have. */
  size: number
}

const keyOf = (place: number, message: WireMessage): string => {
  const { from, kind, to } = message
  return `${place} ${to > from ? "down" : "up"} ${kind} ${message.kind === "answer" ? "" : message.method}`
}
