/** Cursor's version numbers: a date, sometimes a time of day, and a commit, e.g. `2026.02.27-e7d2ef6` or `2026.06.24-00-45-58-9f61de7`. */

export interface CursorVersion {
  readonly year: number
  readonly month: number
  readonly day: number
  /** `hh-mm-ss` if the build has it, to order builds of one day. Otherwise empty. */
  readonly time: string
  readonly commit: string
  /** The version as it was printed. */
  readonly text: string
}

const pattern = /\b(\d{4})\.(\d{1,2})\.(\d{1,2})(?:-(\d{2}-\d{2}-\d{2}))?-([0-9a-f]{7,})\b/

/** The first version in a program's output. Builds differ in the text around it. */
export const parse = (output: string): CursorVersion | undefined => {
  const match = pattern.exec(output)
  if (match === null) return undefined
  const [text, year, month, day, time = "", commit = ""] = match
  return { year: Number(year), month: Number(month), day: Number(day), time, commit, text }
}

/**
 * Negative if `a` is older, positive if it is newer. Builds that differ only in the commit are equal, since commits
 * have no order.
 */
export const compare = (a: CursorVersion, b: CursorVersion): number =>
  a.year - b.year || a.month - b.month || a.day - b.day || (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)

/** The first month of builds that Signalbox supports. */
export const oldest = { year: 2026, month: 2, label: "2026.02" }

/** The newest month with recordings. Newer builds are used, and marked as newer. */
export const newestKnown = { year: 2026, month: 10, label: "2026.10" }

const months = ({ year, month }: { readonly year: number; readonly month: number }): number => year * 12 + month

export const isTooOld = (version: CursorVersion): boolean => months(version) < months(oldest)

export const isNewerThanKnown = (version: CursorVersion): boolean => months(version) > months(newestKnown)
