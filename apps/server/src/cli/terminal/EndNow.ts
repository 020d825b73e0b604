/** What a signal does while no command listens for signals. Loads nothing else: it holds while everything else loads. */
import { writeSync } from "node:fs"
import { ExitCode } from "./ExitCode.ts"

export const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const
export type Name = (typeof names)[number]

/** Until when a signal is the repetition of one that somebody has heard, in milliseconds since the process started. */
let repeatedUntil = -Infinity

/** Lets signals do nothing here until then. They repeat one that a command has heard, and that it is ending for. */
export const ignoreUntil = (time: number): void => {
  repeatedUntil = Math.max(repeatedUntil, time)
}

/** Ends the process as cancelled, in one word. Agents end with it. */
export const endNow = (): void => {
  if (performance.now() < repeatedUntil) return
  try {
    writeSync(2, "stopped\n")
  } catch {
    // Nobody reads any more.
  }
  process.exit(ExitCode.cancelled)
}

/** From here on a signal ends the process as cancelled, until `Signals.ts` listens for it. */
export const listen = (): void => names.forEach((name) => process.on(name, endNow))
