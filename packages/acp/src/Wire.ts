/**
 * Schema combinators for foreign messages: they say how a malformed field or item is replaced. Extensions of the
 * protocol use them, and `Lenient` reads them.
 */
export * from "./internal/schema/Wire.ts"
