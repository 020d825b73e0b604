/** What an editor may ask of Signalbox as an agent. Its sessions are threads: the ids are the same. */
import type * as AcpAgent from "@signalbox/acp/AcpAgent"
import type * as Acp from "@signalbox/acp/AcpSchema"
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { Problem } from "@signalbox/contracts/Problem"
import { ThreadId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import { version } from "../../base/Version.ts"
import { errorOf, notOpen } from "./AcpFailure.ts"
import * as ConfigOptions from "./ConfigOptions.ts"
import * as EditorSession from "./EditorSession.ts"
import * as EditorSignIn from "./EditorSignIn.ts"
import { promptOf } from "./PromptContent.ts"
import * as RealFolder from "./RealFolder.ts"
import type { ServerLink } from "./ServerLink.ts"
import * as SessionPages from "./SessionPages.ts"

export interface Options {
  readonly link: ServerLink
  /** The agent of new threads. */
  readonly provider: ProviderId
  /** Whether only threads of this agent are listed. */
  readonly onlyItsThreads: boolean
  readonly report: (text: string) => void
  /** Whether the editor has left. */
  readonly hasLeft: () => boolean
}

interface Open {
  readonly session: EditorSession.EditorSession
  readonly scope: Scope.Closeable
}

export const handlers =
  ({ hasLeft, link, onlyItsThreads, provider, report }: Options, around: Scope.Scope) =>
  (agent: AcpAgent.AcpAgent): AcpAgent.Handlers => {
    const sessions = new Map<string, Open>()
    const booleans = () => agent.initialized()?.clientCapabilities?.session?.configOptions?.boolean != null

    /** In the editor, where it shows notices, and in its log. */
    const tell = (sessionId: string, title: string) =>
      Effect.andThen(
        Effect.sync(() => report(title)),
        Effect.ignore(agent.sendUpdate(sessionId, { sessionUpdate: "notice", severity: "warning", title }))
      )

    const open = Effect.fnUntraced(function* (threadId: ThreadId) {
      const known = sessions.get(threadId)
      if (known !== undefined) yield* Scope.close(known.scope, Exit.void)
      const scope = yield* Scope.fork(around)
      const session = yield* EditorSession.make(threadId, {
        agent,
        link,
        booleans: booleans(),
        hasLeft,
        report: tell
      }).pipe(
        Scope.provide(scope),
        Effect.onError(() => Scope.close(scope, Exit.void))
      )
      sessions.set(threadId, { session, scope })
      return session
    })

    const close = Effect.fnUntraced(function* (sessionId: string) {
      const known = sessions.get(sessionId)
      if (known === undefined) return
      sessions.delete(sessionId)
      yield* Scope.close(known.scope, Exit.void)
    })

    const of = (sessionId: string) => {
      const known = sessions.get(sessionId)
      return known === undefined ? Effect.fail(notOpen(sessionId)) : Effect.succeed(known.session)
    }

    const offers = (view: ThreadView) => {
      const modes = ConfigOptions.modesOf(view)
      return { configOptions: ConfigOptions.optionsOf(view, booleans()), ...(modes !== undefined && { modes }) }
    }

    /** Goes on beside the answer: an editor knows its session by the answer. */
    const later = (session: EditorSession.EditorSession) =>
      Effect.forkIn(Effect.andThen(Effect.yieldNow, session.goOn), around)

    const mention = (
      sessionId: string,
      { mcpServers = [] }: Pick<Acp.LoadSessionRequest, "mcpServers"> | { readonly mcpServers?: undefined }
    ) =>
      mcpServers.length === 0
        ? Effect.void
        : tell(
            sessionId,
            `The editor's MCP servers (${mcpServers.map(({ name }) => name).join(", ")}) are not passed on. Sessions get those of Signalbox's settings: signalbox mcp add`
          )

    const existing = Effect.fnUntraced(function* (sessionId: string, cwd: string) {
      const session = yield* open(ThreadId.make(sessionId))
      const folder = session.view().cwd
      if (RealFolder.of(folder) !== RealFolder.of(cwd)) {
        yield* close(sessionId)
        return yield* RpcError.invalidParams(
          `This thread works in ${folder}, and not in ${cwd}. Next: open the editor in ${folder}`
        )
      }
      return session
    })

    const change = Effect.fnUntraced(function* (sessionId: string, settingId: string, value: SettingValue) {
      const session = yield* of(sessionId)
      yield* session.choose(settingId, value)
      return session.view()
    })

    return {
      initialize: () =>
        Effect.succeed({
          protocolVersion: 1,
          agentInfo: { name: "signalbox", title: "Signalbox", version },
          authMethods: EditorSignIn.methods(provider),
          agentCapabilities: {
            loadSession: true,
            promptCapabilities: { image: true, audio: true, embeddedContext: true },
            sessionCapabilities: { list: {}, resume: {}, close: {}, additionalDirectories: {} }
          }
        }),
      authenticate: ({ methodId }) => EditorSignIn.signIn(link, provider, methodId, report),
      newSession: Effect.fnUntraced(function* ({ additionalDirectories = [], cwd, mcpServers }) {
        const threadId = ThreadId.make(randomUUID())
        const create = {
          type: "thread.create" as const,
          provider,
          cwd,
          ...(additionalDirectories.length > 0 && { additionalDirectories })
        }
        yield* link.send(threadId, create).pipe(Effect.catchTags(failures))
        const begin = Effect.gen(function* () {
          const session = yield* open(threadId)
          yield* link.send(threadId, { type: "session.start" }).pipe(Effect.catchTags(failures))
          const problem = yield* session.until(started)
          if (problem !== "ready") return yield* errorOf(problem)
          return session
        })
        // A thread whose agent did not start is of no use, and the next attempt makes another one.
        const session = yield* Effect.onExit(begin, (exit) =>
          Exit.isSuccess(exit)
            ? Effect.void
            : Effect.andThen(
                close(threadId),
                Effect.ignore(
                  Effect.timeout(
                    link.once((client) => client.deleteThread({ threadId })),
                    "5 seconds"
                  )
                )
              )
        )
        yield* mention(threadId, { mcpServers })
        yield* later(session)
        return { sessionId: threadId, ...offers(session.view()) }
      }),
      loadSession: Effect.fnUntraced(function* ({ cwd, mcpServers, sessionId }) {
        const session = yield* existing(sessionId, cwd)
        yield* session.replay
        yield* mention(sessionId, { mcpServers })
        yield* later(session)
        return offers(session.view())
      }),
      resumeSession: Effect.fnUntraced(function* ({ cwd, mcpServers = [], sessionId }) {
        const session = yield* existing(sessionId, cwd)
        yield* mention(sessionId, { mcpServers })
        yield* later(session)
        return offers(session.view())
      }),
      listSessions: ({ cursor, cwd }) =>
        SessionPages.read(link, {
          cwd: cwd ?? undefined,
          cursor: cursor ?? undefined,
          provider: onlyItsThreads ? provider : undefined
        }),
      closeSession: Effect.fnUntraced(function* ({ sessionId }) {
        const session = yield* of(sessionId)
        yield* session.leave
        yield* close(sessionId)
        return {}
      }),
      prompt: Effect.fnUntraced(function* ({ prompt, sessionId }) {
        const session = yield* of(sessionId)
        return yield* session.prompt(yield* promptOf(prompt))
      }),
      onCancel: ({ sessionId }) => {
        const known = sessions.get(sessionId)
        // The stop goes on beside what the editor says next.
        return known === undefined ? Effect.void : Effect.asVoid(Effect.forkIn(known.session.stop, around))
      },
      setMode: Effect.fnUntraced(function* ({ modeId, sessionId }) {
        const setting = ConfigOptions.modeSetting((yield* of(sessionId)).view())
        if (setting === undefined) return yield* RpcError.invalidParams("This session has no modes")
        yield* change(sessionId, setting.id, modeId)
        return {}
      }),
      setConfigOption: (params) =>
        typeof params.value === "string" || typeof params.value === "boolean"
          ? Effect.map(change(params.sessionId, params.configId, params.value), (view) => ({
              configOptions: ConfigOptions.optionsOf(view, booleans())
            }))
          : Effect.fail(RpcError.invalidParams("The value is neither a text nor true or false")),
      onIssue: (issue) =>
        report(`The editor sent something that was not understood: ${JSON.stringify(issue).slice(0, 400)}`)
    }
  }

const failures = {
  CommandRejected: ({ problem }: { readonly problem: Problem }) => Effect.fail(errorOf(problem)),
  OutOfScope: ({ message }: { readonly message: string }) => Effect.fail(RpcError.internal(message))
} as const

/** Why the agent did not start, or `ready`. Undefined while it starts. */
const started = ({ items, provider, session }: ThreadView): "ready" | Problem | undefined => {
  if (session.state === "ready") return "ready"
  if (session.state === "starting") return undefined
  const reported = items.findLast(({ type }) => type === "problem")
  if (reported?.type === "problem") return reported.problem
  return session.state === "exited" ? stoppedEarly(provider.name) : undefined
}

/** A person has stopped it, on the page or by the command line, so no problem is on record. */
const stoppedEarly = (name: string): Problem => ({
  code: "agent-start-failed",
  title: `${name} was stopped before it was ready.`,
  cause: "Somebody stopped it outside of this editor.",
  evidence: {},
  nextSteps: [{ action: "send-again", label: "Start a new session" }]
})
