/**
 * A proxy behind which `ide_operations` are always there. Where the client offers them, their requests pass through as they come. Where it
 * does not, language servers answer, which are started for the session's folders when they are first asked.
 */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import type { MessageLink } from "@signalbox/acp/MessageLink"
import * as MetaCapability from "@signalbox/acp/MetaCapability"
import * as IdeOperation from "@signalbox/contracts/IdeOperation"
import * as SessionFolder from "@signalbox/ide/files/SessionFolder"
import type { Ide } from "@signalbox/ide/Ide"
import * as IdeRequest from "@signalbox/ide/IdeRequest"
import * as SessionIde from "@signalbox/ide/servers/SessionIde"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as RcMap from "effect/RcMap"
import * as Record from "effect/Record"
import * as Scope from "effect/Scope"
import type { Host } from "../../BuiltInComponent.ts"
import type { Settings } from "./Settings.ts"

/** A session, and what answers for its folders. */
interface Session {
  readonly scope: Scope.Closeable
  readonly ide: Effect.Effect<Ide>
}

interface Opening {
  readonly cwd: string
  readonly additionalDirectories?: ReadonlyArray<string> | null
}

export const run = Effect.fnUntraced(function* (
  link: MessageLink,
  settings: Settings,
  host: Host
): Effect.fn.Return<void, never, Scope.Scope> {
  const connection = yield* Effect.scope
  const sessions = new Map<string, Session>()
  let isOffered = false

  // Sessions in the same folders share their servers.
  const ides = yield* RcMap.make({
    lookup: (key: string) =>
      Effect.gen(function* () {
        const [cwd = "/", ...additional]: ReadonlyArray<string> = JSON.parse(key)
        const folder = yield* SessionFolder.open(cwd, additional)
        const { ledger, languageServers } = host
        // Servers of arguments come first, then those of the host's settings, then those that are known.
        const given = [...settings.definitions, ...(languageServers?.definitions ?? [])]
        return yield* SessionIde.make(folder, {
          ledger,
          definitions: given,
          findsKnown: languageServers === undefined && settings.findsKnown,
          open: settings.definitions.length > 0 ? undefined : languageServers?.open
        })
      })
  })

  const end = (sessionId: string) =>
    Effect.suspend(() => {
      const session = sessions.get(sessionId)
      sessions.delete(sessionId)
      return session === undefined ? Effect.void : Scope.close(session.scope, Exit.void)
    })

  const begin = Effect.fnUntraced(function* (sessionId: string, { additionalDirectories, cwd }: Opening) {
    yield* end(sessionId)
    const scope = yield* Scope.fork(connection)
    const key = JSON.stringify([cwd, ...(additionalDirectories ?? [])])
    sessions.set(sessionId, { scope, ide: Scope.provide(RcMap.get(ides, key), scope) })
  })

  const opening =
    <Params extends Opening, Result>(
      idOf: (params: Params, result: Result) => string
    ): AcpProxy.RequestInterceptor<Params, Result> =>
    (params, forward) =>
      isOffered ? forward() : Effect.tap(forward(), (result) => begin(idOf(params, result), params))

  /** Answers a request, or passes it on where the client can answer. */
  const answering =
    (read: IdeRequest.Reader): AcpProxy.RequestInterceptor<unknown, unknown> =>
    (params, forward) =>
      isOffered
        ? forward()
        : Effect.gen(function* () {
            const { answer, sessionId } = yield* read(params)
            const session = sessions.get(sessionId)
            if (session === undefined)
              return yield* Effect.fail(RpcError.invalidParams(`There is no session ${sessionId.slice(0, 100)}`))
            return yield* answer(yield* session.ide)
          })

  const { closed } = yield* AcpProxy.make<never>(link, () => ({
    clientRequestsAsJson: {
      initialize: (params, forward) => {
        const asked = McpOverAcp.objectOf(params)
        const capabilities: MetaCapability.Capabilities = McpOverAcp.objectOf(asked["clientCapabilities"])
        isOffered = MetaCapability.has(capabilities, IdeOperation.capability)
        if (isOffered) return forward()
        return forward({ ...asked, clientCapabilities: MetaCapability.add(capabilities, IdeOperation.capability) })
      }
    },
    clientRequests: {
      "session/new": opening((_params, { sessionId }) => sessionId),
      "session/load": opening(({ sessionId }) => sessionId),
      "session/resume": opening(({ sessionId }) => sessionId),
      "session/fork": opening((_params, { sessionId }) => sessionId),
      "session/close": ({ sessionId }, forward) => Effect.ensuring(forward(), end(sessionId))
    },
    agentRequests: Record.map(IdeRequest.readers, answering)
  }))
  yield* closed
})
