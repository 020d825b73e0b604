/** Names the capability that a call needs and the other side has not offered. */
export * from "./internal/protocol/Capabilities.ts"
