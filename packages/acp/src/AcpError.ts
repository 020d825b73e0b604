/** The typed errors of requests: what was refused here, what the agent wants first, what could not be read. */
export * from "./internal/protocol/AcpError.ts"
