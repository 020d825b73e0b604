/** Which entries of a transcript are drawn: a stretch whose size is bounded by number and by text, wherever people are. */
import { useState } from "react"
import type { Entry } from "./entries.ts"

interface Size {
  readonly entries: number
  /** Characters of what agents wrote. */
  readonly text: number
}

/** The size of what is drawn at first, and what each approach to an end of the stretch adds. */
const firstPage: Size = { entries: 150, text: 150_000 }
const morePage: Size = { entries: 60, text: 100_000 }
/** The most that is drawn: what has long gone by costs nothing until somebody goes back for it. */
const most: Size = { entries: 450, text: 400_000 }

const textOf = (entry: Entry | undefined): number =>
  entry?.type === "item" && (entry.item.type === "message" || entry.item.type === "thought")
    ? entry.item.text.length
    : 0

/** The beginning of a stretch of this size that ends before `end`. The stretch has one entry at least. */
export const startOf = (entries: ReadonlyArray<Entry>, end: number, size: Size): number => {
  let start = end
  for (let text = 0; start > 0 && end - start < size.entries; start--) {
    text += textOf(entries[start - 1])
    if (text > size.text && start < end) break
  }
  return start
}

/** The end of a stretch of this size that begins at `start`. */
export const endOf = (entries: ReadonlyArray<Entry>, start: number, size: Size): number => {
  let end = start
  for (let text = 0; end < entries.length && end - start < size.entries; end++) {
    text += textOf(entries[end])
    if (text > size.text && end > start) break
  }
  return end
}

/** The stretch is held by its first entry, not by a number. So it stays when a page is put in front. */
export const useDrawn = (entries: ReadonlyArray<Entry>, following: boolean) => {
  const last = startOf(entries, entries.length, firstPage)
  const [firstKey, setFirstKey] = useState(() => entries[last]?.key)
  const at = entries.findIndex(({ key }) => key === firstKey)
  // A thread that was empty, or was replaced, begins anew.
  const lost = at === -1 && entries.length > 0
  const tooMany = following && at !== -1 && at < startOf(entries, entries.length, most)
  const from = lost || tooMany ? last : Math.max(0, at)
  if (lost || tooMany) setFirstKey(entries[last]?.key)
  const begin = (index: number) => setFirstKey(entries[index]?.key)
  return {
    from,
    to: following ? entries.length : endOf(entries, from, most),
    up: () => begin(startOf(entries, from, morePage)),
    down: () => begin(Math.min(endOf(entries, from, morePage), last)),
    begin,
    toLast: () => begin(last)
  }
}
