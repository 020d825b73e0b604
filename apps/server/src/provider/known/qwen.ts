import type { KnownAgent } from "./KnownAgent.ts"

export const qwen: KnownAgent = {
  id: "qwen-code",
  name: "Qwen Code",
  source: "Its entry in the public registry of ACP agents; package as of 0.24.4.",
  programs: ["qwen"],
  npm: { package: "@qwen-code/qwen-code", args: ["--acp", "--experimental-skills"] }
}
