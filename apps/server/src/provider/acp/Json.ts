/** Looking into JSON that has no schema: what tools were given and what they answered. */
import * as Predicate from "effect/Predicate"

export type JsonObject = { readonly [key: PropertyKey]: unknown }

/** The object, or one without members. */
export const objectOf = (value: unknown): JsonObject =>
  Predicate.isObject(value) && !Array.isArray(value) ? value : emptyObject

const emptyObject: JsonObject = {}

/** The first of these members that is text with something in it. */
export const textOf = (object: JsonObject, ...names: ReadonlyArray<string>): string | undefined => {
  for (const name of names) {
    const value = object[name]
    if (typeof value === "string" && value !== "") return value
  }
  return undefined
}

/** The first of these members that is a whole number. */
export const intOf = (object: JsonObject, ...names: ReadonlyArray<string>): number | undefined => {
  for (const name of names) {
    const value = object[name]
    if (typeof value === "number" && Number.isInteger(value)) return value
  }
  return undefined
}

/** Says nothing: absent, null, or an object, list or text without content. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (Predicate.isObject(value) && !Array.isArray(value) && !hasMembers(value))

const hasMembers = (object: JsonObject): boolean => {
  for (const name in object) if (Object.hasOwn(object, name)) return true
  return false
}

export const compact = (value: unknown): string => JSON.stringify(value) ?? "null"
