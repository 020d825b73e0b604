/** Signing in to agents and out of them. */
import type { SignInId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderId } from "@signalbox/contracts/Provider"
import type { SignInFrame, SignInInput, SignInOver, SignInState, TerminalSize } from "@signalbox/contracts/SignIn"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { ProviderError } from "../../base/ProviderError.ts"

export class SignIns extends Context.Service<
  SignIns,
  {
    /** The ways in, and who is signed in as far as the agent tells. */
    readonly state: (id: ProviderId) => Effect.Effect<SignInState, ProviderError>
    /** What the agent says when it is asked for a session and refuses; undefined where it opens one, which is then ended. */
    readonly refusal: (id: ProviderId) => Effect.Effect<Problem | undefined, ProviderError>
    /**
     * Signs in by a method that the agent offers. Ends with `done` or `failed`; ending the stream before gives up. A method that needs a
     * terminal gets one of this size, or that of our own process (`inherit`). In the latter nothing of what it shows comes out here.
     */
    readonly signIn: (
      id: ProviderId,
      methodId: string,
      terminal: TerminalSize | "inherit"
    ) => Stream.Stream<SignInFrame>
    /** What people type or answer meanwhile. An answer that does not fit what was asked fails as `respondToRequest` does. */
    readonly input: (signInId: SignInId, input: SignInInput) => Effect.Effect<void, SignInOver | ProviderError>
    /** Fails with `unsupported` where the agent does not offer it. */
    readonly signOut: (id: ProviderId) => Effect.Effect<void, ProviderError>
  }
>()("@signalbox/server/provider/SignIns") {}
