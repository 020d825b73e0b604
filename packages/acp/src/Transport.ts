/** The two byte streams of a connection, and a pair of them in memory. It also has what breaks a connection to another machine. */
export * from "./internal/rpc/Transport.ts"
