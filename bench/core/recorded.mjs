// A state directory with one thread of so many events, made by the durable core itself; the same one for all who ask in this run.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "../processes.mjs"

const made = new Map()

/** The directory for `events` events; the thread's id is `t`. Removed when this process ends. */
export const recorded = (events) => {
  let directory = made.get(events)
  if (directory === undefined) {
    const folder = mkdtempSync(join(tmpdir(), "bench-recorded-"))
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
    directory = run("core/record.mjs", [folder, String(events)]).then(() => folder)
    made.set(events, directory)
  }
  return directory
}
