import type { Setup } from "@signalbox/stand-in-agents/scripted/Script"

/** opencode 1.18.33 and kilo 7.7.7 on a busy machine: long after it was started it answers what came before `initialize`. */
export const opencodeEarly: Setup = { startAfter: 700 }
