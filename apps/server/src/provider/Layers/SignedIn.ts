/** Who has signed in since this process runs. */
import type { ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"
import { SignedIn } from "../Services/SignedIn.ts"

export const layer = Layer.effect(
  SignedIn,
  Effect.map(PubSub.unbounded<ProviderId>(), (noted) => {
    const methods = new Map<ProviderId, string | undefined>()
    return SignedIn.of({
      methodOf: (id) => methods.get(id),
      note: (id, method) => {
        methods.set(id, method)
        return Effect.asVoid(PubSub.publish(noted, id))
      },
      changes: Stream.fromPubSub(noted)
    })
  })
)
