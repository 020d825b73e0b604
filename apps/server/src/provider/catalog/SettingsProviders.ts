/** The agents from the settings, and the built-in ones with their settings. */
import { oneLine } from "../../base/Plain.ts"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { AgentSettings } from "@signalbox/contracts/Settings"
import * as Struct from "effect/Struct"
import { agentOf, type SettingsReading } from "../../settings/SettingsText.ts"
import { general } from "../drivers/Drivers.ts"
import type { OfferedProvider } from "./BuiltInProviders.ts"

/**
 * The built-in agents, then those of the settings in the file's order. Last come the invalid ones, with their reasons.
 */
export const offered = (
  builtIn: ReadonlyArray<OfferedProvider>,
  reading: SettingsReading
): ReadonlyArray<OfferedProvider> => [
  ...builtIn.map((one) => (one.provider.simulated ? one : asSet(one, reading))),
  ...Object.entries(reading.settings.agents).map(([id, agent]) => offer(id, agent)),
  ...reading.faults.flatMap((fault): ReadonlyArray<OfferedProvider> => {
    const id = agentOf(fault)
    return id === undefined ? [] : [{ ...offer(id, {}), problem: fault.problem }]
  })
]

/**
 * A built-in agent with its options. Invalid options may have meant another account, so it is not started without them.
 */
const asSet = (one: OfferedProvider, { faults, settings: { providerOptions } }: SettingsReading): OfferedProvider => {
  const fault = faults.find(({ entry: [section] }) => section === "providerOptions")
  if (fault !== undefined) return { ...one, problem: fault.problem }
  if (providerOptions?.cursor === undefined) return one
  const { components, permissions, sandbox, ...cursor } = providerOptions.cursor
  return {
    ...one,
    options: {
      ...one.options,
      cursor,
      ...(permissions !== undefined && { acp: { permissions } }),
      ...(sandbox !== undefined && { sandbox }),
      ...(components !== undefined && { components })
    }
  }
}

/** Most characters of a name. The rest says nothing that a person could use. */
const longestName = 80

const offer = (id: string, agent: AgentSettings): OfferedProvider => {
  const { components, name = id, permissions, providerOptions, registry, sandbox } = agent
  // An additional agent of a kind: its options have the kind's name.
  const [kind = general.kind] = Object.keys(providerOptions ?? {})
  return {
    // Made readable here, since the name stands in sentences, labels and records everywhere.
    provider: { id: ProviderId.make(id), kind, name: oneLine(name, longestName) || id, simulated: false },
    description: "From your settings.",
    options: {
      ...(providerOptions === undefined
        ? { acp: Struct.omit(agent, ["name", "registry", "providerOptions", "sandbox", "components"]) }
        : { ...providerOptions, ...(permissions !== undefined && { acp: { permissions } }) }),
      ...(sandbox !== undefined && { sandbox }),
      ...(components !== undefined && { components })
    },
    hidden: false,
    source: "settings",
    registryId: registry?.id
  }
}
