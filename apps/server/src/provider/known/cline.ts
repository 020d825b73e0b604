import type { KnownAgent } from "./KnownAgent.ts"

export const cline: KnownAgent = {
  id: "cline",
  name: "Cline",
  source: "Its entry in the public registry of ACP agents; CLINE_NO_AUTO_UPDATE is read by the program of 3.0.65.",
  programs: ["cline"],
  npm: { package: "cline", args: ["--acp"] },
  env: { CLINE_NO_AUTO_UPDATE: "1" }
}
