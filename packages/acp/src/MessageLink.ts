/** One end of a connection that carries raw messages: over bytes, or in memory. Components of a chain speak over it. */
export * from "./internal/raw/MessageLink.ts"
