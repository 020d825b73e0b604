/**
 * A proxy that gives each session a tool which presents walkthroughs. Each is a tool call of its own toward the client, sent by this
 * component while the agent's call runs: agents report their calls in many forms, and some without the input.
 */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as McpSessions from "@signalbox/acp/McpSessions"
import { pathWithin, resolvePath } from "@signalbox/contracts/Paths"
import * as Walkthrough from "@signalbox/contracts/Walkthrough"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as McpServer from "effect/ai/McpServer"
import type { Host, Run } from "../../BuiltInComponent.ts"
import * as ToolServer from "../../mcp/ToolServer.ts"
import * as WalkthroughTools from "./WalkthroughTools.ts"

const name = "walkthrough"

const instructions = "Presents explanations to the user in steps, each with a place in a file."

/** The tool call that a client gets. One that knows no walkthroughs shows the text and the places. */
const updateOf = (walkthrough: Walkthrough.Walkthrough, cwd: string, version: unknown, seal: Host["seal"]) => ({
  sessionUpdate: version === 1 ? "tool_call" : "tool_call_update",
  toolCallId: `walkthrough-${globalThis.crypto.randomUUID()}`,
  title: `Walkthrough: ${walkthrough.title}`,
  kind: "other",
  status: "completed",
  content: [{ type: "content", content: { type: "text", text: Walkthrough.textOf(walkthrough) } }],
  locations: walkthrough.steps.flatMap(({ firstLine, path }) =>
    path === undefined || pathWithin(path, cwd) === undefined
      ? []
      : [{ path: resolvePath(path, cwd), ...(firstLine !== undefined && { line: firstLine }) }]
  ),
  _meta: { [Walkthrough.metaKey]: walkthrough, ...seal?.mark() }
})

export const run: Run = Effect.fnUntraced(function* (link, { seal }) {
  const { closed } = yield* AcpProxy.make(link, (neighbours) => {
    let version: unknown

    const sessions = McpSessions.interceptors(neighbours, ({ cwd, sessionId }) => {
      const show = (walkthrough: Walkthrough.Walkthrough) =>
        Effect.suspend(() => {
          const id = sessionId()
          return id === undefined
            ? Effect.fail("The session is not open yet. Call again in a moment.")
            : neighbours.client.notify("session/update", {
                sessionId: id,
                update: updateOf(walkthrough, cwd, version, seal)
              })
        })
      return ToolServer.make({
        name,
        version: "1.0.0",
        instructions,
        registrations: McpServer.toolkit(WalkthroughTools.toolkit).pipe(
          Layer.provide(WalkthroughTools.layer(cwd, show))
        )
      }).pipe(
        Effect.orDie,
        Effect.map((handler) => [{ name, handler }])
      )
    })
    const interceptors: AcpProxy.Interceptors<Scope.Scope> = {
      ...sessions,
      clientRequestsAsJson: {
        initialize: (params, forward) =>
          Effect.tap(sessions.clientRequestsAsJson.initialize(params, forward), (answered) =>
            Effect.sync(() => {
              version = McpOverAcp.objectOf(answered)["protocolVersion"]
            })
          )
      }
    }
    return interceptors
  })
  yield* closed
})
