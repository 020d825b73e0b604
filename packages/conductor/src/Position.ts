/**
 * Places in a chain, counted from the client's end: `-1` is the client, `0` to `n - 1` are the proxies, and `n` is the end.
 *
 * The end is the agent. In proxy mode it is the successor of the whole chain, which an outer conductor keeps.
 */

/** The place of the client: in proxy mode, of the predecessor of the whole chain. */
export const client = -1

/** `down` goes toward the agent, `up` toward the client. */
export type Direction = "down" | "up"

/** The place that a message reaches which leaves `from`. */
export const next = (from: number, direction: Direction): number => (direction === "down" ? from + 1 : from - 1)
