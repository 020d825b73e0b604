/**
 * Capabilities of extensions, which stand in `_meta.symposium` of a client's or an agent's capabilities:
 * `{ "_meta": { "symposium": { "version": "1.0", "ide_operations": true } } }`.
 *
 * Components of a chain announce to each other with them what the protocol has no field for. Everything else in the capabilities stays.
 *
 * Source: Symposium, conductor; `MetaCapability` in the Rust SDK of proxies.
 */
import * as Predicate from "effect/Predicate"

/** Capabilities of either side, in version 1 or 2 of the protocol. */
export interface Capabilities {
  readonly _meta?: { readonly [key: string]: unknown } | null
}

type Json = { readonly [key: string]: unknown }

const isJsonObject = (value: unknown): value is Json => Predicate.isObject(value) && !Array.isArray(value)

const symposiumOf = (capabilities: Capabilities | null | undefined): Json | undefined => {
  const symposium = capabilities?._meta?.["symposium"]
  return isJsonObject(symposium) ? symposium : undefined
}

/** Whether a capability is there: its value is neither `false` nor `null`. */
export const has = (capabilities: Capabilities | null | undefined, key: string): boolean =>
  (valueOf(capabilities, key) ?? false) !== false

/** The value of a capability, often `true`. Undefined if the key isn't there. */
export const valueOf = (capabilities: Capabilities | null | undefined, key: string): unknown => {
  const symposium = symposiumOf(capabilities)
  return symposium !== undefined && Object.hasOwn(symposium, key) ? symposium[key] : undefined
}

/**
 * The capabilities with one more, or with another value of one. What stands in the place of `symposium` and is no object is replaced.
 *
 * @param value the JSON value; default: `true`
 */
export const add = <C extends Capabilities>(
  capabilities: C,
  key: string,
  value: unknown = true
): C & { readonly _meta: Json } => ({
  ...capabilities,
  _meta: { ...capabilities._meta, symposium: { ...symposiumOf(capabilities), [key]: value, version: "1.0" } }
})

/** The capabilities without one: the very value that came if the key isn't there. */
export const remove = <C extends Capabilities>(capabilities: C, key: string): C => {
  const symposium = symposiumOf(capabilities)
  if (symposium === undefined || !Object.hasOwn(symposium, key)) return capabilities
  const { [key]: _, ...rest } = symposium
  return { ...capabilities, _meta: { ...capabilities._meta, symposium: rest } }
}
