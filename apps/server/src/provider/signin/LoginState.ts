/** Who is signed in to an agent, as it says itself, and noted in the list of agents. */
import type { SignInState } from "@signalbox/contracts/SignIn"
import * as Effect from "effect/Effect"
import type { ProviderError } from "../../base/ProviderError.ts"
import { loginOf, whoOf } from "../acp/connection/AuthStatus.ts"
import { canSignOut } from "../acp/connection/SessionAbilities.ts"
import type { AgentVisit } from "../acp/visits/AgentVisit.ts"
import type { LoginCheck, ProviderCatalog } from "../Services/ProviderCatalog.ts"

type Catalog = Pick<ProviderCatalog["Service"], "noteLogin">

/** What the agent says, for the list of agents too. */
export const observed = (catalog: Catalog, visit: AgentVisit): Effect.Effect<SignInState, ProviderError> =>
  Effect.tap(stateOf(visit), (state) => {
    const login = loginOf(state)
    return login === undefined ? Effect.void : catalog.noteLogin(visit.provider, login)
  })

/** Notes the login after something was done. If the agent does not report it, `otherwise` is what is known. */
export const noteAfter = (
  catalog: Catalog,
  visit: AgentVisit,
  otherwise: LoginCheck
): Effect.Effect<SignInState["state"]> =>
  observed(catalog, visit).pipe(
    Effect.map(({ state }) => state),
    // It was done, whatever becomes of this question.
    Effect.orElseSucceed(() => "unknown" as const),
    Effect.tap((state) => (state === "unknown" ? catalog.noteLogin(visit.provider, otherwise) : Effect.void))
  )

/** What the agent says of it; the accounts are for people to read. */
const stateOf = Effect.fnUntraced(function* ({
  agent,
  ask,
  client,
  profile,
  provider
}: AgentVisit): Effect.fn.Return<SignInState, ProviderError> {
  const { agentCapabilities } = agent
  const known = {
    offer: profile.signIn ?? { providerId: provider, methods: [] },
    signOut: canSignOut(agentCapabilities)
  }
  const tells = agentCapabilities?.auth?.status
  if (tells === undefined || tells === null) return { ...known, state: "unknown", accounts: [] }
  const status = yield* ask("auth/status", client.authStatus({}))
  return { ...known, ...whoOf(status) }
})

/** The login after a program of the agent ended well. */
export const signedInBy = (method: string): LoginCheck => ({
  name: "login",
  state: "ok",
  detail: `Somebody signed in just now, by “${method}”.`
})

/** That an agent took it says little: some do nothing, and have people run a program instead. */
export const acceptedAs = (method: string): LoginCheck => ({
  name: "login",
  state: "ok",
  detail: `It accepted “${method}” just now.`
})

export const signedOut: LoginCheck = {
  name: "login",
  state: "attention",
  detail: "Somebody signed out just now."
}
