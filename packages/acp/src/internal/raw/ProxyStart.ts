/** How a conductor initializes a proxy, in each dialect: the flag of the oldest one, which stands in `_meta`. */
import * as Predicate from "effect/Predicate"
import * as ProxyDialect from "./ProxyDialect.ts"
import type { RawAnswer, Said } from "./RawMessage.ts"

type Json = { readonly [name: string]: unknown }

const objectIn = (holder: Json, name: string): Json | undefined => {
  const value = holder[name]
  return Predicate.isObject(value) && !Array.isArray(value) ? { ...value } : undefined
}

/** The place of the flag: `_meta.proxy`, or `_meta.symposium.proxy` (sacp 1). */
type Place = "meta" | "symposium"

/** How a conductor initialized a proxy. */
export interface ProxyStart {
  readonly dialect: ProxyDialect.ProxyDialect
  /** The parameters to pass on, as JSON text. They are without the flag: the successor may be an agent. */
  readonly params: string | undefined
  /** The answer as the conductor expects it. */
  readonly answered: (answer: RawAnswer) => RawAnswer
}

const without = (params: Json, place: Place): Json => {
  const meta = objectIn(params, "_meta") ?? {}
  const { proxy: _, ...rest } = place === "meta" ? meta : (objectIn(meta, "symposium") ?? {})
  return { ...params, _meta: place === "meta" ? rest : { ...meta, symposium: rest } }
}

const withFlag = (result: Json, place: Place): Json => {
  const meta = objectIn(result, "_meta") ?? {}
  const symposium = objectIn(meta, "symposium") ?? { version: "1.0" }
  return {
    ...result,
    _meta: place === "meta" ? { ...meta, proxy: true } : { ...meta, symposium: { ...symposium, proxy: true } }
  }
}

const placeOf = (params: Json): Place | undefined => {
  const meta = objectIn(params, "_meta")
  if (meta?.["proxy"] === true) return "meta"
  return meta !== undefined && objectIn(meta, "symposium")?.["proxy"] === true ? "symposium" : undefined
}

/** Whether the answer of a component repeats the flag: then it is a proxy of the oldest dialect. */
export const isFlagged = (result: string): boolean => {
  const parsed: unknown = JSON.parse(result)
  return Predicate.isObject(parsed) && placeOf(parsed) !== undefined
}

/** The parameters of `initialize` with the flag in both places, for a proxy of the oldest dialect. */
export const withFlags = (params: string): string => {
  const parsed: unknown = JSON.parse(params)
  return Predicate.isObject(parsed) ? JSON.stringify(withFlag(withFlag(parsed, "meta"), "symposium")) : params
}

/** The result of a proxy of the oldest dialect, without the flags. */
export const withoutFlags = (result: string): string => {
  const parsed: unknown = JSON.parse(result)
  return Predicate.isObject(parsed) ? JSON.stringify(unflagged(parsed)) : result
}

const unflagged = (params: Json): Json => {
  const place = placeOf(params)
  return place === undefined ? params : unflagged(without(params, place))
}

/** Reads the request that initializes a proxy; undefined if it is another request, or an agent's `initialize`. */
export const of = ({ method, params, side }: Said): ProxyStart | undefined => {
  if (side !== "client") return undefined
  const dialect = ProxyDialect.ofInitialize(method)
  if (dialect !== undefined) return { dialect, params, answered: (answer) => answer }
  return method === "initialize" && params !== undefined ? flagged(params) : undefined
}

const flagged = (params: string): ProxyStart | undefined => {
  const parsed: unknown = JSON.parse(params)
  if (!Predicate.isObject(parsed)) return undefined
  const first = placeOf(parsed)
  if (first === undefined) return undefined
  const once = without(parsed, first)
  const second = placeOf(once)
  return {
    dialect: "meta",
    params: JSON.stringify(second === undefined ? once : without(once, second)),
    answered: (answer) => {
      const result: unknown = "error" in answer ? undefined : JSON.parse(answer.result)
      if (!Predicate.isObject(result)) return answer
      const repeated = withFlag(result, first)
      return { result: JSON.stringify(second === undefined ? repeated : withFlag(repeated, second)) }
    }
  }
}
