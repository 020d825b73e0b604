/** Splits bytes into lines, synchronously, for newline-delimited JSON. Lines have a maximum length. */
export * from "./internal/rpc/LineSplitter.ts"
