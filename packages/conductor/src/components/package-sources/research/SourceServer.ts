/** The MCP server that only sessions that research have: it fetches sources, reads them, and takes the findings. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as McpServer from "effect/ai/McpServer"
import type * as Scope from "effect/Scope"
import type { McpHandler } from "@signalbox/acp/McpProvider"
import * as ToolServer from "../../../mcp/ToolServer.ts"
import * as FileTools from "./FileTools.ts"
import * as SourceTools from "./SourceTools.ts"

export const name = "rust-crate-sources"

export const toolNames: ReadonlySet<string> = new Set([
  ...Object.keys(SourceTools.toolkit.tools),
  ...Object.keys(FileTools.toolkit.tools)
])

/** Makes the server of one session. */
export const make = (options: SourceTools.Options): Effect.Effect<McpHandler, never, Scope.Scope> =>
  ToolServer.make({
    name,
    version: "1.0.0",
    instructions: "Fetches the source of packages, and takes your findings by return_response_to_user.",
    registrations: Layer.merge(
      McpServer.toolkit(SourceTools.toolkit).pipe(Layer.provide(SourceTools.layer(options))),
      McpServer.toolkit(FileTools.toolkit).pipe(Layer.provide(FileTools.layer(options.checkouts)))
    )
  }).pipe(Effect.orDie)
