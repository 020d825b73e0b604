/** A proxy that gives each session a server with the tools of git, for the session's own folder. */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import * as McpSessions from "@signalbox/acp/McpSessions"
import type { MessageLink } from "@signalbox/acp/MessageLink"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as McpServer from "effect/ai/McpServer"
import * as ToolServer from "../../mcp/ToolServer.ts"
import * as GitTools from "./GitTools.ts"

const instructions =
  "Reads the history of the git repository in the working folder. It changes nothing, and reads nothing that is not committed."

const serverAt = (cwd: string) =>
  ToolServer.make({
    name: "git",
    version: "1.0.0",
    instructions,
    registrations: McpServer.toolkit(GitTools.toolkit).pipe(Layer.provide(GitTools.layer(cwd)))
  }).pipe(Effect.orDie)

export const run = Effect.fnUntraced(function* (link: MessageLink) {
  const { closed } = yield* AcpProxy.make(link, (neighbours) =>
    McpSessions.interceptors(neighbours, ({ cwd }) =>
      Effect.map(serverAt(cwd), (handler) => [{ name: "git", handler }])
    )
  )
  yield* closed
})
