import type { KnownAgent } from "./KnownAgent.ts"

export const copilotLanguageServer: KnownAgent = {
  id: "github-copilot",
  name: "GitHub Copilot",
  source: "Its entry in the public registry of ACP agents.",
  programs: ["copilot-language-server"],
  npm: { package: "@github/copilot-language-server", args: ["--acp"] }
}
