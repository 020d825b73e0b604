/** The handshake with an agent, and what the agent said of itself there (ACP v1, initialization). */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Acp from "../generated/v1.ts"
import { AuthRequired, InvalidRequest, type RequestFailure, UnsupportedVersion } from "../protocol/AcpError.ts"
import * as Endpoint from "../protocol/Endpoint.ts"
import { offeredBy } from "../protocol/OfferedVersion.ts"
import { ErrorCode, type RpcError } from "../rpc/JsonRpc.ts"
import type * as JsonRpcPeer from "../rpc/JsonRpcPeer.ts"
import * as Lenient from "../schema/Lenient.ts"

/** The client's part of the handshake, without the version. */
export type Introduction = Pick<Acp.InitializeRequest, "clientInfo" | "clientCapabilities" | "_meta">

export interface Handshake {
  /** Makes the handshake, once. Closes the connection if the agent does not accept the version. */
  readonly initialize: (
    introduction: Introduction
  ) => Effect.Effect<Acp.InitializeResponse, RequestFailure | UnsupportedVersion>
  /** The agent's response. Undefined before the handshake. */
  readonly response: () => Acp.InitializeResponse | undefined
  /** The agent's capabilities without decoding, including unknown ones. Undefined before the handshake. */
  readonly rawCapabilities: () => unknown
  /** Why no call of this method can be made yet. Undefined after the handshake. */
  readonly tooEarly: (method: string) => InvalidRequest | undefined
  /** The agent's error. With code -32000 it includes the sign-in methods. */
  readonly withSignIn: (method: string, error: RpcError) => RpcError
}

interface Options {
  readonly peer: JsonRpcPeer.JsonRpcPeer
  /** The protocol version that the peer speaks. */
  readonly version: number
  readonly onIssue: Endpoint.OnIssue
}

const readResponse = Lenient.map(Lenient.reader(Acp.InitializeResponse), (response, raw) => ({ response, raw }))

export const make = ({ onIssue, peer, version }: Options): Handshake => {
  let agent: Acp.InitializeResponse | undefined
  let rawCapabilities: unknown
  let running = false

  const withSignIn: Handshake["withSignIn"] = (method, error) => {
    const { code, data, message } = error
    if (code !== ErrorCode.AuthRequired) return error
    const authMethods = agent?.authMethods ?? []
    return new AuthRequired({ code, message, ...(data !== undefined && { data }), method, authMethods })
  }

  /** Closes the connection. A new one may use an offered version. */
  const declined = (offered: number) =>
    Effect.andThen(peer.close, Effect.fail(new UnsupportedVersion({ offered, supported: [version] })))

  const exchanged = (introduction: Introduction) =>
    Endpoint.request(peer, {
      method: "initialize",
      params: { protocolVersion: version, ...introduction } satisfies Acp.InitializeRequest,
      read: readResponse,
      onIssue,
      onError: (error) => Exit.fail(withSignIn("initialize", error))
    }).pipe(
      Effect.catch((failure): Effect.Effect<never, RequestFailure | UnsupportedVersion> => {
        const offered = failure._tag === "RpcError" ? offeredBy(failure) : undefined
        return offered === undefined ? Effect.fail(failure) : declined(offered)
      })
    )

  const initialize: Handshake["initialize"] = Effect.fn("AcpClient.initialize")(function* (introduction) {
    if (agent !== undefined || running) {
      return yield* new InvalidRequest({ method: "initialize", message: "Already initialized" })
    }
    running = true
    const { raw, response } = yield* Effect.ensuring(
      exchanged(introduction),
      Effect.sync(() => {
        running = false
      })
    )
    if (response.protocolVersion !== version) return yield* declined(response.protocolVersion)
    agent = response
    rawCapabilities = Predicate.isObject(raw) ? raw["agentCapabilities"] : undefined
    return response
  })

  return {
    initialize,
    response: () => agent,
    rawCapabilities: () => rawCapabilities,
    tooEarly: (method) =>
      agent === undefined ? new InvalidRequest({ method, message: "initialize comes first" }) : undefined,
    withSignIn
  }
}
