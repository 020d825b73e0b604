/**
 * Waits until its standard input ends. Then kills every process that carries the mark it was given as `NAME=value`, and removes the
 * folder it was given.
 */
import { rmSync } from "node:fs"
import { find } from "../../chaos/MarkedProcesses.ts"

/** What is ended may just be starting something else; so often it is looked for again. */
const rounds = 20

const [, , mark = "", folder = ""] = process.argv

const endAll = () => {
  for (let round = 0; round < rounds; round += 1) {
    const marked = find(mark)
    if (marked.length === 0) break
    for (const { pid } of marked) {
      try {
        process.kill(pid, "SIGKILL")
      } catch {
        // It ended by itself.
      }
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

process.stdin.on("end", endAll).on("error", endAll).resume()
