import type { KnownAgent } from "./KnownAgent.ts"

export const gemini: KnownAgent = {
  id: "gemini",
  name: "Gemini CLI",
  source:
    "Its entry in the public registry of ACP agents; google-gemini/gemini-cli#17588; seen of 0.61.0 with a model of our own.",
  programs: ["gemini"],
  npm: { package: "@google/gemini-cli", args: ["--acp"] },
  // It reads a file before it writes it, and gives up on a new one when that is answered with an error, whatever its words and code:
  // 0.61.0 tries to tell a missing file from other errors, and looks for the message in "[object Object]".
  missingFile: "empty"
}
