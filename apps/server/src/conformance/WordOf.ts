/** A member of a foreign message that should be a word. */
import * as Predicate from "effect/Predicate"

/** A value in words for people. It may have no text at all: an object of an agent may lack every way to become one. */
export const wordOf = (value: unknown): string => {
  if (Array.isArray(value)) return "a list"
  return Predicate.isObject(value) ? "an object" : String(value)
}
