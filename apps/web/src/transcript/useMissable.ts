import { useState } from "react"
import type { Entry } from "./entries.ts"

/**
 * Whether an entry is news that a reader could miss. The start of a turn and a queued prompt are none, and neither is a
 * text's continuation.
 */
const isMissable = (entry: Entry): boolean =>
  entry.type === "item" ? entry.continuation === undefined : entry.type !== "turn" && entry.type !== "waiting"

/** Counts from the entry that was the first at the beginning. Neither the layout nor earlier pages change the count. */
const missable = (entries: ReadonlyArray<Entry>, origin: string | undefined): number => {
  const first = Math.max(
    0,
    entries.findIndex(({ key }) => key === origin)
  )
  return entries.slice(first).filter(isMissable).length
}

/** The number of entries that a reader could miss. It stands still while the end is not loaded, which is `apart`. */
export const useMissable = (entries: ReadonlyArray<Entry>, apart: boolean): number => {
  const [origin] = useState(() => entries.find(({ type }) => type === "item")?.key)
  const size = missable(entries, origin)
  const [known, setKnown] = useState(size)
  if (!apart && known !== size) setKnown(size)
  return apart ? known : size
}
