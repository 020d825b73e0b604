/**
 * The client's end of an ACP connection: asks the agent, receives its updates, answers its requests.
 *
 * Nothing is sent that the agent has not offered, and no capability is advertised for which there is no handler.
 */
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { CapabilityMissing, InvalidRequest, type RequestFailure, UnsupportedVersion } from "./AcpError.ts"
import * as Acp from "./AcpSchema.ts"
import * as Capabilities from "./Capabilities.ts"
import * as ClientHandlers from "./ClientHandlers.ts"
import * as Endpoint from "./Endpoint.ts"
import type { Method } from "./Endpoint.ts"
import type { ConnectionClosed, RpcError } from "./JsonRpc.ts"
import * as JsonRpcPeer from "./JsonRpcPeer.ts"
import * as Lenient from "./Lenient.ts"
import type { Transport } from "./Transport.ts"

export type { Handlers } from "./ClientHandlers.ts"
export type { Issue, Method, RequestOptions } from "./Endpoint.ts"
export type { IncomingUpdate } from "./SessionUpdates.ts"

/** The versions of the protocol that this client speaks, the latest first. */
export const supportedVersions: ReadonlyArray<number> = [1]

/** Who we are and what we can show; what we can do for the agent follows from the handlers. */
export interface InitializeOptions {
  readonly clientInfo: Acp.Implementation
  readonly capabilities?: Pick<Acp.ClientCapabilities, "session" | "plan" | "subagents" | "auth" | "_meta">
  readonly _meta?: Acp.InitializeRequest["_meta"]
}

/** `session/set_model`, which never became part of the protocol and is still how many agents switch models. */
export interface SetModelRequest {
  readonly sessionId: string
  readonly modelId: string
}

export interface AcpClient {
  /** First and once. The answer's `_meta` is kept; omitted capabilities stay omitted. */
  readonly initialize: (
    options: InitializeOptions
  ) => Effect.Effect<Acp.InitializeResponse, RequestFailure | UnsupportedVersion>
  readonly authenticate: Method<Acp.AuthenticateRequest, Acp.AuthenticateResponse>
  readonly authStatus: Method<Acp.AuthStatusRequest, Acp.AuthStatusResponse>
  readonly logout: Method<Acp.LogoutRequest, Acp.LogoutResponse>
  readonly newSession: Method<Acp.NewSessionRequest, Acp.NewSessionResponse>
  /** The history arrives as updates before this completes. */
  readonly loadSession: Method<Acp.LoadSessionRequest, Acp.LoadSessionResponse>
  readonly resumeSession: Method<Acp.ResumeSessionRequest, Acp.ResumeSessionResponse>
  readonly forkSession: Method<Acp.ForkSessionRequest, Acp.ForkSessionResponse>
  readonly listSessions: Method<Acp.ListSessionsRequest, Acp.ListSessionsResponse>
  readonly closeSession: Method<Acp.CloseSessionRequest, Acp.CloseSessionResponse>
  readonly deleteSession: Method<Acp.DeleteSessionRequest, Acp.DeleteSessionResponse>
  readonly archiveSession: Method<Acp.ArchiveSessionRequest, Acp.ArchiveSessionResponse>
  readonly unarchiveSession: Method<Acp.UnarchiveSessionRequest, Acp.UnarchiveSessionResponse>
  readonly sessionStatus: Method<Acp.SessionStatusRequest, Acp.SessionStatusResponse>
  readonly setTitle: Method<Acp.SetSessionTitleRequest, Acp.SetSessionTitleResponse>
  readonly setMode: Method<Acp.SetSessionModeRequest, Acp.SetSessionModeResponse>
  readonly setConfigOption: Method<Acp.SetSessionConfigOptionRequest, Acp.SetSessionConfigOptionResponse>
  readonly setModel: Method<SetModelRequest, unknown>
  readonly listProviders: Method<Acp.ListProvidersRequest, Acp.ListProvidersResponse>
  readonly setProvider: Method<Acp.SetProviderRequest, Acp.SetProviderResponse>
  readonly disableProvider: Method<Acp.DisableProviderRequest, Acp.DisableProviderResponse>
  /** No time limit, and interrupting the caller does not stop the turn: `cancel` does. */
  readonly prompt: Method<Acp.PromptRequest, Acp.PromptResponse>
  /** `session/cancel`, a notification: the turn ends with the answer to its prompt. */
  readonly cancel: (params: Acp.CancelNotification) => Effect.Effect<void, ConnectionClosed>
  /** A request outside of the protocol: `cursor/…`, `_…`. The result is as it came. */
  readonly extRequest: (
    method: string,
    params: unknown,
    options?: JsonRpcPeer.CallOptions
  ) => Effect.Effect<unknown, RpcError | ConnectionClosed>
  readonly extNotification: (method: string, params: unknown) => Effect.Effect<void, ConnectionClosed>
  /** What the agent answered to `initialize`; undefined before. */
  readonly initialized: () => Acp.InitializeResponse | undefined
  /** Completes when the connection is over and everything that came in has been handed over. */
  readonly closed: Effect.Effect<ConnectionClosed>
}

/** POSIX, drive letter or UNC. */
const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path)

const readInitialized = Lenient.reader(Acp.InitializeResponse)

type Refusal = CapabilityMissing | InvalidRequest

