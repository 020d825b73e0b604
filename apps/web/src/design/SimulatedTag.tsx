import type { ProviderRef } from "@signalbox/contracts/Provider"

/** Marks what stands in for a real agent, unless its name says so already. */
export const SimulatedTag = ({ provider }: { readonly provider: ProviderRef }) =>
  provider.simulated && !/simulated/i.test(provider.name) ? <span className="tag">simulated</span> : null
