/** Percentiles of values that are counted: how often each value occurred. */

export interface Counted {
  readonly value: number
  readonly times: number
}

/** The value that this share of all values does not exceed, by nearest rank. The values rise. Undefined if there are none. */
export const percentile = (values: ReadonlyArray<Counted>, percent: number): number | undefined => {
  const rank = Math.ceil((values.reduce((total, { times }) => total + times, 0) * percent) / 100)
  let seen = 0
  return values.find(({ times }) => (seen += times) >= rank)?.value
}
