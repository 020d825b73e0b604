/**
 * One end of a JSON-RPC conversation: calls, requests and notifications in the order of the wire. `AcpClient` and `AcpAgent`
 * are built on it; use it directly for a protocol of your own.
 */
export * from "./internal/rpc/JsonRpcPeer.ts"
export type { Tap } from "./internal/rpc/WireLines.ts"
