import type { KnownAgent } from "./KnownAgent.ts"

export const codex: KnownAgent = {
  id: "codex-acp",
  name: "Codex",
  source: "Its entry in the public registry of ACP agents; package as of 2.6.0.",
  programs: ["codex-acp"],
  npm: { package: "@agentclientprotocol/codex-acp" }
}
