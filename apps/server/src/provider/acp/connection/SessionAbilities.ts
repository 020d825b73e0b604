/** The operations on its own sessions that an agent offers (ACP v1, initialization). */
import type { AgentCapabilities } from "@signalbox/acp/AcpSchema"
import type { SessionAbilities } from "@signalbox/contracts/Provider"

const has = (capability: unknown): boolean => capability !== undefined && capability !== null

export const abilitiesOf = ({ loadSession, sessionCapabilities = {} }: AgentCapabilities = {}): SessionAbilities => ({
  list: has(sessionCapabilities.list),
  load: loadSession === true,
  resume: has(sessionCapabilities.resume),
  fork: has(sessionCapabilities.fork),
  close: has(sessionCapabilities.close),
  delete: has(sessionCapabilities.delete),
  archive: has(sessionCapabilities.archive),
  rename: has(sessionCapabilities.title),
  additionalDirectories: has(sessionCapabilities.additionalDirectories)
})

/** Whether the agent offers to sign out. */
export const canSignOut = ({ auth }: AgentCapabilities = {}): boolean => has(auth?.logout)
