/** The present client. Each connection has its own, and between two there is none. */
import * as Effect from "effect/Effect"
import type { Client } from "./Client.ts"

/** The next client that isn't `spent`. Waits without a limit. */
export type ClientAfter<Any = Client> = (spent?: Any) => Effect.Effect<Any>

export interface CurrentClient<Any = Client> {
  /** Sets the client. Undefined: the connection is gone. */
  readonly set: (client: Any | undefined) => void
  readonly after: ClientAfter<Any>
  /** The client of this moment. Undefined between two connections. */
  readonly now: () => Any | undefined
}

export const make = <Any = Client>(): CurrentClient<Any> => {
  let current: Any | undefined
  const waiting = new Set<() => void>()
  return {
    now: () => current,
    set: (client) => {
      current = client
      for (const look of waiting) look()
    },
    after: (spent) =>
      Effect.callback((resume) => {
        const look = () => {
          if (current === undefined || current === spent) return
          waiting.delete(look)
          resume(Effect.succeed(current))
        }
        waiting.add(look)
        look()
        return Effect.sync(() => waiting.delete(look))
      })
  }
}
