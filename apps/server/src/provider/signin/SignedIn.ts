/** Who has signed in since this process runs. */
import type { ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"
import { SignedIn, type Who } from "../Services/SignedIn.ts"

const make = Effect.gen(function* () {
  const noted = yield* PubSub.unbounded<ProviderId>()
  const told = yield* PubSub.unbounded<{ readonly id: ProviderId; readonly who: Who }>()
  const methods = new Map<ProviderId, string | undefined>()
  return SignedIn.of({
    methodOf: (id) => methods.get(id),
    note: (id, method) => {
      methods.set(id, method)
      return Effect.asVoid(PubSub.publish(noted, id))
    },
    changes: Stream.fromPubSub(noted),
    tell: (id, who) => Effect.asVoid(PubSub.publish(told, { id, who })),
    told: Stream.fromPubSub(told)
  })
})

export const layer: Layer.Layer<SignedIn> = Layer.effect(SignedIn, make)
