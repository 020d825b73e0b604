import type { Args } from "./Args.ts"
import type { Turn } from "./Turn.ts"

/** What the agent does with a prompt. Ends with `Aborted` when the turn is cancelled. */
export type Script = (turn: Turn, args: Args) => Promise<void>
