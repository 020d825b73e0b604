/**
 * The agent's role for next edit suggestions: keeps the client's documents, asks for suggestions, and sends them.
 *
 * Whoever writes an agent sees UTF-16 positions only. The client's encoding is met here. Kinds of suggestions that the
 * client can't show are not sent.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as AcpAgent from "./AcpAgent.ts"
import type { Implementation, SessionConfigOption } from "./AcpSchema.ts"
import * as AgentSession from "./internal/nes/AgentSession.ts"
import type { AgentOptions, Session, SessionHandlers } from "./internal/nes/AgentSession.ts"
import type { Document } from "./internal/nes/AgentDocuments.ts"
import { ErrorCode, type Notification, RpcError } from "./JsonRpc.ts"
import type * as JsonRpcPeer from "./JsonRpcPeer.ts"
import * as Lenient from "./Lenient.ts"
import * as NesSchema from "./NesSchema.ts"
import type { PositionEncoding } from "./Positions.ts"
import type { Transport } from "./Transport.ts"

export type { Document } from "./internal/nes/AgentDocuments.ts"
export type {
  AgentOptions,
  Ended,
  Event,
  Session,
  SessionHandlers,
  SuggestRequest,
  Suggestion
} from "./internal/nes/AgentSession.ts"

/** An agent for suggestions. */
export interface NesAgent<R = never> extends AgentOptions<R> {
  readonly agentInfo?: Implementation
  /** The events and context that the agent wants. Default: documents with every change, and nothing else. */
  readonly wants?: NesSchema.Capabilities
  /** The encodings that the agent takes. The client chooses among them. Default: all. */
  readonly encodings?: ReadonlyArray<PositionEncoding>
  /** Begins a session. Fails with -32000 if a person has to sign in first. */
  readonly start: (session: Session) => Effect.Effect<SessionHandlers<R>, RpcError, R>
}

/** Handlers of an agent that may have chats, too. `newSession` and `prompt` may be missing. */
export type Chats<R> = Partial<AcpAgent.Handlers<R>>

const documents: NesSchema.Capabilities = {
  events: { document: { didOpen: {}, didChange: { syncKind: "incremental" }, didClose: {} } }
}

const readers = {
  offer: Lenient.reader(NesSchema.ClientOffer),
  start: Lenient.reader(NesSchema.StartRequest),
  suggest: Lenient.reader(NesSchema.WireSuggestRequest),
  close: Lenient.reader(NesSchema.params["nes/close"]),
  accept: Lenient.reader(NesSchema.params["nes/accept"]),
  reject: Lenient.reader(NesSchema.params["nes/reject"]),
  didOpen: Lenient.reader(NesSchema.params["document/didOpen"]),
  didChange: Lenient.reader(NesSchema.params["document/didChange"]),
  didClose: Lenient.reader(NesSchema.params["document/didClose"]),
  didSave: Lenient.reader(NesSchema.params["document/didSave"]),
  didFocus: Lenient.reader(NesSchema.params["document/didFocus"])
}

/** Makes the agent's end of a connection, which answers immediately. */
export const make = <E, R = never>(
  transport: Transport<E>,
  nes: NesAgent<R>,
  options: JsonRpcPeer.Options = {}
): Effect.Effect<AcpAgent.AcpAgent, never, R | Scope.Scope> =>
  Effect.flatMap(handlers(nes), (of) => AcpAgent.make(transport, (client) => of(client), options))

/**
 * Makes handlers for `AcpAgent.make`, of an agent that has chats beside its suggestions. Sessions end with the scope.
 */
export const handlers = Effect.fnUntraced(function* <R = never>(
  nes: NesAgent<R>
): Effect.fn.Return<(client: AcpAgent.AcpAgent, chats?: Chats<R>) => AcpAgent.Handlers<R>, never, Scope.Scope> {
  const scope = yield* Effect.scope
  return (client, chats = {}) => handlersOf(client, scope, nes, chats)
})

/** Most sessions of a connection that are open at once. */
const mostSessions = 100

const unknownMethod = (method: string) => () => Effect.fail(RpcError.methodNotFound(method))

