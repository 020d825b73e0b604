/** Routes what people type or answer to their sign-in attempt. */
import type { SignInId } from "@signalbox/contracts/Ids"
import { type SignInInput, SignInOver } from "@signalbox/contracts/SignIn"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import type { ProviderError } from "../../base/ProviderError.ts"

export type TakeInput = (input: SignInInput) => Effect.Effect<void, ProviderError>

export interface SignInInputs {
  /** Sends an attempt's input to `take` until the scope closes. Afterwards the earlier receiver gets it again. */
  readonly listen: (signInId: SignInId, take: TakeInput) => Effect.Effect<void, never, Scope.Scope>
  readonly send: (signInId: SignInId, input: SignInInput) => Effect.Effect<void, SignInOver | ProviderError>
}

export const make: Effect.Effect<SignInInputs> = Effect.map(
  Ref.make(HashMap.empty<SignInId, TakeInput>()),
  (takers): SignInInputs => ({
    listen: (signInId, take) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Ref.modify(takers, (all) => [HashMap.get(all, signInId), HashMap.set(all, signInId, take)]),
          (before) =>
            Ref.update(
              takers,
              Option.match(before, {
                onNone: () => HashMap.remove(signInId),
                onSome: (taker) => HashMap.set(signInId, taker)
              })
            )
        )
      ),
    send: Effect.fnUntraced(function* (signInId, input) {
      const take = HashMap.get(yield* Ref.get(takers), signInId)
      if (Option.isNone(take)) return yield* new SignInOver({ signInId })
      yield* take.value(input)
    })
  })
)
