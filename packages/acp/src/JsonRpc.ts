/** The messages, errors and error codes of JSON-RPC 2.0, as the Agent Client Protocol uses it. */
export * from "./internal/rpc/JsonRpc.ts"