const handlersOf = <R>(
  client: AcpAgent.AcpAgent,
  scope: Scope.Scope,
  nes: NesAgent<R>,
  chats: Chats<R>
): AcpAgent.Handlers<R> => {
  const sessions = new Map<string, AgentSession.AgentSession<R>>()
  let encoding: PositionEncoding = "utf-16"
  let kinds: ReadonlySet<NesSchema.Kind> = new Set(["edit"])
  let lastNumber = 0

  const initialize: AcpAgent.Handlers<R>["initialize"] = (params, request) => {
    const answer = chats.initialize?.(params, request) ?? Effect.succeed(introduction(nes))
    return Effect.map(answer, ({ agentCapabilities = {}, ...response }) => {
      const { ...others } = agentCapabilities
      const offer = offerIn(request.params)
      kinds = new Set([
        "edit",
        ...(["jump", "rename", "searchAndReplace"] as const).filter((kind) => offer.nes?.[kind])
      ])
      const taken = nes.encodings ?? ["utf-16", "utf-8", "utf-32"]
      const agreed = offer.positionEncodings?.find((each) => taken.includes(each))
      encoding = agreed ?? "utf-16"
      const offered = { nes: nes.wants ?? documents, ...(agreed && { positionEncoding: agreed }) }
      return { ...response, agentCapabilities: { ...others, ...offered } }
    })
  }

  const start = Effect.fnUntraced(function* (request: NesSchema.StartRequest) {
    if (sessions.size >= mostSessions) {
      return yield* RpcError.internal(`Refused: ${mostSessions} sessions of suggestions are open already`)
    }
    lastNumber += 1
    const id = `nes-${lastNumber}`
    const session = yield* AgentSession.make(
      {
        id,
        request,
        encoding,
        kinds,
        scope: yield* Scope.fork(scope),
        sendConfigOptions: (configOptions) => sendConfigOptions(client, id, configOptions)
      },
      nes
    )
    sessions.set(id, session)
    const { configOptions } = session.handlers
    return { sessionId: id, ...(configOptions && { configOptions }) }
  })

  const inSession = <A>(
    { sessionId }: { readonly sessionId: string },
    answer: (session: AgentSession.AgentSession<R>) => Effect.Effect<A, RpcError, R>
  ): Effect.Effect<A, RpcError, R> => {
    const session = sessions.get(sessionId)
    return session === undefined ? Effect.fail(noSession(sessionId)) : answer(session)
  }

  const requests = new Map<string, (params: unknown) => Effect.Effect<unknown, RpcError, R>>([
    ["nes/start", reading(readers.start, start)],
    ["nes/suggest", reading(readers.suggest, (params) => inSession(params, (session) => session.suggest(params)))],
    [
      "nes/close",
      reading(readers.close, (params) =>
        inSession(params, (session) => {
          sessions.delete(params.sessionId)
          return Effect.as(session.close, {})
        })
      )
    ]
  ])

  const receive =
    <Params extends { readonly sessionId: string }>(
      read: Lenient.Reader<Params>,
      take: (session: AgentSession.AgentSession<R>, params: Params) => Effect.Effect<void, never, R>
    ) =>
    ({ line, method, params }: Notification): Effect.Effect<void, never, R> => {
      const reading = read(params)
      const reason = Result.isFailure(reading) ? reading.failure : undefined
      const session = Result.isSuccess(reading) ? sessions.get(reading.success.value.sessionId) : undefined
      if (session !== undefined && Result.isSuccess(reading)) return take(session, reading.success.value)
      return Effect.sync(() =>
        chats.onIssue?.({ _tag: "MalformedNotification", method, line, reason: reason ?? "No such session" })
      )
    }

  const notifications = new Map<string, (notification: Notification) => Effect.Effect<void, never, R>>([
    ["nes/accept", receive(readers.accept, (session, { id }) => session.end(id, "accepted", undefined))],
    [
      "nes/reject",
      receive(readers.reject, (session, { id, reason }) => session.end(id, "rejected", reason ?? undefined))
    ],
    ["document/didOpen", receive(readers.didOpen, (session, params) => session.didOpen(params))],
    ["document/didChange", receive(readers.didChange, (session, params) => session.didChange(params))],
    ["document/didClose", receive(readers.didClose, (session, params) => session.didClose(params))],
    ["document/didSave", receive(readers.didSave, (session, params) => session.didSave(params))],
    ["document/didFocus", receive(readers.didFocus, (session, params) => session.didFocus(params))]
  ])

  return {
    ...chats,
    newSession: chats.newSession ?? unknownMethod("session/new"),
    prompt: chats.prompt ?? unknownMethod("session/prompt"),
    initialize,
    setConfigOption: (params, request) => {
      const session = sessions.get(params.sessionId)
      if (session !== undefined) return session.setConfigOption(params)
      return chats.setConfigOption?.(params, request) ?? Effect.fail(noSession(params.sessionId))
    },
    extRequest: (method, params, request) =>
      requests.get(method)?.(params) ??
      chats.extRequest?.(method, params, request) ??
      Effect.fail(RpcError.methodNotFound(method)),
    extNotification: (notification) =>
      notifications.get(notification.method)?.(notification) ?? chats.extNotification?.(notification) ?? Effect.void
  }
}

const introduction = ({ agentInfo }: { readonly agentInfo?: Implementation }) => ({
  protocolVersion: 1,
  ...(agentInfo && { agentInfo })
})

const offerIn = (params: unknown): typeof NesSchema.ClientOffer.Type => {
  const capabilities =
    typeof params === "object" && params !== null && "clientCapabilities" in params ? params.clientCapabilities : {}
  const reading = readers.offer(capabilities ?? {})
  return Result.isSuccess(reading) ? reading.success.value : {}
}

const reading =
  <Params, A, R>(read: Lenient.Reader<Params>, answer: (params: Params) => Effect.Effect<A, RpcError, R>) =>
  (params: unknown): Effect.Effect<A, RpcError, R> => {
    const result = read(params ?? {})
    return Result.isSuccess(result) ? answer(result.success.value) : Effect.fail(RpcError.invalidParams(result.failure))
  }

const noSession = (id: string) =>
  new RpcError({ code: ErrorCode.ResourceNotFound, message: `There is no session ${id}` })

const sendConfigOptions = (client: AcpAgent.AcpAgent, id: string, configOptions: ReadonlyArray<SessionConfigOption>) =>
  Effect.catchTag(
    client.sendUpdate(id, { sessionUpdate: "config_option_update", configOptions }),
    "CapabilityMissing",
    Effect.die
  )

/** An edit by UTF-16 offsets of a document. The cursor is an offset in the text as the edits leave it. */
export const edit = (
  { lines, uri }: Document,
  edits: ReadonlyArray<{ readonly from: number; readonly to: number; readonly newText: string }>,
  cursor?: number
): Extract<AgentSession.Suggestion, { readonly kind: "edit" }> => {
  const ranges = edits.map(({ from, newText, to }) => ({
    range: { start: lines.positionAt(from), end: lines.positionAt(to) },
    newText
  }))
  return {
    kind: "edit",
    uri,
    edits: ranges,
    ...(cursor !== undefined && { cursorPosition: lines.edit(ranges).positionAt(cursor) })
  }
}
