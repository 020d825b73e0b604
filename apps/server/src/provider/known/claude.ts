import type { KnownAgent } from "./KnownAgent.ts"

export const claude: KnownAgent = {
  id: "claude-acp",
  name: "Claude",
  source: "Its entry in the public registry of ACP agents; package as of 0.100.0.",
  programs: ["claude-agent-acp"],
  npm: { package: "@agentclientprotocol/claude-agent-acp" }
}
