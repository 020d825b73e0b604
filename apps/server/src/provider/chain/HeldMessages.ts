/**
 * What a part of a chain has got in one direction and not passed on yet. A part gives messages ids of its own. So what comes
 * out is taken for the oldest one of its method that the part holds.
 */

/** A part that has not passed a message on after so many milliseconds has kept it. */
const keptAfter = 10_000

/** Most messages of one method that are remembered, and most methods. */
const mostHeld = 64
const mostMethods = 64

interface Held {
  /** When it came, in milliseconds. */
  readonly at: number
  /** The id of a request, as JSON text. */
  readonly id: string | undefined
}

export interface HeldMessages {
  readonly came: (method: string, at: number, id: string | undefined) => void
  /** Milliseconds for which the message was held that goes on now. Undefined if it is the part's own. */
  readonly goesOn: (method: string, now: number) => number | undefined
  /** Forgets a request that the part has answered. */
  readonly answered: (id: string) => void
}

export const make = (): HeldMessages => {
  const byMethod = new Map<string, Array<Held>>()
  return {
    came: (method, at, id) => {
      const held = byMethod.get(method)
      if (held === undefined) {
        if (byMethod.size < mostMethods) byMethod.set(method, [{ at, id }])
        return
      }
      if (held.length === mostHeld) held.shift()
      held.push({ at, id })
    },
    goesOn: (method, now) => {
      const held = byMethod.get(method) ?? []
      for (let first = held.shift(); first !== undefined; first = held.shift())
        if (now - first.at < keptAfter) return now - first.at
      return undefined
    },
    answered: (id) => {
      for (const held of byMethod.values()) {
        const at = held.findIndex((one) => one.id === id)
        if (at !== -1) {
          held.splice(at, 1)
          return
        }
      }
    }
  }
}
