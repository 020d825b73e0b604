/** Reads JSON that has no schema: the input and the output of tools. */
import { isRecord, type JsonObject } from "@signalbox/contracts/Json"

export { compact, isEmpty } from "@signalbox/contracts/Json"

/** The object, or an object without members. */
export const objectOf = (value: unknown): JsonObject => (isRecord(value) ? value : emptyObject)

const emptyObject: JsonObject = {}

/** The first of these members that is a text and not empty. */
export const textOf = (object: JsonObject, ...names: ReadonlyArray<string>): string | undefined => {
  for (const name of names) {
    const value = object[name]
    if (typeof value === "string" && value !== "") return value
  }
  return undefined
}

/** The first of these members that is a safe integer. */
export const intOf = (object: JsonObject, ...names: ReadonlyArray<string>): number | undefined => {
  for (const name of names) {
    const value = object[name]
    if (typeof value === "number" && Number.isSafeInteger(value)) return value
  }
  return undefined
}
