/** Every type and schema of the Agent Client Protocol, version 1, with its unstable part. */
export * from "./internal/generated/v1.ts"
