import type { KnownAgent } from "./KnownAgent.ts"

export const goose: KnownAgent = {
  id: "goose",
  name: "goose",
  source: "Its entry in the public registry of ACP agents; where it is loaded from is not known here.",
  programs: ["goose"],
  binary: { targets: {} }
}
