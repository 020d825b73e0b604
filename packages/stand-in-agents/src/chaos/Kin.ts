/** The processes that an agent started. Linux only: elsewhere it has none that we know of. */
import { readdirSync, readFileSync } from "node:fs"

/** Pids of the children of `pid`, oldest first; zombies are none. */
export const childrenOf = (pid: number): ReadonlyArray<number> => {
  if (process.platform !== "linux") return []
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => isChild(candidate, pid))
    .toSorted((left, right) => left - right)
}

const isChild = (candidate: number, parent: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${candidate}/stat`, "utf8")
    // The name in brackets may hold anything, brackets too.
    const [state, ppid] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return Number(ppid) === parent && state !== "Z"
  } catch {
    return false
  }
}
