/** Counts what passes the parts of a chain, and measures how long each part holds a message. */
import type { Observer } from "@signalbox/conductor/Observer"
import type { PartTraffic } from "@signalbox/contracts/SessionChain"
import * as HeldMessages from "./HeldMessages.ts"

/** How many of the latest messages count for the median, and how few say nothing yet. */
const latest = 101
const fewest = 10

interface Part {
  readonly name: string
  /** What it has got from people's side, and from the agent's side. */
  readonly down: HeldMessages.HeldMessages
  readonly up: HeldMessages.HeldMessages
  messages: number
  /** Milliseconds that it held its latest messages. */
  readonly times: Array<number>
}

export interface ChainTraffic {
  readonly observer: Observer
  /** The traffic of each part, nearest to people first. */
  readonly report: () => ReadonlyArray<PartTraffic>
}

/**
 * Follows a chain from its first message on.
 *
 * @param names the names of the parts, nearest to people first; the agent is last
 * @param now milliseconds of a clock that never goes back
 */
export const make = (names: ReadonlyArray<string>, now: () => number): ChainTraffic => {
  const parts = names.map((name): Part => ({
    name,
    messages: 0,
    down: HeldMessages.make(),
    up: HeldMessages.make(),
    times: []
  }))
  const agent = parts.length - 1
  /** A message counts for the part that is farther from people. */
  const count = (from: number, to: number) => {
    const part = parts[Math.max(from, to)]
    if (part !== undefined) part.messages += 1
  }
  const passes = (from: number, to: number, method: string, id?: string) => {
    count(from, to)
    const at = now()
    const direction = to > from ? "down" : "up"
    const sender = parts[from]
    const held = sender?.[direction].goesOn(method, at)
    if (sender !== undefined && held !== undefined) {
      sender.times.push(held)
      if (sender.times.length > latest) sender.times.shift()
    }
    // The agent passes nothing on. The start of a part is not counted as its time.
    if (to !== agent && method !== "initialize") parts[to]?.[direction].came(method, at, id)
  }
  return {
    observer: {
      request: (from, to, id, { method }) => passes(from, to, method, id),
      notification: (from, to, { method }) => passes(from, to, method),
      response: (from, to, id) => {
        count(from, to)
        parts[from]?.[from > to ? "down" : "up"].answered(id)
      }
    },
    report: () =>
      parts.map(({ messages, name, times }) => ({
        name,
        messages,
        ...(times.length >= fewest && { heldMs: median(times) })
      }))
  }
}

const median = (times: ReadonlyArray<number>): number =>
  times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0
