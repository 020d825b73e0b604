/**
 * The agent's end of an ACP connection: answers the client, streams updates, calls the services that the client offers.
 *
 * Handlers run concurrently, so a prompt does not block `session/cancel`.
 */
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { CapabilityMissing, InvalidRequest } from "./AcpError.ts"
import * as Acp from "./AcpSchema.ts"
import * as Capabilities from "./Capabilities.ts"
import * as Endpoint from "./internal/protocol/Endpoint.ts"
import type { Handler, Method, OnIssue } from "./internal/protocol/Endpoint.ts"
import { type ConnectionClosed, ErrorCode, type Notification, type Request, RpcError } from "./JsonRpc.ts"
import * as JsonRpcPeer from "./JsonRpcPeer.ts"
import * as Lenient from "./Lenient.ts"
import type { Transport } from "./Transport.ts"

export type { Issue, Method, RequestOptions } from "./internal/protocol/Endpoint.ts"

/**
 * Handlers of an agent. A method without a handler fails with -32601. The handler of `initialize` decides what is
 * advertised. Its `authMethods` for a terminal are removed for a client without terminals.
 */
export interface Handlers<R = never> {
  readonly initialize: Handler<Acp.InitializeRequest, Acp.InitializeResponse, R>
  readonly newSession: Handler<Acp.NewSessionRequest, Acp.NewSessionResponse, R>
  readonly prompt: Handler<Acp.PromptRequest, Acp.PromptResponse, R>
  /** Handles `session/cancel`, in order with the requests: its prompt has started before. */
  readonly onCancel?: ((params: Acp.CancelNotification) => Effect.Effect<void, never, R>) | undefined
  readonly authenticate?: Handler<Acp.AuthenticateRequest, Acp.AuthenticateResponse, R> | undefined
  readonly authStatus?: Handler<Acp.AuthStatusRequest, Acp.AuthStatusResponse, R> | undefined
  readonly logout?: Handler<Acp.LogoutRequest, Acp.LogoutResponse, R> | undefined
  readonly loadSession?: Handler<Acp.LoadSessionRequest, Acp.LoadSessionResponse, R> | undefined
  readonly resumeSession?: Handler<Acp.ResumeSessionRequest, Acp.ResumeSessionResponse, R> | undefined
  readonly forkSession?: Handler<Acp.ForkSessionRequest, Acp.ForkSessionResponse, R> | undefined
  readonly listSessions?: Handler<Acp.ListSessionsRequest, Acp.ListSessionsResponse, R> | undefined
  readonly closeSession?: Handler<Acp.CloseSessionRequest, Acp.CloseSessionResponse, R> | undefined
  readonly deleteSession?: Handler<Acp.DeleteSessionRequest, Acp.DeleteSessionResponse, R> | undefined
  readonly archiveSession?: Handler<Acp.ArchiveSessionRequest, Acp.ArchiveSessionResponse, R> | undefined
  readonly unarchiveSession?: Handler<Acp.UnarchiveSessionRequest, Acp.UnarchiveSessionResponse, R> | undefined
  readonly sessionStatus?: Handler<Acp.SessionStatusRequest, Acp.SessionStatusResponse, R> | undefined
  readonly setTitle?: Handler<Acp.SetSessionTitleRequest, Acp.SetSessionTitleResponse, R> | undefined
  readonly setMode?: Handler<Acp.SetSessionModeRequest, Acp.SetSessionModeResponse, R> | undefined
  readonly setConfigOption?:
    | Handler<Acp.SetSessionConfigOptionRequest, Acp.SetSessionConfigOptionResponse, R>
    | undefined
  readonly listProviders?: Handler<Acp.ListProvidersRequest, Acp.ListProvidersResponse, R> | undefined
  readonly setProvider?: Handler<Acp.SetProviderRequest, Acp.SetProviderResponse, R> | undefined
  readonly disableProvider?: Handler<Acp.DisableProviderRequest, Acp.DisableProviderResponse, R> | undefined
  /**
   * Handles a message from an MCP server that the client declared with `type: "acp"`. Called in order, while a request
   * to that server is open.
   */
  readonly onMcpMessage?: ((params: Acp.MessageMcpNotification) => Effect.Effect<void, never, R>) | undefined
  /** Handles any other request, e.g. `session/set_model`. Default: -32601. */
  readonly extRequest?:
    | ((method: string, params: unknown, request: Request) => Effect.Effect<unknown, RpcError, R>)
    | undefined
  /** Any other notification, in order. Default: ignored. */
  readonly extNotification?: ((notification: Notification) => Effect.Effect<void, never, R>) | undefined
  readonly onIssue?: OnIssue
}

