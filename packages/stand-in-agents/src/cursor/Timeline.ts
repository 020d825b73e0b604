interface Entry {
  readonly due: number
  action: () => void
}

/** Thrown by `wait` when its signal aborts. */
export class Aborted extends Error {
  override readonly name = "Aborted"
}

/**
 * All waiting of the emulator, multiplied by one scale.
 *
 * At scale 0 nothing really waits, but everything still happens in the order of its delays: time is a counter that jumps to the next entry,
 * one entry per turn of the event loop. So input is read in between.
 */
export class Timeline {
  readonly #scale: number
  #now = 0
  readonly #entries: Array<Entry> = []

  constructor(scale: number) {
    this.#scale = scale
  }

  /** @returns a function that takes the action back. */
  after(milliseconds: number, action: () => void): () => void {
    if (this.#scale > 0) {
      const timer = setTimeout(action, milliseconds * this.#scale)
      return () => clearTimeout(timer)
    }
    const entry: Entry = { due: this.#now + milliseconds, action }
    const position = this.#entries.findIndex((other) => other.due > entry.due)
    this.#entries.splice(position === -1 ? this.#entries.length : position, 0, entry)
    if (this.#entries.length === 1) setImmediate(() => this.#step())
    return () => {
      entry.action = () => {}
    }
  }

  /** @throws Aborted as soon as the signal aborts. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(new Aborted())
        return
      }
      const abort = () => {
        takeBack()
        reject(new Aborted())
      }
      const takeBack = this.after(milliseconds, () => {
        signal?.removeEventListener("abort", abort)
        resolve()
      })
      signal?.addEventListener("abort", abort, { once: true })
    })
  }

  #step(): void {
    const entry = this.#entries[0]
    if (entry === undefined) return
    this.#now = Math.max(this.#now, entry.due)
    entry.action()
    // Removed only now: an action that adds entries must find the loop running. None can be due before this one.
    this.#entries.shift()
    if (this.#entries.length > 0) setImmediate(() => this.#step())
  }
}
