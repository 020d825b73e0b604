/** Turns members of foreign messages, which should be words, into text. */
import * as Predicate from "effect/Predicate"

/** A value as text for people. A list or an object is only named: `String` may throw for an object of an agent. */
export const wordOf = (value: unknown): string => {
  if (Array.isArray(value)) return "a list"
  return Predicate.isObject(value) ? "an object" : String(value)
}

/** The most names that a finding quotes. */
const maxNames = 5
const longestName = 60

/** The names in one text, if they are too many or too long the first ones, cut. */
export const named = (names: ReadonlySet<string>): string => {
  const all = [...names]
  const told = all.slice(0, maxNames).map((name) => name.slice(0, longestName))
  return all.length > maxNames ? `${told.join(", ")} and ${all.length - maxNames} more` : told.join(", ")
}
