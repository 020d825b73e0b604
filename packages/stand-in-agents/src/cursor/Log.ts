import { openSync, writeSync } from "node:fs"
import type { JsonObject } from "../Json.ts"

/** What FAKE_CURSOR_LOG collects: one JSON object per line, over all processes that share the file. */
export class Log {
  readonly #file: number | undefined
  /** Why the process is about to end. */
  reason = "done"

  constructor(path: string | undefined) {
    this.#file = path === undefined ? undefined : openSync(path, "a")
  }

  write(type: string, entry: JsonObject): void {
    if (this.#file === undefined) return
    writeSync(this.#file, `${JSON.stringify({ type, pid: process.pid, at: new Date().toISOString(), ...entry })}\n`)
  }

  /** The environment is written whole, except that secrets are only said to be there. */
  start(): void {
    const env = Object.entries(process.env).map(([name, value]) => [name, secret.test(name) ? "[set]" : value] as const)
    this.write("start", { argv: process.argv.slice(2), cwd: process.cwd(), env: Object.fromEntries(env) })
    process.on("exit", (code) => this.write("exit", { code, reason: this.reason }))
  }
}

const secret = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i
