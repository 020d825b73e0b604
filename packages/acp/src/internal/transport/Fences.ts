/**
 * Responses that are held back until their session's stream has delivered everything before them. A fence is a request that
 * no agent knows, sent into a session whose history is arriving.
 */
import * as Effect from "effect/Effect"
import type { HttpExchange } from "./HttpExchange.ts"
import type { Inbox } from "./Inbox.ts"

/**
 * A request that no agent knows, sent into a session whose history is arriving. The agent's refusal comes by the
 * session's stream, after the history.
 */
export const fenceMethod = "_signalbox/fence"

/** Time to wait for the answer to a fence, since an agent may ignore unknown requests. */
const fenceWithin = "2 seconds"

export interface Fences {
  /** Sends a fence into the session and holds the response back. Passes it on if nobody answers the fence in time. */
  readonly hold: (sessionId: string, response: string) => Effect.Effect<void>
  /** Removes and returns the response held behind a fence. Undefined: no fence has this id. */
  readonly release: (id: string) => string | undefined
}

export const make = (exchange: Pick<HttpExchange, "post">, inbox: Pick<Inbox, "put">): Fences => {
  /** Responses held behind a fence, by the fence's id as JSON text. */
  const held = new Map<string, string>()
  let count = 0

  return {
    hold: (sessionId, response) =>
      Effect.suspend(() => {
        count += 1
        const id = JSON.stringify(`fence-${count}`)
        held.set(id, response)
        const fence = `{"jsonrpc":"2.0","id":${id},"method":"${fenceMethod}","params":${JSON.stringify({ sessionId })}}`
        return exchange
          .post(fence, sessionId)
          .pipe(
            Effect.andThen(Effect.sleep(fenceWithin)),
            Effect.exit,
            Effect.andThen(Effect.suspend(() => (held.delete(id) ? inbox.put([response]) : Effect.void)))
          )
      }),
    release: (id) => {
      const response = held.get(id)
      if (response !== undefined) held.delete(id)
      return response
    }
  }
}
