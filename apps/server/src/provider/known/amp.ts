import type { KnownAgent } from "./KnownAgent.ts"

export const amp: KnownAgent = {
  id: "amp-acp",
  name: "Amp",
  source: "Its entry in the public registry of ACP agents, which names no address that is known here.",
  programs: ["amp-acp"],
  binary: { targets: {} }
}
