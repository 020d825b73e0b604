/** Another version of the protocol, spoken under a client that is written for version 1. `DialectV2` is one. */
export type { Dialect } from "./internal/rpc/Dialect.ts"
