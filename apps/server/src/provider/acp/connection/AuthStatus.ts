/** Converts an agent's report of who is signed in (ACP v1, authentication). */
import type { AuthStatus } from "@signalbox/acp/Authentication"
import type { SignInState } from "@signalbox/contracts/SignIn"
import { stripped } from "../../../base/Plain.ts"
import type { LoginCheck } from "../../Services/ProviderCatalog.ts"
import type { Who } from "../../Services/SignedIn.ts"

const states: Readonly<Record<AuthStatus["state"], SignInState["state"]>> = {
  authenticated: "signed-in",
  unauthenticated: "signed-out",
  not_required: "not-needed",
  unknown: "unknown"
}

/** The accounts are only for people to read: no decision may depend on them. */
export const whoOf = ({ accounts = [], state }: AuthStatus): Who => ({
  state: states[state],
  accounts: accounts.map(({ label }) => stripped(label))
})

/** The sign-in line in the checks of an agent. Undefined if the agent does not report it. */
export const loginOf = ({ accounts, state }: Who): LoginCheck | undefined => {
  const who = accounts.length === 0 ? "Somebody is signed in" : `Signed in as ${accounts.join(", ")}`
  switch (state) {
    case "signed-in":
      return { name: "login", state: "ok", detail: `${who}, the agent says.` }
    case "signed-out":
      return { name: "login", state: "attention", detail: "Nobody is signed in, the agent says." }
    case "not-needed":
      return { name: "login", state: "ok", detail: "Nobody has to sign in, the agent says." }
    case "unknown":
      return undefined
  }
}
