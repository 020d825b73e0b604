/**
 * The client's end of an ACP connection: calls the agent, receives its updates, answers its requests.
 *
 * It makes no call that the agent has not offered, and advertises no capability without a handler.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { CapabilityMissing, type InvalidRequest, type RequestFailure, type UnsupportedVersion } from "./AcpError.ts"
import * as Acp from "./AcpSchema.ts"
import * as Capabilities from "./Capabilities.ts"
import type { Dialect } from "./Dialect.ts"
import type { ConnectionClosed, RpcError } from "./JsonRpc.ts"
import * as JsonRpcPeer from "./JsonRpcPeer.ts"
import * as Lenient from "./Lenient.ts"
import type { Offer } from "./NesSchema.ts"
import * as Subagents from "./Subagents.ts"
import type { Transport } from "./Transport.ts"
import * as Authentication from "./internal/client/Authentication.ts"
import * as ClientHandlers from "./internal/client/ClientHandlers.ts"
import * as Handshake from "./internal/client/Handshake.ts"
import type * as LegacyModels from "./internal/client/LegacyModels.ts"
import * as OpenQuestions from "./internal/client/OpenQuestions.ts"
import * as Requests from "./internal/client/Requests.ts"
import type { Opened, Refused } from "./internal/client/Requests.ts"
import * as RunningPrompts from "./internal/client/RunningPrompts.ts"
import type { Method } from "./internal/protocol/Endpoint.ts"

export type { AuthStatus } from "./Authentication.ts"
export type { Handlers } from "./ClientHandlers.ts"
export type { Refused } from "./internal/client/Requests.ts"
export type { LegacyModels, SetModelRequest, WithModels } from "./internal/client/LegacyModels.ts"
export type { Issue, Method, RequestOptions } from "./internal/protocol/Endpoint.ts"
export type { IncomingUpdate } from "./SessionUpdates.ts"

export interface Options extends JsonRpcPeer.Options {
  /** Speaks another version of the protocol; see `DialectV2`. Default: version 1. */
  readonly dialect?: Dialect | undefined
}

/** The client's name and display capabilities. The services that it offers follow from the handlers. */
export interface InitializeOptions {
  readonly clientInfo: Acp.Implementation
  readonly capabilities?: Pick<Acp.ClientCapabilities, "session" | "plan" | "subagents" | "auth" | "_meta"> &
    Partial<Offer>
  readonly _meta?: Acp.InitializeRequest["_meta"]
}

/** The state of a session, as far as the agent reports it. `saved` also stands for every unknown status. */
export interface SessionStatus extends Omit<Acp.SessionStatusResponse, "status"> {
  readonly status: "open" | "saved"
}

/**
 * Calls to the agent. A call is refused here until `initialize` is answered, or if the agent does not offer it. A call
 * about a sub-agent's session is refused, too: that session is the agent's own.
 */
