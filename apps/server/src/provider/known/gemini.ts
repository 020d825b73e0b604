import type { KnownAgent } from "./KnownAgent.ts"

export const gemini: KnownAgent = {
  id: "gemini",
  name: "Gemini CLI",
  source: "Its entry in the public registry of ACP agents; google-gemini/gemini-cli#17588; package as of 0.61.0.",
  programs: ["gemini"],
  npm: { package: "@google/gemini-cli", args: ["--acp"] },
  // It reads a file before it writes it. Builds before #17588 give up on a new file when that is answered with an error.
  missingFile: "empty"
}
