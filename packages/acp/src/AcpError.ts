/** The typed errors of calls: refused here, in need of a sign-in, or with an unreadable result. */
export * from "./internal/protocol/AcpError.ts"
