import type { KnownAgent } from "./KnownAgent.ts"

export const qoder: KnownAgent = {
  id: "qoder",
  name: "Qoder CLI",
  source: "Its entry in the public registry of ACP agents; package as of 1.1.52.",
  programs: ["qodercli"],
  npm: { package: "@qoder-ai/qodercli", args: ["--acp"] }
}
