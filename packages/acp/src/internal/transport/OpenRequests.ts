/** Unanswered requests of sessions, from both sides. Ids are JSON text. */
import { ErrorCode } from "../rpc/JsonRpc.ts"
import type { TransportError } from "../rpc/Transport.ts"

/** A request of the client in a session. */
export interface OpenRequest {
  readonly sessionId: string
  readonly method: string
}

export interface OpenRequests {
  /** Adds a request of the client. */
  readonly add: (id: string, request: OpenRequest) => void
  /** Removes and returns a request of the client. Undefined if it has its response, or is in no session. */
  readonly take: (id: string) => OpenRequest | undefined
  /** Removes the client's requests in a session. Returns the responses that fail them with this error. */
  readonly fail: (sessionId: string, error: TransportError) => ReadonlyArray<string>
  /** Adds a request of the agent. */
  readonly addAsked: (id: string, sessionId: string) => void
  /** Removes a request of the agent, and returns its session. */
  readonly takeAsked: (id: string) => string | undefined
}

export const make = (): OpenRequests => {
  const requests = new Map<string, OpenRequest>()
  const asked = new Map<string, string>()

  const taken = <A>(from: Map<string, A>, id: string): A | undefined => {
    const value = from.get(id)
    from.delete(id)
    return value
  }

  return {
    add: (id, request) => void requests.set(id, request),
    take: (id) => taken(requests, id),
    fail: (sessionId, error) => {
      const ids = [...requests].filter(([, request]) => request.sessionId === sessionId).map(([id]) => id)
      for (const id of ids) requests.delete(id)
      return ids.map((id) => failure(id, error))
    },
    addAsked: (id, sessionId) => void asked.set(id, sessionId),
    takeAsked: (id) => taken(asked, id)
  }
}

/** The response to a request that did not reach the agent. */
export const failure = (id: string, { body, message, status }: TransportError): string => {
  const data = status === undefined ? undefined : { status, body }
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code: ErrorCode.InternalError, message, data })}}`
}
