/** What the proxy did, one JSON object a line, written before it is done: a proxy that is killed has said so. */
import { openSync, writeSync } from "node:fs"
import type { JsonObject } from "../Json.ts"

export class FaultLog {
  readonly #file: number | undefined

  /** @param path of a file that is added to; without one nothing is kept. */
  constructor(path: string | undefined) {
    this.#file = path === undefined ? undefined : openSync(path, "a")
  }

  write(type: "start" | "fault" | "action" | "exit", entry: JsonObject): void {
    if (this.#file === undefined) return
    writeSync(this.#file, `${JSON.stringify({ type, pid: process.pid, at: Date.now(), ...entry })}\n`)
  }
}
