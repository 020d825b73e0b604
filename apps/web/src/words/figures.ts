/** Counts with their noun, and sizes. Times and durations are in `time.ts`. */

const grouped = new Intl.NumberFormat("en-GB")

/** "1 line", "1,204 lines", "3 matches". */
export const count = (amount: number, noun: string, plural = `${noun}s`): string =>
  `${grouped.format(amount)} ${amount === 1 ? noun : plural}`

/** "1,204". */
export const figure = (amount: number): string => grouped.format(amount)

/** "340 B", "24 kB", "1.2 MB", "212 GB". */
export const byteSize = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1e6) return `${Math.round(bytes / 1000)} kB`
  return bytes < 1e9 ? megas(bytes / 1e6, "MB") : megas(bytes / 1e9, "GB")
}

const megas = (amount: number, unit: string): string =>
  `${amount < 100 ? amount.toFixed(1) : Math.round(amount)} ${unit}`

/** What a base64 text of this length decodes to, in bytes. */
export const base64Bytes = (data: string): number =>
  Math.floor((data.length * 3) / 4) - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0)
