/** Turns a member of a foreign message, which should be a word, into text. */
import * as Predicate from "effect/Predicate"

/** A value as text for people. A list or an object is only named: `String` may throw for an object of an agent. */
export const wordOf = (value: unknown): string => {
  if (Array.isArray(value)) return "a list"
  return Predicate.isObject(value) ? "an object" : String(value)
}
