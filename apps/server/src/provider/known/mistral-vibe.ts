import type { KnownAgent } from "./KnownAgent.ts"

export const mistralVibe: KnownAgent = {
  id: "mistral-vibe",
  name: "Mistral Vibe",
  source: "Its entry in the public registry of ACP agents; where it is loaded from is not known here.",
  programs: ["vibe-acp"],
  binary: { targets: {} }
}
