/** Signs in to agents and out of them. */
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
    /** The sign-in methods, and who is signed in as far as the agent reports it. */
    readonly state: (id: ProviderId) => Effect.Effect<SignInState, ProviderError>
    /** The agent's reason for refusing a session. Undefined if it opens one, which is ended again. */
    readonly refusal: (id: ProviderId) => Effect.Effect<Problem | undefined, ProviderError>
    /**
     * Signs in by a method that the agent offers. Ends with `done` or `failed`; ending the stream earlier stops the
     * attempt. A method that needs a terminal gets one of this size, or our own process's terminal (`inherit`). With
     * `inherit`, the stream has none of the terminal's output.
     */
    readonly signIn: (
      id: ProviderId,
      methodId: string,
      terminal: TerminalSize | "inherit"
    ) => Stream.Stream<SignInFrame>
    /** Sends what people type or answer during a sign-in. An unfitting answer fails as in `respondToRequest`. */
    readonly input: (signInId: SignInId, input: SignInInput) => Effect.Effect<void, SignInOver | ProviderError>
    /** Signs out. Fails with `unsupported` if the agent does not offer it. */
    readonly signOut: (id: ProviderId) => Effect.Effect<void, ProviderError>
  }
>()("@signalbox/server/provider/SignIns") {}
