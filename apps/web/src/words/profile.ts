/** Who answers what an agent asks for and no rule answers, and how long that holds. */
import type { PermissionProfile, ProviderStatus } from "@signalbox/contracts/Provider"
import type { ThreadView } from "@signalbox/contracts/ThreadView"

export interface ProfileState {
  readonly profile: PermissionProfile
  /** `session`: people chose it until the session ends. `thread`: the thread was started with it. */
  readonly by: "session" | "thread" | "settings"
}

type Thread = Pick<ThreadView, "session" | "provider">

/** The profile that counts for a thread now. */
export const profileState = (
  { provider, session }: Thread,
  agents: ReadonlyArray<ProviderStatus> | undefined
): ProfileState => {
  if (session.profile !== undefined) return { profile: session.profile, by: "session" }
  const { grants } = session
  if (grants?.ownPermissions) return { profile: grants.permissions, by: "thread" }
  const settings = agents?.find((agent) => agent.provider.id === provider.id)?.permissions
  return { profile: settings ?? grants?.permissions ?? "ask", by: "settings" }
}

/** What a profile does, after the agent's name. */
export const profileWords: Readonly<Record<PermissionProfile, string>> = {
  ask: "Everything is asked for.",
  "allow-reads": "Reading in the thread’s folders isn’t asked for.",
  "read-only": "Reading in the thread’s folders isn’t asked for. Changes and commands are refused.",
  edits: "Reading and changing files in the thread’s folders aren’t asked for. Commands are.",
  bypass: "Nothing is asked for, unless a rule denies it or asks about it."
}

export const profileNames: Readonly<Record<PermissionProfile, string>> = {
  ask: "Ask",
  "allow-reads": "Reading",
  "read-only": "Read only",
  edits: "Edits in the project",
  bypass: "Bypass"
}

/** The order in which profiles are offered, from the narrowest. */
export const profiles: ReadonlyArray<PermissionProfile> = ["read-only", "ask", "allow-reads", "edits", "bypass"]
