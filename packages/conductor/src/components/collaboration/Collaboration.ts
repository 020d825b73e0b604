/** A proxy that opens each session with a text, and gives the agent a memory that lasts between sessions. */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import * as McpSessions from "@signalbox/acp/McpSessions"
import type { MessageLink } from "@signalbox/acp/MessageLink"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as McpServer from "effect/ai/McpServer"
import * as ToolServer from "../../mcp/ToolServer.ts"
import * as Memory from "./Memory.ts"
import * as MemoryTools from "./MemoryTools.ts"
import * as Opening from "./Opening.ts"
import * as OpeningText from "./OpeningText.ts"
import type { Settings } from "./Settings.ts"

const name = "collaboration"

const instructions =
  "Remembers for you between sessions: who you are, what you have learned about the user, and where your work stood."

export const run = Effect.fnUntraced(function* (
  link: MessageLink,
  settings: Settings,
  log: (line: string) => void
): Effect.fn.Return<void, never, Scope.Scope> {
  const { folder, hasTools, persona, seconds, way } = settings
  const scope = yield* Effect.scope
  const memory = Memory.make(folder)
  const { closed } = yield* AcpProxy.make(link, (neighbours) => {
    const opening = Opening.make({ agent: neighbours.agent, way, seconds, log, scope })
    const sessions = McpSessions.interceptors(neighbours, () =>
      hasTools
        ? ToolServer.make({
            name,
            version: "1.0.0",
            instructions,
            registrations: McpServer.toolkit(MemoryTools.toolkit).pipe(
              Layer.provide(MemoryTools.layer(memory, persona))
            )
          }).pipe(
            Effect.orDie,
            Effect.map((handler) => [{ name, handler }])
          )
        : Effect.succeed([])
    )
    const interceptors: AcpProxy.Interceptors<Scope.Scope> = {
      ...sessions,
      clientRequests: {
        ...sessions.clientRequests,
        // A session that goes on was opened when it was new.
        "session/new": (params, forward) =>
          Effect.tap(sessions.clientRequests["session/new"](params, forward), ({ sessionId }) =>
            Effect.flatMap(OpeningText.of(settings, log), (text) => opening.begin(sessionId, text))
          ),
        "session/prompt": opening.prompt,
        "session/close": (params, forward) =>
          Effect.ensuring(
            sessions.clientRequests["session/close"](params, forward),
            Effect.sync(() => opening.forget(params.sessionId))
          )
      },
      clientNotifications: {
        "session/cancel": ({ sessionId }, forward) =>
          Effect.andThen(
            Effect.sync(() => opening.cancel(sessionId)),
            forward()
          )
      }
    }
    return interceptors
  })
  yield* closed
})
