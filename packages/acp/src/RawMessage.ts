/** Messages as they stand on the wire, for programs that pass them on: read from a line, and written to one. */
export * from "./internal/raw/RawMessage.ts"