export interface AcpAgent {
  /**
   * Sends one update. Waits only while a megabyte or more is unwritten. Refuses kinds of updates that a client must
   * request and this one did not.
   */
  readonly sendUpdate: (
    sessionId: string,
    update: Acp.SessionUpdate
  ) => Effect.Effect<void, ConnectionClosed | CapabilityMissing>
  /** Reports who is signed in. Used after each change by agents that advertise `auth.status`. */
  readonly sendAuthStatus: (params: Acp.AuthStatusUpdateNotification) => Effect.Effect<void, ConnectionClosed>
  readonly requestPermission: Method<Acp.RequestPermissionRequest, Acp.RequestPermissionResponse>
  readonly readTextFile: Method<Acp.ReadTextFileRequest, Acp.ReadTextFileResponse>
  readonly writeTextFile: Method<Acp.WriteTextFileRequest, Acp.WriteTextFileResponse>
  readonly createTerminal: Method<Acp.CreateTerminalRequest, Acp.CreateTerminalResponse>
  readonly terminalOutput: Method<Acp.TerminalOutputRequest, Acp.TerminalOutputResponse>
  readonly waitForTerminalExit: Method<Acp.WaitForTerminalExitRequest, Acp.WaitForTerminalExitResponse>
  readonly killTerminal: Method<Acp.KillTerminalRequest, Acp.KillTerminalResponse>
  readonly releaseTerminal: Method<Acp.ReleaseTerminalRequest, Acp.ReleaseTerminalResponse>
  readonly createElicitation: Method<Acp.CreateElicitationRequest, Acp.CreateElicitationResponse>
  readonly completeElicitation: (params: Acp.CompleteElicitationNotification) => Effect.Effect<void, ConnectionClosed>
  /** A request to an MCP server that the client declared with `type: "acp"`. */
  readonly mcpMessage: Method<Acp.MessageMcpRequest, Acp.MessageMcpResponse>
  /** Makes a call of any name, unchecked. The result is not decoded. */
  readonly extRequest: JsonRpcPeer.JsonRpcPeer["call"]
  /** A notification of any name, unchecked. */
  readonly extNotification: JsonRpcPeer.JsonRpcPeer["notify"]
  /** The parameters of the client's `initialize`. Undefined before the handshake. */
  readonly initialized: () => Acp.InitializeRequest | undefined
  /** Completes when the client has closed the connection, and its requests have finished or used up their time. */
  readonly closed: Effect.Effect<ConnectionClosed>
}

const readCancel = Lenient.reader(Acp.CancelNotification)
const readMcpMessage = Lenient.reader(Acp.MessageMcpNotification)

/**
 * Makes the agent's end, which answers immediately. Requests that run when the client closes its side have two seconds
 * to finish. They are answered then, as in a pipe. `closed` completes after that.
 */
export const make = Effect.fnUntraced(function* <E, R>(
  transport: Transport<E>,
  handlersOf: (agent: AcpAgent) => Handlers<R>,
  options: JsonRpcPeer.Options = {}
): Effect.fn.Return<AcpAgent, never, R | Scope.Scope> {
  const state: State = { client: undefined, onIssue: undefined }
  const peer = yield* JsonRpcPeer.make(
    transport,
    (peer) => {
      const handlers = handlersOf(agentOf(peer, state))
      state.onIssue = handlers.onIssue
      return peerHandlers(handlers, state)
    },
    { finishRequestsWithin: "2 seconds", ...options }
  )
  return agentOf(peer, state)
})

/** The connection's knowledge of its client, and where it reports issues. */
interface State {
  client: Acp.InitializeRequest | undefined
  onIssue: OnIssue
}

const agentOf = (peer: JsonRpcPeer.JsonRpcPeer, state: State): AcpAgent => {
  const request = <Params, A>(
    method: string,
    schema: Schema.Codec<A, unknown>,
    refuse: (client: Acp.ClientCapabilities, params: Params) => Capabilities.Missing = (capabilities) =>
      Capabilities.missingInClient(capabilities, method)
  ): Method<Params, A> => {
    const read = Lenient.reader(schema)
    return (params, requestOptions) =>
      Effect.suspend(() => {
        if (state.client === undefined) {
          return Effect.fail(new InvalidRequest({ method, message: "The client has not initialized" }))
        }
        const capability = refuse(state.client.clientCapabilities ?? {}, params)
        if (capability !== undefined) return Effect.fail(new CapabilityMissing({ method, capability }))
        return Endpoint.request(peer, { method, params, read, onIssue: state.onIssue, options: requestOptions })
      })
  }

  return {
    sendUpdate: (sessionId, update) => {
      const method = "session/update"
      const capability = Capabilities.missingForUpdate(state.client?.clientCapabilities ?? {}, update.sessionUpdate)
      return capability === undefined
        ? peer.notify(method, { sessionId, update })
        : Effect.fail(new CapabilityMissing({ method, capability }))
    },
    sendAuthStatus: (params) => peer.notify("auth/status_update", params),
    requestPermission: request("session/request_permission", Acp.RequestPermissionResponse),
    readTextFile: request("fs/read_text_file", Acp.ReadTextFileResponse),
    writeTextFile: request("fs/write_text_file", Acp.WriteTextFileResponse),
    createTerminal: request("terminal/create", Acp.CreateTerminalResponse),
    terminalOutput: request("terminal/output", Acp.TerminalOutputResponse),
    waitForTerminalExit: request("terminal/wait_for_exit", Acp.WaitForTerminalExitResponse),
    killTerminal: request("terminal/kill", Acp.KillTerminalResponse),
    releaseTerminal: request("terminal/release", Acp.ReleaseTerminalResponse),
    createElicitation: request(
      "elicitation/create",
      Acp.CreateElicitationResponse,
      (capabilities, { mode }: Acp.CreateElicitationRequest) => Capabilities.missingForElicitation(capabilities, mode)
    ),
    mcpMessage: request("mcp/message", Acp.MessageMcpResponse),
    completeElicitation: (params) => peer.notify("elicitation/complete", params),
    extRequest: peer.call,
    extNotification: peer.notify,
    initialized: () => state.client,
    closed: peer.closed
  }
}

