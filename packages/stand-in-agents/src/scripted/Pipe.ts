/** Both ends of the agent's standard streams: lines in, bytes out, in one order whatever the sizes of the pieces. */
import { once } from "node:events"
import { createInterface } from "node:readline"
import type { Json } from "../Json.ts"

export class Pipe {
  /** Bytes for each write; 0 for as they come. */
  pieces = 0
  #order: Promise<void> = Promise.resolve()

  send(message: Json): Promise<void> {
    return this.write(Buffer.from(`${JSON.stringify(message)}\n`))
  }

  /** Resolves when the bytes were handed over. */
  write(bytes: Buffer): Promise<void> {
    const size = this.pieces
    this.#order = this.#order.then(() => (size === 0 ? put(bytes) : putInPieces(bytes, size)))
    return this.#order
  }

  onLine(take: (line: string) => void, end: () => void): void {
    createInterface({ input: process.stdin, crlfDelay: Infinity }).on("line", take).on("close", end)
  }
}

const put = async (bytes: Buffer): Promise<void> => {
  if (!process.stdout.write(bytes)) await once(process.stdout, "drain")
}

const putInPieces = async (bytes: Buffer, size: number): Promise<void> => {
  for (let start = 0; start < bytes.length; start += size) {
    await put(bytes.subarray(start, start + size))
    // The reader gets a chance to see this piece alone.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
