/** Calls that survive their connection. */
import * as Effect from "effect/Effect"
import type { RpcClientError } from "effect/rpc/RpcClientError"
import { type Client, whenLost } from "./Client.ts"
import type { ClientAfter } from "./CurrentClient.ts"

/** Makes a call, and repeats it on the next connection if this one breaks. Only for calls that may be repeated. */
export const persistently =
  <Any = Client>(clientAfter: ClientAfter<Any>) =>
  <A, E>(call: (client: Any) => Effect.Effect<A, E | RpcClientError>): Effect.Effect<A, Exclude<E, RpcClientError>> =>
    Effect.gen(function* () {
      let spent: Any | undefined
      while (true) {
        const client: Any = yield* clientAfter(spent)
        const answer = yield* call(client).pipe(
          Effect.map((value) => ({ value })),
          whenLost(undefined)
        )
        if (answer) return answer.value
        spent = client
      }
    })
