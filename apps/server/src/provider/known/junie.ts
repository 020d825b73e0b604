import type { KnownAgent } from "./KnownAgent.ts"

export const junie: KnownAgent = {
  id: "junie",
  name: "Junie",
  source: "Its entry in the public registry of ACP agents; where it is loaded from is not known here.",
  programs: ["junie"],
  binary: { targets: {} }
}
