/** One direction of the conversation: takes bytes, passes lines on in order, and disturbs them by the schedule. */
import type { Readable, Writable } from "node:stream"
import { setImmediate, setTimeout } from "node:timers/promises"
import type { FaultLog } from "./FaultLog.ts"
import type { Moments } from "./Moments.ts"
import type { Action, Direction, Rates } from "./Schedule.ts"
import { treat } from "./Treatment.ts"

export interface LaneOptions {
  readonly direction: Direction
  readonly seed: number
  readonly rates: Rates
  readonly moments: Moments
  readonly log: FaultLog
  /** The stream that floods are written to. */
  readonly stderr: Writable
  readonly act: (action: Action) => void
}

/** Milliseconds that a line is held back for the next one, if nothing else happens. */
const keptMs = 100

const newline = 10

export class Lane {
  readonly #options: LaneOptions
  readonly #output: Writable
  #line = 0
  /** A line that waits for the next one, and whether it goes before it. */
  #kept: { readonly bytes: Buffer; readonly first: boolean } | undefined
  #timer: NodeJS.Timeout | undefined
  #order: Promise<void> = Promise.resolve()
  #stalled = false
  /** The number of chunks so far, and whether all were passed on. */
  #chunks = 0
  #idle = true

  constructor(output: Writable, options: LaneOptions) {
    this.#output = output
    this.#options = options
  }

  /**
   * Passes the input on. Resolves when it has ended and everything was written. Reads no faster than the other side.
   */
  async run(input: Readable): Promise<void> {
    let rest = Buffer.alloc(0)
    for await (const chunk of input) {
      this.#chunks += 1
      this.#idle = false
      clearTimeout(this.#timer)
      let bytes = Buffer.concat([rest, chunk])
      for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline)) {
        await this.#pass(bytes.subarray(0, end + 1))
        bytes = bytes.subarray(end + 1)
      }
      rest = bytes
      if (this.#kept !== undefined) this.#timer = globalThis.setTimeout(() => this.#release(), keptMs)
      this.#idle = true
    }
    this.#idle = false
    this.#release()
    // Bytes without a line end are no message, so they pass unchanged.
    if (rest.length > 0) await this.#write([rest])
    await this.#order
    await flushed(this.#output)
  }

  /** Resolves when the input is still open, all of it was passed on, and nothing has come for `ms` milliseconds. */
  async silence(ms: number): Promise<void> {
    for (let before = -1; before !== this.#chunks || !this.#idle;) {
      before = this.#chunks
      await setTimeout(ms)
      // On a busy machine, the timer may fire before earlier input was read.
      await setImmediate()
    }
  }

  /** Stops passing anything on, without a notice. */
  stall(): void {
    this.#stalled = true
  }

  async #pass(bytes: Buffer): Promise<void> {
    const { act, direction, log, moments, rates, seed, stderr } = this.#options
    this.#line += 1
    const heard = moments.hear(direction, bytes.toString())
    const due = moments.due(heard)
    const treatment = treat(seed, direction, this.#line, bytes, heard.method, rates)
    const where = { direction, line: this.#line, method: heard.method, answers: heard.answers }
    if (treatment.faults.length > 0) {
      const { cuts, delayMs } = treatment
      log.write("fault", { ...where, faults: treatment.faults, delayMs, cuts, bytes: treatment.bytes.length })
    }
    const actNow = (when: "before" | "after") => {
      for (const moment of due) {
        if (moment.when !== when) continue
        log.write("action", { ...where, when, do: moment.do })
        act(moment.do)
      }
    }
    actNow("before")
    if (treatment.stderr !== undefined) stderr.write(treatment.stderr)
    if (treatment.delayMs > 0) await setTimeout(treatment.delayMs)
    if (treatment.noise !== undefined) await this.#write([treatment.noise])
    await this.#send(treatment.faults.includes("reorder"), treatment.faults.includes("join"), treatment)
    actNow("after")
  }

  async #send(
    reorder: boolean,
    join: boolean,
    { bytes, copies, cuts }: { readonly bytes: Buffer; readonly copies: number; readonly cuts: ReadonlyArray<number> }
  ): Promise<void> {
    if (copies === 0) return
    const line = copies === 2 ? Buffer.concat([bytes, bytes]) : bytes
    const kept = this.#take()
    if (kept === undefined && (reorder || join)) {
      this.#kept = { bytes: line, first: !reorder }
      return
    }
    if (kept === undefined) return this.#write(piecesOf(line, cuts))
    return this.#write([kept.first ? Buffer.concat([kept.bytes, line]) : Buffer.concat([line, kept.bytes])])
  }

  #take() {
    const kept = this.#kept
    this.#kept = undefined
    clearTimeout(this.#timer)
    return kept
  }

  #release(): void {
    const kept = this.#take()
    if (kept !== undefined) void this.#write([kept.bytes])
  }

  #write(pieces: ReadonlyArray<Buffer>): Promise<void> {
    this.#order = this.#order.then(async () => {
      for (const piece of pieces) {
        if (this.#stalled || this.#output.destroyed || this.#output.writableEnded) return
        if (!this.#output.write(piece)) await drained(this.#output)
        // The pause lets the reader see this piece alone.
        if (pieces.length > 1) await setImmediate()
      }
    })
    return this.#order
  }
}

/** Resolves when all output has left this process, or never will. */
const flushed = (output: Writable): Promise<void> => new Promise((resolve) => output.write("", () => resolve()))

/** Resolves when the output has room. A closed side reports that by its own stream, so it counts as drained. */
const drained = (output: Writable): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      output.off("drain", done).off("close", done)
      resolve()
    }
    output.on("drain", done).on("close", done)
  })

const piecesOf = (bytes: Buffer, cuts: ReadonlyArray<number>): ReadonlyArray<Buffer> =>
  [...cuts, bytes.length].map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end))
