/** Tries patterns that agents send, within a time limit. A malicious pattern can take forever on a short text. */
import type { PatternTest } from "@signalbox/contracts/Elicitation"
import { runInNewContext } from "node:vm"

/** Milliseconds. Ordinary patterns need less than a thousandth of it. */
const patience = 50

/**
 * Makes a test for one answer that may need many patterns. It returns undefined for an invalid pattern, and when the
 * time for all of them is over.
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
