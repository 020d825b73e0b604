/** How a conductor initializes a proxy, in each spelling of the proxy protocol. */
export * from "./internal/raw/ProxyStart.ts"
