/** Calls that outlive a connection. */
import * as Effect from "effect/Effect"
import type { RpcClientError } from "effect/rpc/RpcClientError"
import { type Client, whenLost } from "./Client.ts"
import { clientAfter } from "./link.ts"

/** Runs a call, on the next connection again if this one breaks meanwhile. Only for what may be asked twice. */
export const persistently = <A, E>(
  call: (client: Client) => Effect.Effect<A, E | RpcClientError>
): Effect.Effect<A, Exclude<E, RpcClientError>> =>
  Effect.gen(function* () {
    let spent: Client | undefined
    while (true) {
      const client: Client = yield* clientAfter(spent)
      const answer = yield* call(client).pipe(
        Effect.map((value) => ({ value })),
        whenLost(undefined)
      )
      if (answer) return answer.value
      spent = client
    }
  })
