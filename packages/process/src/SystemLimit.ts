/** Explains which limit of the system prevented a program's start, and how to raise it. */
import type { NextStep } from "@signalbox/contracts/Problem"
import { readdirSync, readFileSync } from "node:fs"

export interface SystemLimit {
  /** One sentence. */
  readonly cause: string
  readonly nextSteps: ReadonlyArray<NextStep>
}

/** The limit that a system's error code means. Undefined for other codes. */
export const limitOf = (code: string): SystemLimit | undefined => {
  switch (code) {
    case "EMFILE": {
      const limit = limitNamed("Max open files")
      return {
        cause:
          limit === undefined
            ? `Signalbox has as many files open as it may have (${code}).`
            : `Signalbox may have ${limit} files open, and ${openNow(limit)} (${code}).`,
        nextSteps: [...(limit === undefined ? [] : [raise("n", limit, "more open files")]), fewer]
      }
    }
    case "ENFILE":
      return {
        cause: `The whole system has as many files open as it may have (${code}).`,
        nextSteps: [
          fewer,
          {
            action: "run-command",
            label: "See how many there are, and how many there may be",
            command: "sysctl fs.file-nr"
          }
        ]
      }
    case "EAGAIN": {
      const limit = limitNamed("Max processes")
      return {
        cause: `This user may have no more processes${limit === undefined ? "" : ` than ${limit}`} (${code}).`,
        nextSteps: [...(limit === undefined ? [] : [raise("u", limit, "more processes")]), fewer]
      }
    }
    case "ENOMEM":
      return {
        cause: `There is not enough memory to start another program (${code}).`,
        nextSteps: [fewer]
      }
    case "ENOSPC":
    case "EDQUOT":
      return {
        cause: `The disk is full, or this user may have no more of it (${code}).`,
        nextSteps: [{ action: "wait", label: "Free some space, and try again" }]
      }
    default:
      return undefined
  }
}

const fewer: NextStep = { action: "wait", label: "End programs that you do not need, and try again" }

/** The step that raises a limit in the shell that starts Signalbox, since a running program keeps its limits. */
const raise = (letter: string, limit: number, what: string): NextStep => ({
  action: "run-command",
  label: `Allow ${what} in the shell that starts Signalbox, and start it again there`,
  command: `ulimit -${letter} ${4 * limit}`
})

const openNow = (limit: number): string => {
  try {
    return `has ${readdirSync("/proc/self/fd").length}`
  } catch {
    // Even this file can't be opened.
    return `has all ${limit}`
  }
}

const read = (): string => {
  try {
    return readFileSync("/proc/self/limits", "utf8")
  } catch {
    return ""
  }
}

/** Read at the start: when it is needed, no file descriptor may be left. */
const limits = read()

/** The soft limit by its name in `/proc/self/limits`. Undefined if there is none, or the system does not report it. */
const limitNamed = (name: string): number | undefined => {
  const line = limits.split("\n").find((line) => line.startsWith(name))
  const soft = Number(line?.slice(name.length).trim().split(/\s+/)[0])
  return Number.isInteger(soft) && soft > 0 ? soft : undefined
}
