/** The lines of a conversation, counted over both directions as they pass, and shown to a tap. */

/**
 * Sees every line both ways, synchronously, in the order in which things happen: a line that came in before what came of it went out. It
 * stands behind what had gone out until it was its turn. `number` counts lines as they arrived. `message` is undefined when the line is not
 * JSON.
 */
export interface Tap {
  readonly onLine: (direction: "in" | "out", line: string, message: unknown, number: number) => void
}

/** A line that has arrived. `message` is undefined when it is not JSON. */
export interface Line {
  readonly text: string
  readonly message: unknown
  readonly number: number
}

export interface WireLines {
  /** Counts a line that has arrived, and returns its number. It is shown later, when it is its turn. */
  readonly arrived: () => number
  /** Shows a line that has arrived. */
  readonly show: (text: string, message: unknown, number: number) => void
  /** Counts a line that goes out, and shows it. `message` is asked for only where a tap is. */
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
