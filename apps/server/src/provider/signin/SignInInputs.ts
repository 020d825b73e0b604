/** What people type or answer while they sign in, and whoever takes it in each attempt. */
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
  /** Has the input of an attempt taken by `take` until the scope closes, and then by whoever took it before. */
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
