/** The client's side of the standard streams: its lines one after the other, and ours to it. */
import * as LineSplitter from "@signalbox/acp/LineSplitter"
import { once } from "node:events"

export class Client {
  readonly #said: Array<string> = []
  #gone = false
  #heard: (() => void) | undefined

  constructor() {
    const splitter = LineSplitter.make({ maxLineBytes: Number.MAX_SAFE_INTEGER })
    const take = (lines: ReadonlyArray<string>) => {
      for (const line of lines) this.#said.push(line)
      this.#heard?.()
    }
    process.stdin.on("data", (chunk: Buffer) => take(splitter.push(chunk)))
    const end = () => {
      this.#gone = true
      take(splitter.end())
    }
    process.stdin.once("end", end).once("error", end)
    // A client that has gone is told by the end of its words.
    process.stdout.on("error", () => {})
  }

  /** What it says next; undefined when it has said everything. */
  async next(): Promise<string | undefined> {
    while (this.#said.length === 0 && !this.#gone) {
      await new Promise<void>((resolve) => {
        this.#heard = resolve
      })
    }
    return this.#said.shift()
  }

  /** Hears nothing any more: as if it had said everything. */
  turnAway(): void {
    this.#gone = true
    this.#said.length = 0
    this.#heard?.()
  }

  /** Returns when it has said everything. */
  async gone(): Promise<void> {
    while ((await this.next()) !== undefined);
  }

  /** Returns when there is room for more. */
  async tell(line: string): Promise<void> {
    if (!process.stdout.write(`${line}\n`) && !process.stdout.destroyed)
      await Promise.race([once(process.stdout, "drain"), once(process.stdout, "close")])
  }

  /** Returns when all that was told has been handed over. */
  async told(): Promise<void> {
    if (process.stdout.writableLength > 0) await new Promise((resolve) => process.stdout.write("", resolve))
  }
}
