/** The three modes, which every generation has. */
export const modes = [
  { id: "agent", name: "Agent", description: "Full agent capabilities with tool access" },
  { id: "plan", name: "Plan", description: "Read-only mode for planning and designing before implementation" },
  { id: "ask", name: "Ask", description: "Q&A mode - no edits or command execution" }
] as const

export type ModeId = (typeof modes)[number]["id"]

const aliases: Readonly<Record<string, ModeId>> = { code: "agent", architect: "plan", chat: "ask" }

export const findMode = (text: string): ModeId | undefined =>
  aliases[text] ?? modes.find((mode) => mode.id === text)?.id
