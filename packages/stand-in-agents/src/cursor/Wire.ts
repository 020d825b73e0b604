import { Buffer } from "node:buffer"
import type { Quirks } from "./Quirks.ts"
import type { Random } from "./Random.ts"

const noise = ["", "[cursor-agent] debug: cache warm", "\t", "{not json", "(node:1) Warning: something deprecated"]

/** Standard output: one message per line, with all faults that can happen there. */
export class Wire {
  readonly #split: boolean
  readonly #noisy: boolean
  readonly #random: Random
  readonly #limit: number
  /** Called when `crash_after` messages have been sent. Later ones are dropped. */
  onLimit: () => void = () => {}
  #pending = ""
  #scheduled = false
  #pieces: Promise<void> = Promise.resolve()
  #sent = 0

  constructor(quirks: Quirks, random: Random) {
    this.#split = quirks.has("split_writes")
    this.#noisy = quirks.has("stdout_noise")
    this.#limit = quirks.has("crash_after") ? quirks.number("crash_after", 1) : Number.POSITIVE_INFINITY
    this.#random = random
    // The reader is gone, which the end of standard input also shows.
    process.stdout.on("error", () => {})
  }

  /**
   * Sends a line. Lines of one turn of the event loop are written together.
   *
   * @returns whether the line was accepted
   */
  send(line: string): boolean {
    if (this.#sent >= this.#limit) return false
    this.#sent += 1
    if (this.#noisy && this.#sent % 2 === 0) this.#pending += `${noise[(this.#sent / 2) % noise.length] ?? ""}\n`
    this.#pending += `${line}\n`
    if (!this.#scheduled) queueMicrotask(() => this.#write())
    this.#scheduled = true
    if (this.#sent === this.#limit) this.onLimit()
    return true
  }

  /** Resolves when the reader has room for more. */
  async room(): Promise<void> {
    if (process.stdout.writableNeedDrain) await new Promise((resolve) => process.stdout.once("drain", resolve))
  }

  /** Resolves when everything was written, or can't be written any more. */
  async flush(): Promise<void> {
    this.#write()
    await this.#pieces
    await new Promise<void>((resolve) => process.stdout.write("", () => resolve()))
  }

  #write(): void {
    this.#scheduled = false
    const text = this.#pending
    this.#pending = ""
    if (text === "") return
    if (this.#split) this.#pieces = this.#pieces.then(() => this.#writePieces(Buffer.from(text)))
    else process.stdout.write(text)
  }

  async #writePieces(bytes: Buffer): Promise<void> {
    for (let start = 0; start < bytes.length;) {
      const end = start + this.#random.between(1, 7)
      process.stdout.write(bytes.subarray(start, end))
      start = end
      // The pause lets the reader see this piece alone. It is longer within a character.
      await new Promise((resolve) => (withinCharacter(bytes, end) ? setTimeout(resolve, 1) : setImmediate(resolve)))
    }
  }
}

/** Whether a position is within a character: in UTF-8, later bytes of a character begin with the bits 10. */
const withinCharacter = (bytes: Buffer, position: number): boolean => (bytes[position] ?? 0) >> 6 === 0b10
