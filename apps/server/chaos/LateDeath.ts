/** A thread of the mortal server: once it is told to, it lets some milliseconds pass and ends the process, whatever that does meanwhile. */
import { writeFileSync } from "node:fs"
import { workerData } from "node:worker_threads"

export interface LateDeath {
  /** One number, 0 until the time begins to run. */
  readonly began: Int32Array
  readonly afterMs: number
  /** The file that says when it died. */
  readonly death: string
}

const { afterMs, began, death }: LateDeath = workerData
Atomics.wait(began, 0, 0)
// Nobody changes it again.
Atomics.wait(began, 0, 1, afterMs)
writeFileSync(death, String(Date.now()))
process.kill(process.pid, "SIGKILL")
