/** The two byte streams of a connection, a pair of them in memory, and what breaks a connection to another machine. */
export * from "./internal/rpc/Transport.ts"