export const make = Effect.fnUntraced(function* <E, R>(
  transport: Transport<E>,
  handlers: ClientHandlers.Handlers<R>,
  options: JsonRpcPeer.Options = {}
): Effect.fn.Return<AcpClient, never, R | Scope.Scope> {
  const peer = yield* JsonRpcPeer.make(transport, () => ClientHandlers.peerHandlers(handlers), options)
  let agent: Acp.InitializeResponse | undefined

  const request = <Params, A>(
    method: string,
    schema: Schema.Codec<A, unknown>,
    refuse: (agent: Acp.AgentCapabilities, params: Params) => Refusal | Capabilities.Missing = () => undefined
  ): Method<Params, A> => {
    const read = Lenient.reader(schema)
    return (params, requestOptions) =>
      Effect.suspend(() => {
        if (agent === undefined) return Effect.fail(new InvalidRequest({ method, message: "initialize comes first" }))
        const capabilities = agent.agentCapabilities ?? {}
        const refusal = Capabilities.missingForMethod(capabilities, method) ?? refuse(capabilities, params)
        if (typeof refusal === "string") return Effect.fail(new CapabilityMissing({ method, capability: refusal }))
        if (refusal !== undefined) return Effect.fail(refusal)
        return Endpoint.request(peer, handlers.onIssue, method, params, read, requestOptions)
      })
  }

  const opening = <Params extends Parameters<typeof Capabilities.missingForSession>[1] & { readonly cwd: string }, A>(
    method: string,
    schema: Schema.Codec<A, unknown>
  ): Method<Params, A> =>
    request(method, schema, (capabilities, params) =>
      isAbsolute(params.cwd)
        ? Capabilities.missingForSession(capabilities, params)
        : new InvalidRequest({ method, message: `cwd has to be absolute: ${params.cwd}` })
    )

  const initialize: AcpClient["initialize"] = Effect.fn("AcpClient.initialize")(function* (given) {
    if (agent !== undefined) {
      return yield* new InvalidRequest({ method: "initialize", message: "Already initialized" })
    }
    const params: Acp.InitializeRequest = {
      protocolVersion: supportedVersions[0] ?? 1,
      clientInfo: given.clientInfo,
      clientCapabilities: { ...given.capabilities, ...ClientHandlers.capabilitiesOf(handlers) },
      ...(given._meta === undefined ? {} : { _meta: given._meta })
    }
    const response = yield* Endpoint.request(peer, handlers.onIssue, "initialize", params, readInitialized)
    if (!supportedVersions.includes(response.protocolVersion)) {
      return yield* new UnsupportedVersion({ offered: response.protocolVersion, supported: supportedVersions })
    }
    agent = response
    return response
  })

  const advertised = (_: Acp.AgentCapabilities, { methodId }: Acp.AuthenticateRequest) => {
    const method = agent?.authMethods?.find(({ id }) => id === methodId)
    if (method !== undefined && method.type !== "terminal") return undefined
    const message =
      method === undefined
        ? `The agent does not offer ${methodId}`
        : `${methodId} is done in a terminal, not by authenticate`
    return new InvalidRequest({ method: "authenticate", message })
  }

  return {
    initialize,
    authenticate: request("authenticate", Acp.AuthenticateResponse, advertised),
    authStatus: request("auth/status", Acp.AuthStatusResponse),
    logout: request("logout", Acp.LogoutResponse),
    newSession: opening("session/new", Acp.NewSessionResponse),
    loadSession: opening("session/load", Acp.LoadSessionResponse),
    resumeSession: opening("session/resume", Acp.ResumeSessionResponse),
    forkSession: opening("session/fork", Acp.ForkSessionResponse),
    listSessions: request(
      "session/list",
      Acp.ListSessionsResponse,
      (capabilities, { archived }: Acp.ListSessionsRequest) =>
        archived === undefined || archived === null || capabilities.sessionCapabilities?.archive
          ? undefined
          : "sessionCapabilities.archive"
    ),
    closeSession: request("session/close", Acp.CloseSessionResponse),
    deleteSession: request("session/delete", Acp.DeleteSessionResponse),
    archiveSession: request("session/archive", Acp.ArchiveSessionResponse),
    unarchiveSession: request("session/unarchive", Acp.UnarchiveSessionResponse),
    sessionStatus: request("session/status", Acp.SessionStatusResponse),
    setTitle: request("session/set_title", Acp.SetSessionTitleResponse),
    setMode: request("session/set_mode", Acp.SetSessionModeResponse),
    setConfigOption: request("session/set_config_option", Acp.SetSessionConfigOptionResponse),
    setModel: request("session/set_model", Acp.ExtResponse),
    listProviders: request("providers/list", Acp.ListProvidersResponse),
    setProvider: request("providers/set", Acp.SetProviderResponse),
    disableProvider: request("providers/disable", Acp.DisableProviderResponse),
    prompt: request("session/prompt", Acp.PromptResponse, (capabilities, { prompt }: Acp.PromptRequest) =>
      Capabilities.missingForPrompt(capabilities, prompt)
    ),
    cancel: (params) => peer.notify("session/cancel", params),
    extRequest: peer.call,
    extNotification: peer.notify,
    initialized: () => agent,
    closed: peer.closed
  }
})
