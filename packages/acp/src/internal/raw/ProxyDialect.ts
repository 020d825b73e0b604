/** The spellings of the proxy protocol. Proxies of every age are in use. */

/**
 * How a proxy and its conductor name what they say to each other.
 *
 * - `proxy`: `proxy/initialize` and `proxy/successor` (ACP, proxy chains; Rust SDK 5).
 * - `_proxy`: the same with an underscore (Rust SDK up to 4, sacp 2 to 11).
 * - `meta`: `initialize` with `_meta.proxy` or `_meta.symposium.proxy`, which the answer repeats, and then `_proxy/successor/request` and
 *   `_proxy/successor/notification` (sacp 1).
 */
export type ProxyDialect = "proxy" | "_proxy" | "meta"

/** Newest first: the order in which a conductor tries them. */
export const all: ReadonlyArray<ProxyDialect> = ["proxy", "_proxy", "meta"]

/** The method that initializes a proxy in this dialect. */
export const initializeMethod: { readonly [Dialect in ProxyDialect]: string } = {
  proxy: "proxy/initialize",
  _proxy: "_proxy/initialize",
  meta: "initialize"
}

/** The dialect whose proxies are initialized by this method. The plain `initialize` belongs to none by its name alone. */
export const ofInitialize = (method: string): ProxyDialect | undefined => {
  if (method === "proxy/initialize") return "proxy"
  return method === "_proxy/initialize" ? "_proxy" : undefined
}

/** The dialect of an envelope, by its method; undefined if the method is none. */
export const ofEnvelope = (method: string): ProxyDialect | undefined => {
  switch (method) {
    case "proxy/successor":
      return "proxy"
    case "_proxy/successor":
      return "_proxy"
    case "_proxy/successor/request":
    case "_proxy/successor/notification":
      return "meta"
    default:
      return undefined
  }
}

/** The method of an envelope in this dialect. */
export const envelopeMethod = (dialect: ProxyDialect, isRequest: boolean): string => {
  if (dialect === "proxy") return "proxy/successor"
  if (dialect === "_proxy") return "_proxy/successor"
  return isRequest ? "_proxy/successor/request" : "_proxy/successor/notification"
}
