/** Patterns that agents send, tried within bounds: a pattern can be made to take for ever on a short text. */
import type { PatternTest } from "@signalbox/contracts/Elicitation"
import { runInNewContext } from "node:vm"

/** Milliseconds, in which sensible patterns are done a thousand times. */
const patience = 50

/**
 * Makes a test for one answer, of however many patterns. A test is undefined for what is no pattern, and once the time for all of them is
 * up.
 */
export const patternTest = (): PatternTest => {
  let left = patience
  return (pattern, text) => {
    if (left < 1) return undefined
    const begun = performance.now()
    try {
      const timeout = Math.ceil(left)
      return runInNewContext('new RegExp(pattern, "u").test(text)', { pattern, text }, { timeout }) === true
    } catch {
      return undefined
    } finally {
      left -= performance.now() - begun
    }
  }
}
