/** The handlers for an agent's messages, which `AcpClient.make` takes. */
export type { Handlers, TerminalHandlers } from "./internal/client/ClientHandlers.ts"
export type { ElicitationHandlers } from "./internal/client/Elicitations.ts"
export type { Handler } from "./internal/protocol/Endpoint.ts"
