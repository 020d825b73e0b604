/** Reads what another program wrote: strictly first, then again without the malformed parts that a reader may leave out. */
export * from "./internal/schema/Lenient.ts"
