/** Another protocol version below a client of version 1. `DialectV2` is one. */
export type { Dialect } from "./internal/rpc/Dialect.ts"
