/** Patterns that agents send, tried within bounds: a pattern can be made to take for ever on a short text. */
import type { PatternTest } from "@signalbox/contracts/Elicitation"
import { runInNewContext } from "node:vm"

/** Milliseconds in which sensible patterns are done a thousand times. */
const patience = 50

/** Undefined for what is no pattern, and for one that is not done in time. */
export const matches: PatternTest = (pattern, text) => {
  try {
    return runInNewContext('new RegExp(pattern, "u").test(text)', { pattern, text }, { timeout: patience }) === true
  } catch {
    return undefined
  }
}
