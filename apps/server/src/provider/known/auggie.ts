import type { KnownAgent } from "./KnownAgent.ts"

export const auggie: KnownAgent = {
  id: "auggie",
  name: "Auggie",
  source: "Its entry in the public registry of ACP agents; program and package as of 0.36.0.",
  programs: ["auggie"],
  npm: { package: "@augmentcode/auggie", args: ["--acp"] },
  env: { AUGMENT_DISABLE_AUTO_UPDATE: "1" }
}
