import type { Setup } from "@signalbox/stand-in-agents/scripted/Script"

/**
 * cline 3.0.65: the history comes before the answer to `session/load`, without tools. Prompts of stopped turns stand with the next one
 * in one piece.
 */
export const clineHistory: Setup = {
  load: {
    replay: [
      { user: "List the files" },
      { thought: "hm" },
      { text: "There are two." },
      { user: "Delete them all\nNo, show me the first" },
      { text: "It holds a 1." },
      { update: { sessionUpdate: "session_info_update", updatedAt: "2026-11-20T10:48:55.739Z" } }
    ]
  }
}
