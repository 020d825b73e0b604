import type { JsonObject } from "../Json.ts"
import type { ModelSelection } from "./ModelSelection.ts"
import type { ModeId } from "./Modes.ts"

/** One thing the agent did in a turn, as it is kept for a replay. */
export type Step =
  | { readonly type: "thought" | "message"; readonly text: string }
  | { readonly type: "tool"; readonly call: JsonObject; readonly outcome: JsonObject }

export interface TurnRecord {
  readonly prompt: string
  readonly steps: ReadonlyArray<Step>
}

/** A turn under way, for those who end it or wait for its end. */
export interface RunningTurn {
  cancel(): void
  /** Resolves when the prompt was answered. */
  readonly done: Promise<void>
}

export interface Session {
  readonly id: string
  readonly cwd: string
  readonly selection: ModelSelection
  readonly turns: Array<TurnRecord>
  mode: ModeId
  title: string | undefined
  /** The turn that runs now. */
  turn: RunningTurn | undefined
}
