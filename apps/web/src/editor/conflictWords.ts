/** A conflict in words: which lines it is about. */
import { count } from "../words/figures.ts"
import type { Conflict } from "./documentState.ts"

const merged = (lines: number): string =>
  lines === 0 ? "" : `; ${count(lines, "other line")} ${lines === 1 ? "is" : "are"} merged in`

/** The most places that are named. */
const mostPlaces = 3

const lines = ({ from, to }: Conflict["places"][number]): string => (to <= from ? `${from}` : `${from}–${to}`)

export const conflictWords = ({ others, places, why }: Pick<Conflict, "others" | "places" | "why">): string => {
  if (why !== undefined) return `It can’t be merged line by line. ${why}`
  if (places.length === 0) return "Some of its lines overlap with your unsaved lines."
  const [first] = places
  const named = places.slice(0, mostPlaces).map(lines)
  const more = places.length - named.length
  const one = places.length === 1 && first !== undefined && first.to <= first.from
  const list = [...named, ...(more > 0 ? [`${more} more places`] : [])]
  const joined = list.length === 1 ? list.join() : `${list.slice(0, -1).join(", ")} and ${list.at(-1) ?? ""}`
  return `${one ? "Line" : "Lines"} ${joined} overlap${one ? "s" : ""} with your unsaved lines${merged(others)}.`
}
