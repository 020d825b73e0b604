/** Builds the methods of a client. Each refuses what the agent has not offered, and what the protocol forbids. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import type * as Schema from "effect/Schema"
import type * as Acp from "../generated/v1.ts"
import { CapabilityMissing, InvalidRequest } from "../protocol/AcpError.ts"
import * as Capabilities from "../protocol/Capabilities.ts"
import * as Endpoint from "../protocol/Endpoint.ts"
import type { Method } from "../protocol/Endpoint.ts"
import { ErrorCode } from "../rpc/JsonRpc.ts"
import type * as JsonRpcPeer from "../rpc/JsonRpcPeer.ts"
import * as Lenient from "../schema/Lenient.ts"
import type { Handshake } from "./Handshake.ts"
import * as LegacyModels from "./LegacyModels.ts"
import * as SessionSetup from "./SessionSetup.ts"
import type { Subagents } from "./Subagents.ts"

/** The call was not sent: the agent has not offered it, or the protocol forbids it. */
export type Refused = CapabilityMissing | InvalidRequest

/** The response that opens a session. */
export type Opened<A> = A & LegacyModels.WithModels

/** What a method does beside sending its request and reading the result. */
interface Extras<Params, A> {
  /** Why these parameters can't be sent to this agent. */
  readonly refuse?: (agent: Acp.AgentCapabilities, params: Params) => Refused | Capabilities.Missing
  /** Default: the error is the failure. */
  readonly onError?: Endpoint.OnError<A> | undefined
}

export interface Requests {
  /** Why a call of this method can't be sent. Undefined: it can be sent. */
  readonly refusalOf: (method: string, params: unknown) => Refused | undefined
  readonly request: <Params, A>(
    method: string,
    read: Lenient.Reader<A>,
    extras?: Extras<Params, A>
  ) => Method<Params, A>
  /** A method whose result is read by its schema alone. */
  readonly simple: <Params, A>(method: string, schema: Schema.Codec<A, unknown>) => Method<Params, A>
  /** A method that opens a session. */
  readonly opening: <Params extends SessionSetup.SessionSetup, A extends object>(
    method: string,
    schema: Schema.Codec<A, unknown>
  ) => Method<Params, Opened<A>>
  /** A method that ends a session on the agent's side, and forgets its sub-agents. */
  readonly ending: <A extends object>(
    method: string,
    schema: Schema.Codec<A, unknown>,
    onError?: Endpoint.OnError<A>
  ) => Method<{ readonly sessionId: string }, A>
}

interface Options {
  readonly peer: JsonRpcPeer.JsonRpcPeer
  readonly handshake: Pick<Handshake, "response" | "tooEarly" | "withSignIn">
  readonly subagents: Pick<Subagents, "get" | "forget">
  readonly onIssue: Endpoint.OnIssue
}

export const make = ({ handshake, onIssue, peer, subagents }: Options): Requests => {
  const capabilities = () => handshake.response()?.agentCapabilities ?? {}

  const refusalOf: Requests["refusalOf"] = (method, params) => {
    const tooEarly = handshake.tooEarly(method)
    if (tooEarly !== undefined) return tooEarly
    const sessionId = Predicate.isObject(params) ? params["sessionId"] : undefined
    if (typeof sessionId === "string" && subagents.get(sessionId) !== undefined) {
      return new InvalidRequest({ method, message: `${sessionId} is the session of a sub-agent` })
    }
    const capability = Capabilities.missingForMethod(capabilities(), method)
    return capability === undefined ? undefined : new CapabilityMissing({ method, capability })
  }

  const request: Requests["request"] =
    (method, read, { onError = Exit.fail, refuse } = {}) =>
    (params, options) =>
      Effect.suspend(() => {
        const refusal = refusalOf(method, params) ?? refuse?.(capabilities(), params)
        if (typeof refusal === "string") return Effect.fail(new CapabilityMissing({ method, capability: refusal }))
        if (refusal !== undefined) return Effect.fail(refusal)
        return Endpoint.request(peer, {
          method,
          params,
          read,
          onIssue,
          options,
          onError: (error) => onError(handshake.withSignIn(method, error))
        })
      })

  const opening: Requests["opening"] = <Params extends SessionSetup.SessionSetup, A extends object>(
    method: string,
    schema: Schema.Codec<A, unknown>
  ): Method<Params, Opened<A>> => {
    const send = request<Params, Opened<A>>(method, LegacyModels.reader(Lenient.reader(schema)), {
      refuse: (agent, params) => SessionSetup.refusal(agent, method, params)
    })
    return (params, options) => send(SessionSetup.normalized(params), options)
  }

  const ending: Requests["ending"] = <A extends object>(
    method: string,
    schema: Schema.Codec<A, unknown>,
    onError?: Endpoint.OnError<A>
  ): Method<{ readonly sessionId: string }, A> => {
    const send = request<{ readonly sessionId: string }, A>(method, Lenient.reader(schema), { onError })
    return (params, options) =>
      send(params, {
        onResponse: (exit, line) => {
          if (Exit.isSuccess(exit)) subagents.forget(params.sessionId)
          return options?.onResponse?.(exit, line) ?? Effect.void
        }
      })
  }

  return {
    refusalOf,
    request,
    simple: (method, schema) => request(method, Lenient.reader(schema)),
    opening,
    ending
  }
}

/** Treats an unknown session as successfully ended. */
export const goneIsDone: Endpoint.OnError<{}> = (error) =>
  error.code === ErrorCode.ResourceNotFound ? Exit.succeed({}) : Exit.fail(error)
