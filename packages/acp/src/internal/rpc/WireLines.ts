/** Counts the lines of a conversation over both directions, and shows them to a tap. */

/**
 * Receives every line in both directions, synchronously, in causal order: an incoming line before its consequences.
 * Lines that went out before an incoming line was handled come before it. `number` counts lines in the order of
 * arrival. `message` is undefined for a line that is not JSON.
 */
export interface Tap {
  readonly onLine: (direction: "in" | "out", line: string, message: unknown, number: number) => void
}

/** A line that has arrived. `message` is undefined if it is not JSON. */
export interface Line {
  readonly text: string
  readonly message: unknown
  readonly number: number
}

export interface WireLines {
  /** Counts a line that has arrived, and returns its number. `show` shows it later, when it is handled. */
  readonly arrived: () => number
  /** Shows a line that has arrived. */
  readonly show: (text: string, message: unknown, number: number) => void
  /** Counts and shows an outgoing line. `message` is called only if there is a tap. */
  readonly sent: (text: string, message: () => unknown) => void
}

export const make = (tap: Tap | undefined): WireLines => {
  let count = 0
  return {
    arrived: () => {
      count += 1
      return count
    },
    show: (text, message, number) => tap?.onLine("in", text, message, number),
    sent: (text, message) => {
      count += 1
      tap?.onLine("out", text, message(), count)
    }
  }
}
