import type { KnownAgent } from "./KnownAgent.ts"

export const opencode: KnownAgent = {
  id: "opencode",
  name: "OpenCode",
  source:
    "Its entry in the public registry of ACP agents, whose package @opencode/cli npm does not have; opencode-ai of the same makers as of 1.18.33.",
  programs: ["opencode"],
  npm: { package: "opencode-ai", args: ["acp"] },
  env: { OPENCODE_DISABLE_AUTOUPDATE: "true" }
}
