/**
 * Schema combinators for messages that other programs write: what a malformed field or item counts as. Extensions of the
 * protocol are described with them, and read by `Lenient`.
 */
export * from "./internal/schema/Wire.ts"
