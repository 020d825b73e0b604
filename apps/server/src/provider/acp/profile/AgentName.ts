/**
 * What people call an agent in sentences. Its name in the settings or in the registry counts. One that was given by its command line alone
 * is called as it is known, or as it calls itself: "node could not do that" helps nobody. For display only, nothing follows from it.
 */
import type { InitializeResponse } from "@signalbox/acp/AcpSchema"
import type { ProviderRef } from "@signalbox/contracts/Provider"
import { oneLine, stripped } from "../../../base/Plain.ts"
import type { AgentProfile } from "./AgentProfile.ts"
import type { Launch } from "../../agent/Launch.ts"
import * as KnownPrograms from "./KnownPrograms.ts"

/** Characters of a name that an agent gives itself. */
const longest = 40
/** Characters that are looked at for these. */
const looked = 400

/** The agent that `--agent` names has no name of its own but that of its program. */
const isNameless = ({ id }: Pick<ProviderRef, "id">): boolean => id === "custom"

/** A profile under the name by which people chose the agent, until `introduce` is told what it says of itself. */
export const profileOf = (
  profile: AgentProfile,
  provider: ProviderRef
): {
  readonly profile: AgentProfile
  readonly introduce: (launch: Launch, agent: Pick<InitializeResponse, "agentInfo">) => void
} => {
  let { name } = provider
  return {
    // Whoever speaks of it from now on uses the better name.
    profile: Object.defineProperty({ ...profile }, "name", { enumerable: true, get: () => name }),
    introduce: ({ args, command }, { agentInfo }) => {
      if (!isNameless(provider)) return
      const known = KnownPrograms.agentOf(command, args)?.name
      name = known ?? shown(agentInfo?.title) ?? shown(agentInfo?.name) ?? name
    }
  }
}

const shown = (name: string | null | undefined): string | undefined =>
  typeof name === "string" ? oneLine(stripped(name.slice(0, looked)), longest) || undefined : undefined