const peerHandlers = <R>(handlers: Handlers<R>, state: State): JsonRpcPeer.Handlers<R> => {
  const answers = answersOf(handlers)
  answers.serve("initialize", Acp.InitializeRequest, (params, request) => {
    state.client = params
    return Effect.map(handlers.initialize(params, request), (response) => forClient(params, response))
  })

  const onNotification = (notification: Notification): Effect.Effect<void, never, R> => {
    switch (notification.method) {
      case "session/cancel":
        return Endpoint.receive(handlers.onIssue, notification, readCancel, handlers.onCancel)
      case "mcp/message":
        return Endpoint.receive(handlers.onIssue, notification, readMcpMessage, handlers.onMcpMessage)
      default:
        return handlers.extNotification?.(notification) ?? Effect.void
    }
  }

  return {
    onIssue: handlers.onIssue,
    onRequest: (request) => {
      if (state.client === undefined && request.method !== "initialize") {
        return Effect.fail(new RpcError({ code: ErrorCode.InvalidRequest, message: "initialize comes first" }))
      }
      const answer = answers.get(request.method)
      if (answer !== undefined) return answer(request)
      return (
        handlers.extRequest?.(request.method, request.params, request) ??
        Effect.fail(RpcError.methodNotFound(request.method))
      )
    },
    onNotifications: (batch) => Effect.forEach(batch, onNotification, { discard: true })
  }
}

/** The response without sign-in methods for a terminal, if the client has none (ACP v1, authentication). */
const forClient = (
  { clientCapabilities }: Acp.InitializeRequest,
  response: Acp.InitializeResponse
): Acp.InitializeResponse => {
  const { authMethods, ...rest } = response
  if (authMethods === undefined || clientCapabilities?.auth?.terminal === true) return response
  return { ...rest, authMethods: authMethods.filter(({ type }) => type !== "terminal") }
}

const answersOf = <R>(handlers: Handlers<R>): Endpoint.Answers<R> => {
  const answers = Endpoint.answers<R>(handlers.onIssue)
  const { serve } = answers
  serve("authenticate", Acp.AuthenticateRequest, handlers.authenticate)
  serve("auth/status", Acp.AuthStatusRequest, handlers.authStatus)
  serve("logout", Acp.LogoutRequest, handlers.logout)
  serve("session/new", Acp.NewSessionRequest, handlers.newSession)
  serve("session/load", Acp.LoadSessionRequest, handlers.loadSession)
  serve("session/resume", Acp.ResumeSessionRequest, handlers.resumeSession)
  serve("session/fork", Acp.ForkSessionRequest, handlers.forkSession)
  serve("session/list", Acp.ListSessionsRequest, handlers.listSessions)
  serve("session/close", Acp.CloseSessionRequest, handlers.closeSession)
  serve("session/delete", Acp.DeleteSessionRequest, handlers.deleteSession)
  serve("session/archive", Acp.ArchiveSessionRequest, handlers.archiveSession)
  serve("session/unarchive", Acp.UnarchiveSessionRequest, handlers.unarchiveSession)
  serve("session/status", Acp.SessionStatusRequest, handlers.sessionStatus)
  serve("session/set_title", Acp.SetSessionTitleRequest, handlers.setTitle)
  serve("session/set_mode", Acp.SetSessionModeRequest, handlers.setMode)
  serve("session/set_config_option", Acp.SetSessionConfigOptionRequest, handlers.setConfigOption)
  serve("providers/list", Acp.ListProvidersRequest, handlers.listProviders)
  serve("providers/set", Acp.SetProviderRequest, handlers.setProvider)
  serve("providers/disable", Acp.DisableProviderRequest, handlers.disableProvider)
  serve("session/prompt", Acp.PromptRequest, handlers.prompt)
  return answers
}
