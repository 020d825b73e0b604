/** Schemas and types of next edit suggestions, which left the protocol in October 2026 and continue as a frozen extension. */
export * from "./internal/nes/Schema.ts"
