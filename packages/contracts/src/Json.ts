/** JSON without a schema: the input and output of tools. */
import * as Predicate from "effect/Predicate"

export type JsonObject = { readonly [key: PropertyKey]: unknown }

export const isRecord = (value: unknown): value is JsonObject => Predicate.isObject(value) && !Array.isArray(value)

/** Whether a value has no content: missing, null, or an empty object, list or text. */
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

/** Compact JSON. `null` for a value that JSON can't express. */
export const compact = (value: unknown): string => JSON.stringify(value) ?? "null"

/** The value of a JSON text. Undefined if it is invalid, or nested so deeply that recursion over it would fail. */
export const parsedJson = (json: string): { readonly value: unknown } | undefined => {
  if (isNestedBeyond(json, 512)) return undefined
  try {
    return { value: JSON.parse(json) }
  } catch {
    return undefined
  }
}

/** Whether a JSON text has more than `most` members. It reads each character once, and stops at the deciding one. */
export const hasMoreMembers = (json: string, most: number, onStep?: () => void): boolean => {
  if (json.length <= most) return false
  let members = 0
  let quoted = false
  for (let at = 0; at < json.length; at++) {
    onStep?.()
    const character = json[at]
    if (quoted) {
      if (character === "\\") at++
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === "," || character === "[" || character === "{") {
      members++
      if (members > most) return true
    }
  }
  return false
}

/** Whether a text's lists and objects are nested deeper than `levels`. It reads each character once. */
export const isNestedBeyond = (json: string, levels: number): boolean => {
  if (json.length <= levels) return false
  let depth = 0
  let quoted = false
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (quoted) {
      if (character === "\\") at++
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === "[" || character === "{") {
      depth++
      if (depth > levels) return true
    } else if (character === "]" || character === "}") depth--
  }
  return false
}
