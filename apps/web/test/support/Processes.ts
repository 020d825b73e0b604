/**
 * The processes of this machine, as `ps` lists them. Agents have their own process groups: a group without a living
 * member is gone.
 */
import { execFileSync } from "node:child_process"
import { setTimeout as pause } from "node:timers/promises"

export interface Process {
  readonly pid: number
  readonly parent: number
  readonly group: number
}

/** Everything that is alive. Who has ended and waits to be reaped is not. */
const living = (): ReadonlyArray<Process> =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state = "Z"]) => !state.startsWith("Z"))
    .map(([pid, parent, group]) => ({ pid: Number(pid), parent: Number(parent), group: Number(group) }))

/** The groups in which descendants of a process run, its own left out. */
export const groupsBelow = (pid: number): ReadonlySet<number> => {
  const all = living()
  const own = all.find((process) => process.pid === pid)?.group
  const family = new Set([pid])
  // A child may be listed before its parent.
  for (let size = 0; size !== family.size;) {
    size = family.size
    for (const process of all) if (family.has(process.parent)) family.add(process.pid)
  }
  return new Set(all.filter((process) => family.has(process.pid) && process.group !== own).map(({ group }) => group))
}

/** The members that these groups still have. */
export const membersOf = (groups: ReadonlySet<number>): ReadonlyArray<Process> =>
  living().filter(({ group }) => groups.has(group))

/** How long the ends of processes may take to show, milliseconds. */
const patience = 30_000

/** Waits for the end of these groups. Returns who is still there after that. */
export const remainsOf = async (groups: ReadonlySet<number>): Promise<ReadonlyArray<Process>> => {
  const until = Date.now() + patience
  while (membersOf(groups).length > 0 && Date.now() < until) await pause(50)
  return membersOf(groups)
}
