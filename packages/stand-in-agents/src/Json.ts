/** A JSON value as it is read from or written to the wire; `undefined` members are not written. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject

export interface JsonObject {
  readonly [key: string]: Json | undefined
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isList = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value)

/** The member as an object; an empty one when it is absent or something else. */
export const objectIn = (object: JsonObject, key: string): JsonObject => {
  const value = object[key]
  return isObject(value) ? value : {}
}

/** The member as a list; an empty one when it is absent or something else. */
export const listIn = (object: JsonObject, key: string): ReadonlyArray<Json> => {
  const value = object[key]
  return isList(value) ? value : []
}

export const textIn = (object: JsonObject, key: string): string | undefined => {
  const value = object[key]
  return typeof value === "string" ? value : undefined
}

/** @returns undefined when the text is not JSON. */
export const parseJson = (text: string): Json | undefined => {
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

export const numberIn = (object: JsonObject, key: string): number | undefined => {
  const value = object[key]
  return typeof value === "number" ? value : undefined
}
