import type { KnownAgent } from "./KnownAgent.ts"

export const fastAgent: KnownAgent = {
  id: "fast-agent",
  name: "fast-agent",
  source: "Its entry in the public registry of ACP agents.",
  programs: ["fast-agent-acp"],
  pypi: { package: "fast-agent-acp", version: "0.10.1", args: ["-x"] }
}
