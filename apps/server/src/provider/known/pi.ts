import type { KnownAgent } from "./KnownAgent.ts"

export const pi: KnownAgent = {
  id: "pi-acp",
  name: "pi",
  source: "Its entry in the public registry of ACP agents; package as of 0.0.34. It runs pi, which has to be there.",
  programs: ["pi-acp"],
  npm: { package: "pi-acp" }
}
