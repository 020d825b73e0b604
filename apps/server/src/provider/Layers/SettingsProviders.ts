/** The agents that people have put into their settings. */
import { type AcpOptions, ProviderId } from "@signalbox/contracts/Provider"
import type { AgentSettings } from "@signalbox/contracts/Settings"
import * as Struct from "effect/Struct"
import * as CommandLine from "effect/process/CommandLine"
import { agentOf, type SettingsReading } from "../../settings/SettingsText.ts"
import type { OfferedProvider } from "./BuiltInProviders.ts"

/** In the order of the file: those that are in force, and those that are not, with the reason. */
export const offeredIn = ({ faults, settings }: SettingsReading): ReadonlyArray<OfferedProvider> => [
  ...Object.entries(settings.agents).map(([id, agent]) => offer(id, agent)),
  ...faults.flatMap((fault): ReadonlyArray<OfferedProvider> => {
    const id = agentOf(fault)
    return id === undefined ? [] : [{ ...offer(id, {}), problem: fault.problem }]
  })
]

const offer = (id: string, agent: AgentSettings): OfferedProvider => ({
  provider: { id: ProviderId.make(id), kind: "acp", name: agent.name ?? id, simulated: false },
  description: "From your settings.",
  options: { acp: Struct.omit(agent, ["name", "registry"]) },
  hidden: false,
  source: "settings",
  registryId: agent.registry?.id
})

/** As one would type it; of an agent that runs elsewhere its address. */
export const commandLineOf = ({ args = [], command, url = "" }: AcpOptions): string =>
  command === undefined ? url : CommandLine.display([command, ...args])
