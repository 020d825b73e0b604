/** The client on the standard streams: reads its lines in order, and sends lines to it. */
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
    // The end of its input shows that a client is gone.
    process.stdout.on("error", () => {})
  }

  /** The client's next line. Undefined after its last. */
  async next(): Promise<string | undefined> {
    while (this.#said.length === 0 && !this.#gone) {
      await new Promise<void>((resolve) => {
        this.#heard = resolve
      })
    }
    return this.#said.shift()
  }

  /** Ignores all further lines, as if the client had ended. */
  turnAway(): void {
    this.#gone = true
    this.#said.length = 0
    this.#heard?.()
  }

  /** Resolves when the client has ended. */
  async gone(): Promise<void> {
    while ((await this.next()) !== undefined);
  }

  /** Sends a line. Resolves when there is room for more. */
  async send(line: string): Promise<void> {
    if (!process.stdout.write(`${line}\n`) && !process.stdout.destroyed)
      await Promise.race([once(process.stdout, "drain"), once(process.stdout, "close")])
  }

  /** Resolves when all lines were written. */
  async sent(): Promise<void> {
    if (process.stdout.writableLength > 0) await new Promise((resolve) => process.stdout.write("", resolve))
  }
}
