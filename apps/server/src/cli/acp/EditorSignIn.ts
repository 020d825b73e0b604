/** How an editor signs in to the agent behind: by the agent's own ways, as far as they need no terminal. */
import type * as Acp from "@signalbox/acp/AcpSchema"
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderId } from "@signalbox/contracts/Provider"
import type { SignInFrame } from "@signalbox/contracts/SignIn"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { errorOf } from "./AcpFailure.ts"
import type { ServerLink } from "./ServerLink.ts"

const methodId = "signalbox"

/**
 * One way for all agents, and one for editors with terminals. The agent's own ways are asked for when somebody wants to
 * sign in, since that starts it.
 */
export const methods = (provider: ProviderId): ReadonlyArray<Acp.AuthMethod> => [
  {
    id: methodId,
    name: `Sign in to ${provider}`,
    description: `Signs in as ${provider} offers it, often in a browser. In a terminal: signalbox login --provider ${provider}`
  },
  {
    type: "terminal",
    id: `${methodId}-terminal`,
    name: `Sign in to ${provider} in a terminal`,
    args: ["--sign-in"]
  }
]

export const signIn = Effect.fn("EditorSignIn.signIn")(function* (
  link: Pick<ServerLink, "once">,
  provider: ProviderId,
  chosen: string,
  report: (text: string) => void
): Effect.fn.Return<Acp.AuthenticateResponse, RpcError> {
  if (chosen !== methodId) return yield* RpcError.invalidParams(`There is no way to sign in called ${chosen}`)
  const { offer, state } = yield* asked(link.once((client) => client.signInState({ providerId: provider })))
  if (state === "signed-in" || state === "not-needed") return {}
  const method = offer.methods.find(({ type }) => type === "agent")
  if (method === undefined) {
    return yield* RpcError.internal(
      `${provider} offers no way to sign in from an editor. Next: signalbox login --provider ${provider}`
    )
  }
  const last = yield* asked(
    link.once((client) =>
      client.signIn({ providerId: provider, methodId: method.id }).pipe(
        Stream.tap((frame) => Effect.sync(() => told(frame, report))),
        Stream.takeUntil(isLast),
        Stream.runLast
      )
    )
  )
  const frame = Option.getOrUndefined(last)
  if (frame?.type === "done") return {}
  if (frame?.type === "failed") return yield* errorOf(frame.problem)
  return yield* RpcError.internal(
    `${provider} asks something that an editor can't show. Next: signalbox login --provider ${provider}`
  )
})

/** A question of the agent can't be answered from here, so the attempt ends with it. */
const isLast = ({ type }: SignInFrame): boolean => type === "done" || type === "failed" || type === "requested"

const told = (frame: SignInFrame, report: (text: string) => void): void => {
  if (frame.type === "link") report(`To sign in, open ${frame.url}`)
  if (frame.type === "waiting") report(frame.message)
  if (frame.type === "text") report(frame.line)
}

type Failed =
  | { readonly _tag: "Refused"; readonly problem: Problem }
  | { readonly _tag: "OutOfScope"; readonly message: string }
  | { readonly _tag: "Unanswered"; readonly message: string }

const asked = <A>(call: Effect.Effect<A, Failed>): Effect.Effect<A, RpcError> =>
  Effect.mapError(call, (error) =>
    error._tag === "Refused"
      ? errorOf(error.problem)
      : RpcError.internal(
          error._tag === "OutOfScope" ? error.message : "The connection to the server ended. Next: sign in again"
        )
  )
