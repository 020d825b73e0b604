import type { KnownAgent } from "./KnownAgent.ts"

export const gemini: KnownAgent = {
  id: "gemini",
  name: "Gemini CLI",
  source:
    "Its entry in the public registry of ACP agents; google-gemini/gemini-cli#17588; seen of 0.61.0 with a model of our own.",
  programs: ["gemini"],
  npm: { package: "@google/gemini-cli", args: ["--acp"] },
  // gemini reads a file before it writes it, and gives up on a new file after any error. Version 0.61.0 tries to
  // recognise a missing file, but it searches the text "[object Object]".
  missingFile: "empty"
}
