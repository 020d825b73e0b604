/** Looking into JSON that has no schema: what tools were given and what they answered. */
import { isRecord, type JsonObject } from "@signalbox/contracts/Json"

export { compact, isEmpty } from "@signalbox/contracts/Json"

/** The object, or one without members. */
export const objectOf = (value: unknown): JsonObject => (isRecord(value) ? value : emptyObject)

const emptyObject: JsonObject = {}

/** The first of these members that is text with something in it. */
export const textOf = (object: JsonObject, ...names: ReadonlyArray<string>): string | undefined => {
  for (const name of names) {
    const value = object[name]
    if (typeof value === "string" && value !== "") return value
  }
  return undefined
}

/** The first of these members that is a whole number, and small enough to be one for certain. */
export const intOf = (object: JsonObject, ...names: ReadonlyArray<string>): number | undefined => {
  for (const name of names) {
    const value = object[name]
    if (typeof value === "number" && Number.isSafeInteger(value)) return value
  }
  return undefined
}
