/** A proxy that gives each session tools which ask an IDE. It does not know who answers. */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import * as McpSessions from "@signalbox/acp/McpSessions"
import type { MessageLink } from "@signalbox/acp/MessageLink"
import * as SessionFolder from "@signalbox/ide/files/SessionFolder"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Struct from "effect/Struct"
import * as McpServer from "effect/ai/McpServer"
import * as SessionCalls from "../../mcp/SessionCalls.ts"
import * as ToolServer from "../../mcp/ToolServer.ts"
import * as EditReports from "./EditReports.ts"
import * as IdeTools from "./IdeTools.ts"
import * as IdeWire from "./IdeWire.ts"
import type { Settings } from "./Settings.ts"

const name = "ide-operations"

const instructions =
  "Knows definitions, references, types and errors of the code in the working folder, as an editor does. Prefer it to searching by text."

/** Calls of one session that are answered at the same time. */
const atOnce = 4

/** What a session has besides its tools. */
interface Following {
  readonly sessionId: () => string | undefined
  readonly calls: SessionCalls.SessionCalls
  readonly edits: EditReports.EditReports
  /** Ends with the session. */
  readonly scope: Scope.Scope
}

export const run = Effect.fnUntraced(function* (
  link: MessageLink,
  { reportsErrors }: Settings
): Effect.fn.Return<void, never, Scope.Scope> {
  const { closed } = yield* AcpProxy.make(link, (neighbours) => {
    const running = new Set<Following>()
    const ofSession = (id: string) => [...running].filter(({ sessionId }) => sessionId() === id)

    /** Shows a report on the entry of the tool call, below what that has shown already. */
    const show = (sessionId: string, { content, text, toolCallId }: EditReports.Report) =>
      neighbours.client.notify("session/update", {
        sessionId,
        update: {
          sessionUpdate: "tool_call_update",
          toolCallId,
          content: [...content, { type: "content", content: { type: "text", text } }]
        }
      })

    const follow = (sessionId: string, update: unknown) =>
      Effect.forEach(
        ofSession(sessionId),
        Effect.fnUntraced(function* ({ edits, scope }) {
          const ended = yield* edits.heard(update)
          if (ended === undefined) return
          // Whoever waits here would hold up all that the agent says.
          yield* Effect.forkIn(
            Effect.flatMap(ended, (report) => {
              if (report === undefined) return Effect.void
              return show(sessionId, report)
            }),
            scope
          )
        }),
        { discard: true }
      )
    const sessions = McpSessions.interceptors(neighbours, ({ additionalDirectories, cwd, sessionId }) =>
      Effect.gen(function* () {
        const calls = SessionCalls.make(atOnce)
        const folder = yield* SessionFolder.open(cwd, additionalDirectories)
        const ide = IdeWire.make(neighbours.client, sessionId)
        const scope = yield* Effect.scope
        const edits = EditReports.make(ide, folder, scope)
        const following: Following = { sessionId, calls, edits, scope }
        yield* Effect.acquireRelease(
          Effect.sync(() => running.add(following)),
          () => Effect.sync(() => running.delete(following))
        )
        const session: IdeTools.Session = {
          ide,
          folder,
          take: (answer) => calls.take(sessionId(), answer, () => "The call was cancelled.")
        }
        const handler = yield* ToolServer.make({
          name,
          version: "1.0.0",
          instructions,
          registrations: McpServer.toolkit(IdeTools.toolkit).pipe(Layer.provide(IdeTools.layer(session)))
        }).pipe(Effect.orDie)
        return [{ name, handler }]
      })
    )
    const interceptors: AcpProxy.Interceptors<Scope.Scope> = {
      ...sessions,
      clientRequests: {
        ...sessions.clientRequests,
        "session/prompt": Effect.fnUntraced(function* (params, forward) {
          const [first] = params.prompt
          // More text would be taken for words of the command.
          const isCommand = first?.type === "text" && first.text.startsWith("/")
          const reporting = reportsErrors && !isCommand ? ofSession(params.sessionId) : []
          const texts = (yield* Effect.forEach(reporting, ({ edits }) => edits.unreported)).filter(
            (text) => text !== undefined
          )
          const report = { type: "text" as const, text: texts.join("\n\n") }
          const turn =
            texts.length === 0 ? forward() : forward(Struct.assign(params, { prompt: [...params.prompt, report] }))
          const ended = Effect.suspend(() =>
            Effect.forEach(ofSession(params.sessionId), ({ edits }) => edits.turnEnded, { discard: true })
          )
          return yield* Effect.ensuring(turn, ended)
        })
      },
      clientNotifications: {
        "session/cancel": ({ sessionId }, forward) =>
          Effect.andThen(
            Effect.sync(() => ofSession(sessionId).forEach(({ calls }) => calls.cancel(sessionId))),
            forward()
          )
      },
      agentNotifications: {
        "session/update": ({ sessionId, update }, forward) => Effect.andThen(forward(), follow(sessionId, update))
      }
    }
    return interceptors
  })
  yield* closed
})
