import type { KnownAgent } from "./KnownAgent.ts"

export const copilot: KnownAgent = {
  id: "github-copilot-cli",
  name: "GitHub Copilot CLI",
  source: "Its entry in the public registry of ACP agents; package as of 1.0.102.",
  programs: ["copilot"],
  npm: { package: "@github/copilot", args: ["--acp"] }
}
