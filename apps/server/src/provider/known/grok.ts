import type { KnownAgent } from "./KnownAgent.ts"

export const grok: KnownAgent = {
  id: "grok-build",
  name: "Grok Build",
  source: "Its entry in the public registry of ACP agents; package as of 1.0.41.",
  programs: ["grok"],
  npm: { package: "@xai-official/grok", args: ["agent", "stdio"] }
}
