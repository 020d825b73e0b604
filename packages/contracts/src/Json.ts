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

/** The value that a text of JSON stands for; nothing if it is none, or nested so deeply that walking over it would run out of stack. */
export const parsedJson = (json: string): { readonly value: unknown } | undefined => {
  if (isNestedBeyond(json, 512)) return undefined
  try {
    return { value: JSON.parse(json) }
  } catch {
    return undefined
  }
}

/** Whether a text of JSON holds more members of objects and lists than that. One look at each character, and none behind the last that counts. */
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

/** Whether lists and objects of a text stand deeper within one another than that. One look at each character. */
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
