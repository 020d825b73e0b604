/** What is known of those who suggest, for the line below the text. */
import type { Problem } from "@signalbox/contracts/Problem"
import type { SuggestingAgent, SuggestingState } from "@signalbox/contracts/Suggestions"

export type Source =
  | { readonly type: "unknown" }
  | { readonly type: "off"; readonly why: string; readonly problem: Problem | undefined }
  | {
      readonly type: "on"
      readonly desk: string
      readonly agent: SuggestingAgent
      /** The file in which it is recorded what people edit. */
      readonly recording: string | undefined
    }

export interface Status {
  readonly source: Source
  readonly activity: SuggestingState
  /** The files that the thread's agent edits now. */
  readonly paused: ReadonlySet<string>
  /** Why a file is not sent to the agent, by its path. */
  readonly withheld: ReadonlyMap<string, string>
  /** Rules files with faults. */
  readonly rules: ReadonlyArray<Problem>
  /** The latest answer. */
  readonly last: Answered | undefined
  /** Why the latest question got no answer, if so. */
  readonly failed: Problem | undefined
}

export interface Answered {
  readonly latencyMs: number
  /** How many suggestions came, and the first of them. */
  readonly count: number
  readonly id: string | undefined
  readonly dropped: ReadonlyArray<{ readonly kind: string; readonly why: string }>
}

export const initial: Status = {
  source: { type: "unknown" },
  activity: { type: "idle" },
  paused: new Set(),
  withheld: new Map(),
  rules: [],
  last: undefined,
  failed: undefined
}
