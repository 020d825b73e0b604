/** The MCP server that every session of the client has: it asks researchers. */
import type { McpHandler } from "@signalbox/acp/McpProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as McpServer from "effect/ai/McpServer"
import * as ToolServer from "../../../mcp/ToolServer.ts"
import * as QueryTools from "./QueryTools.ts"

export const name = "rust-crate-query"

const instructions = `Answers questions about packages from their real source, examples and tests included: a researcher reads them for you. Ask
- before you use a package that you do not know,
- when code does not compile because of signatures or fields,
- when it matters how something is implemented,
- when the documentation is unclear.`

/** Makes the server of one session. */
export const make = (asking: QueryTools.Asking): Effect.Effect<McpHandler, never, Scope.Scope> =>
  ToolServer.make({
    name,
    version: "1.0.0",
    instructions,
    registrations: McpServer.toolkit(QueryTools.toolkit).pipe(Layer.provide(QueryTools.layer(asking)))
  }).pipe(Effect.orDie)
