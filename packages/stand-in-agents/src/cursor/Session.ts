import type { JsonObject } from "../Json.ts"
import type { ModelSelection } from "./ModelSelection.ts"
import type { ModeId } from "./Modes.ts"
import type { Turn } from "./Turn.ts"

/** One thing the agent did in a turn, as it is kept for a replay. */
export type Step =
  | { readonly type: "thought" | "message"; readonly text: string }
  | { readonly type: "tool"; readonly call: JsonObject; readonly outcome: JsonObject }

export interface TurnRecord {
  readonly prompt: string
  readonly steps: ReadonlyArray<Step>
}

export interface Session {
  readonly id: string
  readonly cwd: string
  readonly selection: ModelSelection
  readonly turns: Array<TurnRecord>
  mode: ModeId
  title: string | undefined
  /** The turn that runs now. */
  turn: Turn | undefined
}
