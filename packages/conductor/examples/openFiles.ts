/** The component of a pair: it gives the agent a tool, and asks the side of the client when the tool is called. */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import * as McpSessions from "@signalbox/acp/McpSessions"
import type { MessageLink } from "@signalbox/acp/MessageLink"
import * as ToolServer from "@signalbox/conductor/mcp/ToolServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as McpServer from "effect/ai/McpServer"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import { decodeAnswer } from "./openFilesPrimitive.ts"

const toolkit = Toolkit.make(
  Tool.make("open_files", {
    description: "Names the files that the user works on.",
    success: Schema.Struct({ paths: Schema.Array(Schema.String) }),
    failure: Schema.String
  })
)

/** The server of one session. */
const serverFor = ({ client }: AcpProxy.Neighbours, cwd: string) => {
  const tools = toolkit.toLayer({
    open_files: () =>
      client.request("_example/open_files", { cwd }).pipe(
        Effect.flatMap(decodeAnswer),
        Effect.mapError(({ message }) => message)
      )
  })
  const registrations = McpServer.toolkit(toolkit).pipe(Layer.provide(tools))
  return ToolServer.make({ name: "editor", version: "1.0.0", registrations }).pipe(
    Effect.orDie,
    Effect.map((handler) => [{ name: "editor", handler }])
  )
}

export const run = Effect.fnUntraced(function* (link: MessageLink) {
  const { closed } = yield* AcpProxy.make(link, (neighbours) =>
    McpSessions.interceptors(neighbours, ({ cwd }) => serverFor(neighbours, cwd))
  )
  yield* closed
})