export interface AcpClient {
  /**
   * Makes the handshake. Must be the first call, once. The response keeps `_meta` and omitted capabilities. If the
   * agent's protocol version is not supported, the connection closes.
   */
  readonly initialize: (
    options: InitializeOptions
  ) => Effect.Effect<Acp.InitializeResponse, RequestFailure | UnsupportedVersion>
  /**
   * Signs in by a method that was offered and needs no terminal. Has no time limit, since people sign in elsewhere in
   * the meantime.
   */
  readonly authenticate: Method<Acp.AuthenticateRequest, Acp.AuthenticateResponse>
  readonly authStatus: Method<Acp.AuthStatusRequest, Authentication.AuthStatus>
  readonly logout: Method<Acp.LogoutRequest, Acp.LogoutResponse>
  readonly newSession: Method<Acp.NewSessionRequest, Opened<Acp.NewSessionResponse>>
  /** Loads a session. Its history arrives as updates before this completes, and in some agents after it. */
  readonly loadSession: Method<Acp.LoadSessionRequest, Opened<Acp.LoadSessionResponse>>
  readonly resumeSession: Method<Acp.ResumeSessionRequest, Opened<Acp.ResumeSessionResponse>>
  readonly forkSession: Method<Acp.ForkSessionRequest, Opened<Acp.ForkSessionResponse>>
  /** Lists one page of sessions. `SessionList` reads all pages. */
  readonly listSessions: Method<Acp.ListSessionsRequest, Acp.ListSessionsResponse>
  /** Cancels the session's requests to people and closes it. A session that the agent doesn't know counts as closed. */
  readonly closeSession: Method<Acp.CloseSessionRequest, Acp.CloseSessionResponse>
  /** Deletes a session. One that the agent doesn't know counts as deleted. */
  readonly deleteSession: Method<Acp.DeleteSessionRequest, Acp.DeleteSessionResponse>
  readonly archiveSession: Method<Acp.ArchiveSessionRequest, Acp.ArchiveSessionResponse>
  readonly unarchiveSession: Method<Acp.UnarchiveSessionRequest, Acp.UnarchiveSessionResponse>
  readonly sessionStatus: Method<Acp.SessionStatusRequest, SessionStatus>
  /** Sets the title. The title in the response is the one that the agent stored. */
  readonly setTitle: Method<Acp.SetSessionTitleRequest, Acp.SetSessionTitleResponse>
  readonly setMode: Method<Acp.SetSessionModeRequest, Acp.SetSessionModeResponse>
  readonly setConfigOption: Method<Acp.SetSessionConfigOptionRequest, Acp.SetSessionConfigOptionResponse>
  readonly setModel: Method<LegacyModels.SetModelRequest, unknown>
  readonly listProviders: Method<Acp.ListProvidersRequest, Acp.ListProvidersResponse>
  readonly setProvider: Method<Acp.SetProviderRequest, Acp.SetProviderResponse>
  readonly disableProvider: Method<Acp.DisableProviderRequest, Acp.DisableProviderResponse>
  /**
   * Sends a prompt. A session takes one at a time: another one is refused until the response. Has no time limit.
   * Interrupting the caller does not stop the turn: use `cancel`.
   */
  readonly prompt: Method<Acp.PromptRequest, Acp.PromptResponse>
  /**
   * Sends the notification `session/cancel`. The turn ends with the response to its prompt. Until then the session's
   * requests to people are cancelled, after the notification. A sub-agent may be cancelled if it offers that.
   */
  readonly cancel: (params: Acp.CancelNotification) => Effect.Effect<void, ConnectionClosed | Refused>
  /**
   * Sends a message of an MCP server that was declared with `type: "acp"`. It must be about an open request of the
   * agent to that server.
   */
  readonly mcpMessage: (params: Acp.MessageMcpNotification) => Effect.Effect<void, ConnectionClosed | InvalidRequest>
  /** Makes a call outside of the protocol: `cursor/…`, `_…`. The result is not decoded. */
  readonly extRequest: (
    method: string,
    params: unknown,
    options?: JsonRpcPeer.CallOptions
  ) => Effect.Effect<unknown, RpcError | ConnectionClosed | InvalidRequest>
  readonly extNotification: (method: string, params: unknown) => Effect.Effect<void, ConnectionClosed | InvalidRequest>
  /** The agent's capabilities without decoding, including unknown ones. Undefined before the handshake. */
  readonly agentCapabilities: () => unknown
  /** The response to `initialize`. Undefined before the handshake. */
  readonly initialized: () => Acp.InitializeResponse | undefined
  /** The sub-agent with this session. Undefined for a session that the client opened. */
  readonly subagent: (sessionId: string) => Subagents.Subagent | undefined
  /** Completes when the connection has ended and all received messages were handled. */
  readonly closed: Effect.Effect<ConnectionClosed>
}

const readAuthStatus = Lenient.map(Lenient.reader(Acp.AuthStatusResponse), Authentication.statusOf)

const readStatus = Lenient.map(Lenient.reader(Acp.SessionStatusResponse), ({ status, ...rest }): SessionStatus => ({
  ...rest,
  status: status === "open" ? "open" : "saved"
}))

