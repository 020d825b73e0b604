/**
 * A worker thread of the mortal server. On a message it waits and then kills the process, even while the event loop is
 * blocked.
 */
import { writeFileSync } from "node:fs"
import { workerData } from "node:worker_threads"

export interface LateDeath {
  /** One number, which is 0 until the wait begins. */
  readonly began: Int32Array
  readonly afterMs: number
  /** The file into which the time of death is written. */
  readonly death: string
}

const { afterMs, began, death }: LateDeath = workerData
Atomics.wait(began, 0, 0)
// Nobody changes the number again: this waits until the time is over.
Atomics.wait(began, 0, 1, afterMs)
writeFileSync(death, String(Date.now()))
process.kill(process.pid, "SIGKILL")
