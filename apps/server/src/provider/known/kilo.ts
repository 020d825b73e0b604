import type { KnownAgent } from "./KnownAgent.ts"

export const kilo: KnownAgent = {
  id: "kilo",
  name: "Kilo",
  source: "Its entry in the public registry of ACP agents; package as of 7.8.1.",
  programs: ["kilo", "kilocode"],
  npm: { package: "@kilocode/cli", args: ["acp"] }
}
