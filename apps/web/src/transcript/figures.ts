/** Counts with their noun, and sizes. Times and durations are in `design/time.ts`. */

const grouped = new Intl.NumberFormat("en-GB")

/** "1 line", "1,204 lines", "3 matches". */
export const count = (amount: number, noun: string, plural = `${noun}s`): string =>
  `${grouped.format(amount)} ${amount === 1 ? noun : plural}`

/** "1,204". */
export const figure = (amount: number): string => grouped.format(amount)

/** "340 B", "24 kB", "1.2 MB". */
export const byteSize = (bytes: number): string =>
  bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`

/** What a base64 text of this length decodes to, in bytes. */
export const base64Bytes = (data: string): number =>
  Math.floor((data.length * 3) / 4) - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0)
