/** How the bridge reaches the servers of components. */
import type { McpCaller } from "@signalbox/acp/McpCaller"
import type { Begin } from "./ClassicSession.ts"

export interface Backend {
  /** Sends single requests of MCP 2026-07-28. */
  readonly caller: McpCaller
  /** Begins sessions of classic MCP. */
  readonly begin: Begin
}
