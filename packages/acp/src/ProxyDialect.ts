/** The three spellings of the proxy protocol, by method. */
export * from "./internal/raw/ProxyDialect.ts"
