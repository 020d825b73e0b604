/** Reads who is signed in from an agent's own report, and notes it in the list of agents. */
import type { SignInState } from "@signalbox/contracts/SignIn"
import * as Effect from "effect/Effect"
import type { ProviderError } from "../../base/ProviderError.ts"
import { loginOf, whoOf } from "../acp/connection/AuthStatus.ts"
import { canSignOut } from "../acp/connection/SessionAbilities.ts"
import type { AgentVisit } from "../acp/visits/AgentVisit.ts"
import type { LoginCheck, ProviderCatalog } from "../Services/ProviderCatalog.ts"

type Catalog = Pick<ProviderCatalog["Service"], "noteLogin">

/** The agent's report, which is also noted in the list of agents. */
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
    // The sign-in is complete, even if this question fails.
    Effect.orElseSucceed(() => "unknown" as const),
    Effect.tap((state) => (state === "unknown" ? catalog.noteLogin(visit.provider, otherwise) : Effect.void))
  )

/** The agent's report. Its accounts are only for people to read. */
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

/** The sign-in after a program of the agent exited successfully. */
export const signedInBy = (method: string): LoginCheck => ({
  name: "login",
  state: "ok",
  detail: `Somebody signed in just now, by “${method}”.`
})

/**
 * The sign-in after the agent accepted a method. It is weak evidence: some agents do nothing, and have people run a
 * program.
 */
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
