/** Processes that carry a mark in their environment, which everything inherits that a marked process starts. Linux only. */
import { readdirSync, readFileSync } from "node:fs"

export interface MarkedProcess {
  readonly pid: number
  readonly command: string
}

/** @param mark `NAME=value`, as it stands in the environment. */
export const find = (mark: string): ReadonlyArray<MarkedProcess> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        // A zombie has no environment any more, nor does it hold anything.
        if (!readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(mark)) return []
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()
        return [{ pid: Number(pid), command }]
      } catch {
        // It has gone meanwhile, or belongs to somebody else.
        return []
      }
    })
