/** Reads `session/update` notifications. An update of an unknown kind keeps its raw form. */
export * from "./internal/protocol/SessionUpdates.ts"
