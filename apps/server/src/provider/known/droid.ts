import type { KnownAgent } from "./KnownAgent.ts"

export const droid: KnownAgent = {
  id: "factory-droid",
  name: "Factory Droid",
  source: "Its entry in the public registry of ACP agents, which names the variables.",
  programs: ["droid"],
  npm: { package: "droid", args: ["exec", "--output-format", "acp-daemon"] },
  env: { DROID_DISABLE_AUTO_UPDATE: "true", FACTORY_DROID_AUTO_UPDATE_ENABLED: "false" }
}
