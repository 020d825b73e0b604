/** What tests of MCP over ACP share: a component with a calculator, and a bridge. */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import type { McpHandler } from "@signalbox/acp/McpProvider"
import * as McpSessions from "@signalbox/acp/McpSessions"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as McpServer from "effect/ai/McpServer"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Bridge from "../src/bridge/Bridge.ts"
import * as Component from "../src/Component.ts"
import * as ToolServer from "../src/mcp/ToolServer.ts"

/** The metadata of a request of MCP 2026-07-28. */
export const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "0" }
}

const Add = Tool.make("add", {
  description: "Adds two numbers",
  parameters: Schema.Struct({ a: Schema.Finite, b: Schema.Finite }),
  success: Schema.Struct({ sum: Schema.Finite })
})
const Wait = Tool.make("wait", { description: "Waits", success: Schema.String })
const kit = Toolkit.make(Add, Wait)

/** A server with two tools: `add`, and `wait`, which does this. */
export const calculator = (wait: Effect.Effect<string>) =>
  ToolServer.make({
    name: "calc",
    version: "1.0.0",
    instructions: "Adds.",
    registrations: McpServer.toolkit(kit).pipe(
      Layer.provide(kit.toLayer({ add: ({ a, b }) => Effect.succeed({ sum: a + b }), wait: () => wait }))
    )
  })

/** A component that gives each session one server. */
export const serving = (name: string, handler: McpHandler): Component.Component =>
  Component.inProcess(`${name} component`, (link) =>
    Effect.flatMap(
      AcpProxy.make(link, (neighbours) =>
        McpSessions.interceptors(neighbours, () => Effect.succeed([{ name, handler }]))
      ),
      ({ closed }) => closed
    )
  )

export const bridge = Component.inProcess("bridge", Bridge.run)
