/** Sizes and durations in words, such as `3 h 12 min`. */

const units = ["KiB", "MiB", "GiB", "TiB"] as const

export const bytesText = (bytes: number): string => {
  if (bytes === 0) return "0"
  let amount = bytes / 1024
  let unit = 0
  while (amount > 1023 && unit < units.length - 1) {
    amount /= 1024
    unit++
  }
  return `${unit === 0 ? Math.ceil(amount) : amount.toFixed(1)} ${units[unit]}`
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** A duration in milliseconds as its one or two largest units: `3 h 12 min`. */
export const durationText = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < minute) return `${seconds} s`
  if (seconds < hour) return `${Math.floor(seconds / minute)} min`
  if (seconds < day) return both(Math.floor(seconds / hour), "h", Math.floor((seconds % hour) / minute), "min")
  return both(Math.floor(seconds / day), "d", Math.floor((seconds % day) / hour), "h")
}

const both = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`

const lengths = { s: 1, m: minute, h: hour, d: day, w: 7 * day } as const
const isUnit = (text: string): text is keyof typeof lengths => text in lengths

/** Milliseconds of `30s`, `90m`, `12h`, `30d` or `2w`; undefined for anything else. */
export const parseDuration = (text: string): number | undefined => {
  const [, count = "", unit = ""] = /^(\d{1,6})([a-z])$/.exec(text.trim()) ?? []
  return count !== "" && isUnit(unit) ? Number(count) * lengths[unit] * 1000 : undefined
}

/** `1 thread`, `3 threads`. */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
