/** What a window knows of those who suggest in one of its folders. Pure. */
import type { Problem } from "@signalbox/contracts/Problem"
import type {
  SuggestingAgent,
  SuggestingState,
  SuggestionsFrame,
  SuggestionsToday
} from "@signalbox/contracts/Suggestions"

export type Source =
  /** Nothing has been heard of the server yet, or not any more. */
  | { readonly type: "unknown" }
  | {
      readonly type: "off"
      readonly why: string
      /** The agent whose suggestions can be turned on again. */
      readonly turnedOff: string | undefined
    }
  | {
      readonly type: "on"
      readonly desk: string
      readonly agent: SuggestingAgent
      readonly recording: string | undefined
    }

export interface DeskState {
  readonly source: Source
  readonly activity: SuggestingState
  /** Why a file is not sent to the agent, by its path. */
  readonly withheld: ReadonlyMap<string, string>
  readonly today: SuggestionsToday | undefined
  /** Why the latest question got no answer, if so. */
  readonly failed: Problem | undefined
  /** Why something of the latest answer is not shown: a clause that begins with a verb. */
  readonly leftOut: string | undefined
  readonly latencyMs: number | undefined
}

export const initial: DeskState = {
  source: { type: "unknown" },
  activity: { type: "idle" },
  withheld: new Map(),
  today: undefined,
  failed: undefined,
  leftOut: undefined,
  latencyMs: undefined
}

/** The state after a frame. With another desk, what was known before is gone. */
export const withFrame = (state: DeskState, frame: SuggestionsFrame): DeskState => {
  switch (frame.type) {
    case "off":
      return { ...initial, source: { type: "off", why: frame.why, turnedOff: frame.turnedOff } }
    case "on": {
      const { agent, desk, recording } = frame
      const isSame = state.source.type === "on" && state.source.desk === desk
      return { ...(isSame ? state : initial), source: { type: "on", agent, desk, recording } }
    }
    case "state":
      return { ...state, activity: frame.state }
    case "today":
      return { ...state, today: frame.figures }
    case "paused":
    case "rules":
    case "settings":
    case "signedIn":
      return state
  }
}
