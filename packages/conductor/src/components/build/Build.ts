/** A proxy that gives each session a tool which runs the commands that people have configured, and no others. */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as McpSessions from "@signalbox/acp/McpSessions"
import type { MessageLink } from "@signalbox/acp/MessageLink"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as McpServer from "effect/ai/McpServer"
import type { Host } from "../../BuiltInComponent.ts"
import * as SessionCalls from "../../mcp/SessionCalls.ts"
import * as ToolServer from "../../mcp/ToolServer.ts"
import * as BuildTools from "./BuildTools.ts"
import * as ClientTerminal from "./ClientTerminal.ts"
import * as OwnProcess from "./OwnProcess.ts"
import { NotRun } from "./ProjectCommand.ts"
import type { Settings } from "./Settings.ts"

const name = "build"

const instructions =
  "Runs the commands that the user has configured for this project, such as its build and its tests. Prefer them to command lines of your own."

/** Whether a client runs programs in terminals. Later versions of ACP have none. */
const hasTerminals = (asked: unknown, answered: unknown): boolean => {
  const { clientCapabilities } = McpOverAcp.objectOf(asked)
  return (
    McpOverAcp.objectOf(answered)["protocolVersion"] === 1 &&
    McpOverAcp.objectOf(clientCapabilities)["terminal"] === true
  )
}

export const run = Effect.fnUntraced(function* (
  link: MessageLink,
  { commands, seconds }: Settings,
  host: Host
): Effect.fn.Return<void, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const { closed } = yield* AcpProxy.make(link, (neighbours) => {
    let offersTerminals = false
    const running = new Set<SessionCalls.SessionCalls>()

    const sessions = McpSessions.interceptors(neighbours, ({ cwd, sessionId }) =>
      Effect.gen(function* () {
        // Two at once would write into the same files.
        const calls = SessionCalls.make(1)
        yield* Effect.acquireRelease(
          Effect.sync(() => running.add(calls)),
          () => Effect.sync(() => running.delete(calls))
        )
        const runCommand: BuildTools.RunCommand = (command) =>
          Effect.suspend(() => {
            const session = sessionId()
            if (!offersTerminals) return OwnProcess.run(command, cwd, seconds, host)
            if (session === undefined)
              return Effect.fail(new NotRun({ message: "The session is not open yet. Call again in a moment." }))
            const place = { client: neighbours.client, sessionId: session, cwd, scope }
            return ClientTerminal.run(command, place, seconds)
          })
        const { layer, toolkit } = BuildTools.make(commands, (command) =>
          calls.take(sessionId(), runCommand(command), () => new NotRun({ message: `${command.line} was cancelled.` }))
        )
        const handler = yield* ToolServer.make({
          name,
          version: "1.0.0",
          instructions,
          registrations: McpServer.toolkit(toolkit).pipe(Layer.provide(layer))
        }).pipe(Effect.orDie)
        return [{ name, handler }]
      })
    )
    const interceptors: AcpProxy.Interceptors<Scope.Scope> = {
      ...sessions,
      clientRequestsAsJson: {
        initialize: (params, forward) =>
          Effect.tap(sessions.clientRequestsAsJson.initialize(params, forward), (answered) =>
            Effect.sync(() => {
              offersTerminals = hasTerminals(params, answered)
            })
          )
      },
      clientNotifications: {
        "session/cancel": ({ sessionId }, forward) =>
          Effect.andThen(
            Effect.sync(() => running.forEach((calls) => calls.cancel(sessionId))),
            forward()
          )
      }
    }
    return interceptors
  })
  yield* closed
})
