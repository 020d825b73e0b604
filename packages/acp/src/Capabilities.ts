/** Names the capability that a request needs and that the other side has not offered. */
export * from "./internal/protocol/Capabilities.ts"