export const make = Effect.fnUntraced(function* <E, R>(
  transport: Transport<E>,
  handlers: ClientHandlers.Handlers<R>,
  { dialect, ...options }: Options = {}
): Effect.fn.Return<AcpClient, never, R | Scope.Scope> {
  const connect = dialect?.make ?? JsonRpcPeer.make
  const sessions = { questions: OpenQuestions.make(), subagents: Subagents.make() }
  const { questions, subagents } = sessions
  const prompts = RunningPrompts.make(questions)
  const peer = yield* connect(transport, () => ClientHandlers.peerHandlers(handlers, sessions), options)
  const { onIssue } = handlers
  const handshake = Handshake.make({ peer, version: dialect?.version ?? 1, onIssue })
  const requests = Requests.make({ peer, handshake, subagents, onIssue })
  const { ending, opening, request, simple } = requests
  const closing = ending("session/close", Acp.CloseSessionResponse, Requests.goneIsDone)

  const notify: AcpClient["extNotification"] = (method, params) =>
    unless(
      () => handshake.tooEarly(method),
      () => peer.notify(method, params)
    )

  return {
    initialize: (given) => handshake.initialize(introduction(given, handlers)),
    authenticate: request("authenticate", Lenient.reader(Acp.AuthenticateResponse), {
      refuse: (_, params: Acp.AuthenticateRequest) =>
        Authentication.refusal(handshake.response()?.authMethods ?? [], params.methodId)
    }),
    authStatus: request("auth/status", readAuthStatus),
    logout: simple("logout", Acp.LogoutResponse),
    newSession: opening("session/new", Acp.NewSessionResponse),
    loadSession: opening("session/load", Acp.LoadSessionResponse),
    resumeSession: opening("session/resume", Acp.ResumeSessionResponse),
    forkSession: opening("session/fork", Acp.ForkSessionResponse),
    listSessions: request("session/list", Lenient.reader(Acp.ListSessionsResponse), { refuse: refuseArchived }),
    closeSession: (params, requestOptions) =>
      Effect.suspend(() => {
        if (requests.refusalOf("session/close", params) === undefined) questions.withdraw(params.sessionId, "closing")
        return Effect.ensuring(
          closing(params, requestOptions),
          Effect.sync(() => questions.resume(params.sessionId, "closing"))
        )
      }),
    deleteSession: ending("session/delete", Acp.DeleteSessionResponse, Requests.goneIsDone),
    archiveSession: ending("session/archive", Acp.ArchiveSessionResponse),
    unarchiveSession: simple("session/unarchive", Acp.UnarchiveSessionResponse),
    sessionStatus: request("session/status", readStatus),
    setTitle: simple("session/set_title", Acp.SetSessionTitleResponse),
    setMode: simple("session/set_mode", Acp.SetSessionModeResponse),
    setConfigOption: simple("session/set_config_option", Acp.SetSessionConfigOptionResponse),
    setModel: simple("session/set_model", Acp.ExtResponse),
    listProviders: simple("providers/list", Acp.ListProvidersResponse),
    setProvider: simple("providers/set", Acp.SetProviderResponse),
    disableProvider: simple("providers/disable", Acp.DisableProviderResponse),
    prompt: prompts.run(
      request("session/prompt", Lenient.reader(Acp.PromptResponse), {
        refuse: (agent, { prompt }: Acp.PromptRequest) => Capabilities.missingForPrompt(agent, prompt)
      })
    ),
    cancel: (params) =>
      unless(
        () => handshake.tooEarly("session/cancel") ?? cancelRefusal(subagents.get(params.sessionId)),
        // The notification goes first: otherwise the agent would take the cancelled answers for decisions, and continue.
        () => prompts.cancel(params.sessionId, peer.notify("session/cancel", params))
      ),
    mcpMessage: (params) => notify("mcp/message", params),
    extRequest: (method, params, callOptions) =>
      unless(
        () => handshake.tooEarly(method),
        () =>
          Effect.mapError(peer.call(method, params, callOptions), (failure) =>
            failure._tag === "RpcError" ? handshake.withSignIn(method, failure) : failure
          )
      ),
    extNotification: notify,
    agentCapabilities: handshake.rawCapabilities,
    initialized: handshake.response,
    subagent: subagents.get,
    closed: peer.closed
  }
})

const introduction = <R>(
  { _meta, capabilities, clientInfo }: InitializeOptions,
  handlers: ClientHandlers.Handlers<R>
): Handshake.Introduction => ({
  clientInfo,
  clientCapabilities: { ...capabilities, ...ClientHandlers.capabilitiesOf(handlers) },
  ...(_meta === undefined ? {} : { _meta })
})

const refuseArchived = (agent: Acp.AgentCapabilities, { archived }: Acp.ListSessionsRequest): Capabilities.Missing =>
  archived === undefined || archived === null || agent.sessionCapabilities?.archive
    ? undefined
    : "sessionCapabilities.archive"

const unless = <Refusal, A, E>(
  refusalOf: () => Refusal | undefined,
  send: () => Effect.Effect<A, E>
): Effect.Effect<A, E | Refusal> =>
  Effect.suspend((): Effect.Effect<A, E | Refusal> => {
    const refusal = refusalOf()
    return refusal === undefined ? send() : Effect.fail(refusal)
  })

const cancelRefusal = (subagent: Subagents.Subagent | undefined): Refused | undefined =>
  subagent === undefined || subagent.cancellable
    ? undefined
    : new CapabilityMissing({ method: "session/cancel", capability: "subagent capabilities.cancel" })
