/** Formats numbers and amounts of bytes for transcripts. */

const mebibyte = 1024 * 1024
const grouped = new Intl.NumberFormat("en-GB")

/** A whole number with commas: `1,234`. */
export const figure = (amount: number): string => grouped.format(amount)

/** An amount of bytes: `12 KiB`, `1.5 MiB`. */
export const size = (bytes: number): string =>
  bytes < mebibyte
    ? `${figure(Math.ceil(bytes / 1024))} KiB`
    : `${(bytes / mebibyte).toFixed(1).replace(/\.0$/, "")} MiB`

/** An amount of bytes that is not rounded where it is small: `9 bytes`, `12 KiB`. */
export const exactSize = (bytes: number): string =>
  bytes < 1024 ? `${bytes} ${bytes === 1 ? "byte" : "bytes"}` : size(bytes)
