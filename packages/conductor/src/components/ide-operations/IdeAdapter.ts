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
import type { Ide, IdeFailure } from "@signalbox/ide/Ide"
import * as SessionIde from "@signalbox/ide/servers/SessionIde"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as RcMap from "effect/RcMap"
import * as Schema from "effect/Schema"
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

/** A request that was read. Fails with what is wrong with it. */
const decoded = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return (params: unknown) => Effect.mapError(decode(params), ({ message }) => RpcError.invalidParams(message))
}

const asResolve = decoded(IdeOperation.ResolveSymbolParams)
const asReferences = decoded(IdeOperation.ReferencesParams)
const asLsp = decoded(IdeOperation.LspParams)
const asDiagnostics = decoded(IdeOperation.DiagnosticsParams)
const asSelection = decoded(IdeOperation.SelectionParams)

const inWords = Effect.mapError(({ message }: IdeFailure) => RpcError.internal(message))

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
    <A extends { readonly sessionId: string }>(
      read: (params: unknown) => Effect.Effect<A, RpcError>,
      answer: (ide: Ide, params: A) => Effect.Effect<unknown, IdeFailure>
    ): AcpProxy.RequestInterceptor<unknown, unknown> =>
    (params, forward) =>
      isOffered
        ? forward()
        : Effect.gen(function* () {
            const asked = yield* read(params)
            const session = sessions.get(asked.sessionId)
            if (session === undefined)
              return yield* Effect.fail(RpcError.invalidParams(`There is no session ${asked.sessionId.slice(0, 100)}`))
            return yield* inWords(answer(yield* session.ide, asked))
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
    agentRequests: {
      [IdeOperation.methods.resolveSymbol]: answering(asResolve, (ide, { name }) =>
        Effect.map(ide.resolveSymbol(name), (symbols) => ({ symbols }))
      ),
      [IdeOperation.methods.references]: answering(asReferences, (ide, { symbol }) =>
        Effect.map(ide.references(symbol), (references) => ({ references }))
      ),
      [IdeOperation.methods.lsp]: answering(asLsp, (ide, { method, params }) =>
        ide.lsp(method, McpOverAcp.objectOf(params))
      ),
      [IdeOperation.methods.diagnostics]: answering(asDiagnostics, (ide, { uri }) =>
        Effect.map(ide.diagnostics(uri), (diagnostics) => ({ diagnostics }))
      ),
      [IdeOperation.methods.selection]: answering(asSelection, (ide) =>
        Effect.map(ide.selection, (selection) => ({ selection: selection ?? null }))
      )
    }
  }))
  yield* closed
})
