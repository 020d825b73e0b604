import type { KnownAgent } from "./KnownAgent.ts"

export const cagent: KnownAgent = {
  id: "cagent",
  name: "cagent",
  source: "Its entry in the public registry of ACP agents; where it is loaded from is not known here.",
  programs: ["cagent"],
  binary: { targets: {} }
}
