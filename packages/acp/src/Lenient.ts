/** Reads foreign data: strictly first, then again without the malformed parts that may be left out. */
export * from "./internal/schema/Lenient.ts"
