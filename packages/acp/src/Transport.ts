/** The two byte streams of a connection, a pair of them in memory, and the errors of remote connections. */
export * from "./internal/rpc/Transport.ts"
