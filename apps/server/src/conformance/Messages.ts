/** Reads parts of an agent's messages, which may hold any JSON. */
import * as Predicate from "effect/Predicate"
import type { Line } from "./Wire.ts"

export type Json = Readonly<Record<string, unknown>>

/** The update of this session in a line; undefined for any other line. */
export const updateIn = ({ message }: Line, sessionId: string): Json | undefined => {
  if (!Predicate.isObject(message) || message["method"] !== "session/update") return undefined
  const params = objectIn(message, "params")
  return params["sessionId"] === sessionId ? objectIn(params, "update") : undefined
}

export const updatesIn = (lines: ReadonlyArray<Line>, sessionId: string): ReadonlyArray<Json> =>
  lines.flatMap((line): ReadonlyArray<Json> => {
    const update = updateIn(line, sessionId)
    return update === undefined ? [] : [update]
  })

/** The object under a key; an empty object if there is none. */
export const objectIn = (value: Json, key: string): Json => {
  const member = value[key]
  return Predicate.isObject(member) ? member : {}
}

/** The objects in the list under a key; none if there is no list. */
export const listIn = (value: Json, key: string): ReadonlyArray<Json> => {
  const member = value[key]
  return Array.isArray(member) ? member.filter(Predicate.isObject) : []
}
