/** Who has signed in since this process started. */
import type { ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import { SignedIn, type Who } from "../Services/SignedIn.ts"

const make = Effect.gen(function* () {
  const noted = yield* PubSub.unbounded<ProviderId>()
  const reports = yield* PubSub.unbounded<{ readonly id: ProviderId; readonly who: Who }>()
  const methods = yield* Ref.make(HashMap.empty<ProviderId, string | undefined>())
  return SignedIn.of({
    methodOf: (id) => Effect.map(Ref.get(methods), (all) => Option.getOrUndefined(HashMap.get(all, id))),
    note: (id, method) =>
      Effect.asVoid(Effect.andThen(Ref.update(methods, HashMap.set(id, method)), PubSub.publish(noted, id))),
    changes: Stream.fromPubSub(noted),
    report: (id, who) => Effect.asVoid(PubSub.publish(reports, { id, who })),
    reports: Stream.fromPubSub(reports)
  })
})

export const layer: Layer.Layer<SignedIn> = Layer.effect(SignedIn, make)
