/** The rights that an agent's settings grant to a session. */
import type { Grants } from "@signalbox/contracts/Grants"
import type { StartSession } from "../../Services/ProviderAdapter.ts"
import type { AgentProfile } from "../profile/AgentProfile.ts"

export const of = (profile: Pick<AgentProfile, "workspace">, input: Pick<StartSession, "providerOptions">): Grants => {
  const { environment, files, hardLinks, terminals } = profile.workspace(input)
  const permissions = input.providerOptions.acp?.permissions ?? "ask"
  return { permissions, files, hardLinks: hardLinks !== undefined, terminals, environment: environment === "all" }
}
