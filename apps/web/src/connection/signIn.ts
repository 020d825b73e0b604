/** Signing in to agents. An attempt lives with its connection: when that is lost, the server gives it up. */
import type { ProviderId } from "@signalbox/contracts/Provider"
import type { SignInId } from "@signalbox/contracts/Ids"
import type { SignInFrame, SignInInput, SignInState, TerminalSize } from "@signalbox/contracts/SignIn"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { once, persistently } from "./calls.ts"
import { clientAfter } from "./link.ts"

/** Resolves when the attempt has ended, however. Giving up is to abort. */
export const signIn = (
  attempt: { readonly providerId: ProviderId; readonly methodId: string; readonly size: TerminalSize },
  onFrame: (frame: SignInFrame) => void,
  signal: AbortSignal
): Promise<void> =>
  Effect.runPromise(
    Effect.flatMap(clientAfter(), (client) =>
      Stream.runForEach(client.signIn(attempt), (frame) => Effect.sync(() => onFrame(frame)))
    ),
    { signal }
  )

/** Rejects with `SignInOver` when the attempt has ended. Keys are never sent twice. */
export const signInInput = (signInId: SignInId, input: SignInInput): Promise<void> =>
  Effect.runPromise(Effect.flatMap(clientAfter(), (client) => client.signInInput({ signInId, input })))

/** Starts the agent for it. Rejects with `Refused`. */
export const signInState = (providerId: ProviderId, signal?: AbortSignal): Promise<SignInState> =>
  Effect.runPromise(
    persistently((client) => client.signInState({ providerId })),
    { ...(signal && { signal }) }
  )

/** Rejects with `Refused`. */
export const signOut = (providerId: ProviderId): Promise<void> =>
  Effect.runPromise(once((client) => client.signOut({ providerId })))
