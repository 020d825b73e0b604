/** Places where two texts differ from the one that both were made from. Each is known by its lines in all three. */
import { diff } from "@codemirror/merge"
import type { Text } from "@codemirror/state"

export const sides = ["disk", "base", "mine"] as const
export type Side = (typeof sides)[number]

/** Lines from 0, up to and without `to`. */
export interface Lines {
  readonly from: number
  readonly to: number
}

/** A place where one text, or both, differ from the base. Between two such places all texts have the same lines. */
export interface Region extends Readonly<Record<Side, Lines>> {
  /** Which texts differ from the base here. */
  readonly by: ReadonlyArray<"disk" | "mine">
}

/** A place where a text differs from the base. */
interface Change {
  readonly base: Lines
  readonly other: Lines
  readonly by: "disk" | "mine"
}

/** Most different lines of two texts. If there are more, nobody says which of them are the same. */
const mostLines = 50_000
/** The first character behind those that stand for others in pairs. */
const firstName = 0xe000
const names = 0x10000 - firstName

/** Gives each different line a character of its own. Undefined if there are too many. */
const named = (texts: ReadonlyArray<Text>): ReadonlyArray<string> | undefined => {
  const known = new Map<string, string>()
  const written = texts.map((text) => {
    let line = ""
    for (const one of text.iterLines()) {
      const name =
        known.get(one) ?? String.fromCharCode(known.size < names ? firstName + known.size : known.size - names)
      known.set(one, name)
      line += name
    }
    return line
  })
  return known.size > mostLines ? undefined : written
}

/** The lines of a text that take the place of lines of the base. */
const changesOf = (base: Text, other: Text, by: Change["by"]): ReadonlyArray<Change> => {
  const [before, after] = named([base, other]) ?? []
  if (before === undefined || after === undefined)
    return [{ base: { from: 0, to: base.lines }, other: { from: 0, to: other.lines }, by }]
  return diff(before, after, { scanLimit: 500 }).map(({ fromA, fromB, toA, toB }) => ({
    base: { from: fromA, to: toA },
    other: { from: fromB, to: toB },
    by
  }))
}

/** How many lines a text has gained on the base by the changes that are over. */
const gained = (changes: ReadonlyArray<Change>, by: Change["by"]): number =>
  changes.reduce(
    (sum, { base, by: whose, other }) => (whose === by ? sum + (other.to - other.from) - (base.to - base.from) : sum),
    0
  )

/** Changes that touch each other are one place. */
const regionOf = (changes: ReadonlyArray<Change>, over: ReadonlyArray<Change>): Region => {
  const from = Math.min(...changes.map(({ base }) => base.from))
  const to = Math.max(...changes.map(({ base }) => base.to))
  const other = (by: Change["by"]): Lines => ({
    from: from + gained(over, by),
    to: to + gained([...over, ...changes], by)
  })
  const by = [...new Set(changes.map((change) => change.by))]
  return { base: { from, to }, disk: other("disk"), mine: other("mine"), by }
}

/** All places, from the first line to the last. */
export const regionsOf = ({ base, disk, mine }: Readonly<Record<Side, Text>>): ReadonlyArray<Region> => {
  const changes = [...changesOf(base, disk, "disk"), ...changesOf(base, mine, "mine")].sort(
    (one, other) => one.base.from - other.base.from || one.base.to - other.base.to
  )
  const regions: Array<Region> = []
  const over: Array<Change> = []
  let open: Array<Change> = []
  const close = () => {
    if (open.length > 0) regions.push(regionOf(open, over))
    over.push(...open)
    open = []
  }
  for (const change of changes) {
    if (open.every(({ base: { to } }) => to < change.base.from)) close()
    open.push(change)
  }
  close()
  return regions
}
