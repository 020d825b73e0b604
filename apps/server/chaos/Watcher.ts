/** One client's view of one thread, folded like on the page, with the times at which its text grew. */
import type { ItemId } from "@signalbox/contracts/Ids"
import type { ThreadFrame, ThreadPosition } from "@signalbox/contracts/ThreadFrame"
import { isTextPiece } from "@signalbox/contracts/TextEvents"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import type { Bookmark } from "./Story.ts"

/** Text that was seen this many milliseconds before the end has to survive: the promised 250, and a margin for a busy machine. */
const graceMs = 250 + 1000

export class Watcher {
  view: ThreadView | undefined
  /** The position from which the client would continue. */
  position: ThreadPosition | undefined
  /** The lengths of each message and thought over time. Times are milliseconds of `performance.now()`. */
  readonly growth = new Map<ItemId, Array<{ readonly at: number; readonly length: number }>>()
  /** Gaps, repeats and steps back in what the client received, in words. */
  readonly faults: Array<string> = []
  readonly #listeners = new Set<() => void>()

  constructor(known?: Bookmark) {
    this.view = known?.view
    this.position = known?.position
  }

  get bookmark(): Bookmark | undefined {
    return this.view && this.position && { view: this.view, position: this.position }
  }

  take(frame: ThreadFrame): void {
    if (frame.type === "snapshot") {
      this.position = { bootId: frame.bootId, sequence: frame.view.sequence }
      this.#become(frame.view)
    } else if (frame.events.length > 0) {
      for (const { event, sequence } of frame.events) {
        if (sequence <= (this.view?.sequence ?? 0))
          this.faults.push(`event ${sequence} came after ${this.view?.sequence}`)
        if (!isTextPiece(event)) continue
        const known = this.#lengthOf(event.itemId, frame, sequence)
        if (event.offset !== known) this.faults.push(`${event.itemId} goes on at ${event.offset}, known are ${known}`)
      }
      const view = ThreadProjection.apply(this.view, frame.events)
      if (this.position !== undefined) this.position = { ...this.position, sequence: view.sequence }
      this.#become(view)
    }
    for (const listener of this.#listeners) listener()
  }

  /** Waits until `holds` is true of the state. */
  until(holds: (view: ThreadView) => boolean): Effect.Effect<ThreadView> {
    return Effect.callback((resume) => {
      const look = () => {
        if (this.view === undefined || !holds(this.view)) return
        this.#listeners.delete(look)
        resume(Effect.succeed(this.view))
      }
      this.#listeners.add(look)
      look()
      return Effect.sync(() => this.#listeners.delete(look))
    })
  }

  /** How many characters of each text have to survive an end at this time: texts that had ended, and what was seen long enough before. */
  durableAt(end: number): ReadonlyMap<ItemId, number> {
    const durable = new Map<ItemId, number>()
    for (const [itemId, steps] of this.growth) {
      const step = steps.findLast(({ at }) => at < end - graceMs)
      if (step !== undefined) durable.set(itemId, step.length)
    }
    for (const item of this.view?.items ?? [])
      if ((item.type === "message" || item.type === "thought") && item.endedAt !== undefined)
        durable.set(item.itemId, item.text.length)
    return durable
  }

  /** Whether a text has grown of which the first words are old enough that they have to survive. */
  isDueSince(then: number): boolean {
    const due = performance.now() - graceMs
    return [...this.growth.values()].some(
      (steps) => (steps[0]?.at ?? Infinity) < due && (steps.at(-1)?.at ?? 0) > then && steps.length > 1
    )
  }

  /** Calls `listener` after every frame. */
  onFrame(listener: () => void): void {
    this.#listeners.add(listener)
  }

  #become(view: ThreadView): void {
    this.view = view
    const at = performance.now()
    for (const item of view.items) {
      if (item.type !== "message" && item.type !== "thought") continue
      const growth = this.growth.get(item.itemId)
      if (growth === undefined) this.growth.set(item.itemId, [{ at, length: item.text.length }])
      else if (growth.at(-1)?.length !== item.text.length) growth.push({ at, length: item.text.length })
    }
  }

  /** The length of an item's text before the event of this sequence in this frame. */
  #lengthOf(itemId: ItemId, frame: Extract<ThreadFrame, { readonly type: "events" }>, before: number): number {
    const item = this.view?.items.find((candidate) => candidate.itemId === itemId)
    let length = item?.type === "message" || item?.type === "thought" ? item.text.length : 0
    for (const { event, sequence } of frame.events) {
      if (sequence >= before) break
      if (isTextPiece(event) && event.itemId === itemId) length += event.text.length
    }
    return length
  }
}
