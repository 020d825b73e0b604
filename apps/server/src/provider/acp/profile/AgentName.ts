/**
 * The name of an agent in sentences. The name in the settings or the registry counts. An agent given only by its
 * command line gets its known name, or the name it reports: "node could not do that" helps nobody. For display only.
 */
import type { InitializeResponse } from "@signalbox/acp/AcpSchema"
import type { ProviderRef } from "@signalbox/contracts/Provider"
import { oneLine, stripped } from "../../../base/Plain.ts"
import type { AgentProfile } from "./AgentProfile.ts"
import type { Launch } from "../../agent/Launch.ts"
import * as KnownPrograms from "./KnownPrograms.ts"

/** Most characters of a name that an agent reports. */
const longest = 40
/** Most characters of a reported name that are read. */
const looked = 400

/** Whether an agent has no name: `--agent` gives only its program. */
const isNameless = ({ id }: Pick<ProviderRef, "id">): boolean => id === "custom"

/** A profile with the name that people chose, until `introduce` receives the agent's own description. */
export const profileOf = (
  profile: AgentProfile,
  provider: ProviderRef
): {
  readonly profile: AgentProfile
  readonly introduce: (launch: Launch, agent: Pick<InitializeResponse, "agentInfo">) => void
} => {
  let { name } = provider
  return {
    // The name is a getter, so that later sentences use the better name.
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
