/** Options of two sources as one. */
import * as Predicate from "effect/Predicate"

/** Options deeper than that are taken whole. */
const deepest = 20

/** The base with what is given: members of objects are merged, and anything else is replaced. Undefined replaces nothing. */
export const merged = (base: unknown, given: unknown, depth = 0): unknown => {
  if (given === undefined) return base
  if (depth > deepest || !Predicate.isObject(base) || !Predicate.isObject(given)) return given
  const first = new Map(Object.entries(base))
  return {
    ...base,
    ...Object.fromEntries(Object.entries(given).map(([key, value]) => [key, merged(first.get(key), value, depth + 1)]))
  }
}
