import type { KnownAgent } from "./KnownAgent.ts"

export const kimi: KnownAgent = {
  id: "kimi",
  name: "Kimi CLI",
  source: "Its entry in the public registry of ACP agents; where it is loaded from is not known here.",
  programs: ["kimi"],
  binary: { targets: {} }
}
