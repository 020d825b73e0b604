import type { KnownAgent } from "./KnownAgent.ts"

export const stakpak: KnownAgent = {
  id: "stakpak",
  name: "Stakpak",
  source: "Its entry in the public registry of ACP agents; where it is loaded from is not known here.",
  programs: ["stakpak"],
  binary: { targets: {} }
}
