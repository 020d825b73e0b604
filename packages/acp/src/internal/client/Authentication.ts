/** Logging in, when an agent asks for it, and whether one is (ACP v1, authentication). */
import * as Effect from "effect/Effect"
import { AuthRequired, InvalidRequest } from "../protocol/AcpError.ts"
import type { AuthMethod, AuthStatusResponse } from "../generated/v1.ts"

/**
 * Makes a call, and when the agent wants a login first, logs in and makes it once more. An agent that wants another login after
 * that is believed: there is no second try.
 *
 * @param call any request of a client, one that can be sent twice
 * @param login ends with a login, or fails with why there is none
 */
export const retryOnce = <A, E, R, E2, R2>(
  call: Effect.Effect<A, E, R>,
  login: (required: AuthRequired) => Effect.Effect<unknown, E2, R2>
): Effect.Effect<A, E | E2, R | R2> =>
  Effect.catchIf(
    call,
    (failure) => failure instanceof AuthRequired,
    (required) => Effect.andThen(login(required), call)
  )

/** Why a method must not be given to `authenticate`: it has to be offered, and one for a terminal is done there. */
export const refusal = (methods: ReadonlyArray<AuthMethod>, methodId: string): InvalidRequest | undefined => {
  const method = methods.find(({ id }) => id === methodId)
  if (method !== undefined && method.type !== "terminal") return undefined
  const message =
    method === undefined
      ? `The agent does not offer ${methodId}`
      : `${methodId} is done in a terminal, not by authenticate`
  return new InvalidRequest({ method: "authenticate", message })
}

/** `unknown` stands for every state that is none of the others too. */
export type AuthState = "authenticated" | "unauthenticated" | "not_required" | "unknown"

/** Only `state` is to be acted on. Accounts are for people to read, no ids, and belong in no log. */
export interface AuthStatus extends Omit<AuthStatusResponse, "state"> {
  readonly state: AuthState
}

const states: ReadonlyArray<AuthState> = ["authenticated", "unauthenticated", "not_required"]

/** A status as it was sent, with a state that can be acted on. */
export const statusOf = ({ state, ...rest }: AuthStatusResponse): AuthStatus => ({
  ...rest,
  state: states.find((known) => known === state) ?? "unknown"
})
