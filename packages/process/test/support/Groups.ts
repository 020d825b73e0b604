/** The processes of a group, read from the system itself. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { readdirSync, readFileSync } from "node:fs"

/** The processes of a group that still run. The dead that nobody has buried yet don't count. */
export const groupMembers = (group: number): ReadonlyArray<number> =>
  readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8")
      // After the name in parentheses: state, parent, group.
      const [state, , member] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
      return Number(member) === group && state !== "Z" && state !== "X" ? [Number(name)] : []
    } catch {
      return []
    }
  })

/** Whether any process of a group still runs. */
export const groupExists = (group: number): boolean => groupMembers(group).length > 0

/** Waits until no process of a group runs any more. */
export const untilGone = (group: number) =>
  Effect.sync(() => groupMembers(group).length).pipe(
    Effect.repeat({ until: (members) => members === 0, schedule: Schedule.spaced("10 millis") }),
    Effect.timeout("60 seconds")
  )
