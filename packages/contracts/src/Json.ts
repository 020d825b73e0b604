/** JSON that has no schema: what tools were given and what they answered. */
import * as Predicate from "effect/Predicate"

export type JsonObject = { readonly [key: PropertyKey]: unknown }

export const isRecord = (value: unknown): value is JsonObject => Predicate.isObject(value) && !Array.isArray(value)

/** Says nothing: absent, null, or an object, list or text without content. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && !hasMembers(value))

const hasMembers = (object: JsonObject): boolean => {
  for (const name in object) if (Object.hasOwn(object, name)) return true
  return false
}

/** Compact text; `null` where there is no JSON for a value. */
export const compact = (value: unknown): string => JSON.stringify(value) ?? "null"

/** The value that a text of JSON stands for; nothing if it is none. */
export const parsedJson = (json: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(json) }
  } catch {
    return undefined
  }
}
