/** What is known of those who suggest, for the line below the text. */
import type { Problem } from "@signalbox/contracts/Problem"
import type { SessionSetting, SettingValue } from "@signalbox/contracts/SessionSetting"
import type { SuggestingAgent, SuggestingState, SuggestionsToday } from "@signalbox/contracts/Suggestions"

export type Source =
  | { readonly type: "unknown" }
  | {
      readonly type: "off"
      readonly why: string
      readonly problem: Problem | undefined
      /** The agent whose suggestions can be turned on again. */
      readonly turnedOff?: string | undefined
    }
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
  /** The settings that the agent has reported, and what people have chosen of them. */
  readonly settings: ReadonlyArray<SessionSetting>
  readonly chosen: Readonly<Record<string, SettingValue>>
  /** What the agent's suggestions have become today, as far as it is known. */
  readonly today: SuggestionsToday | undefined
  /** The latest answer. */
  readonly last: Answered | undefined
  /** Why the latest question got no answer, if so. */
  readonly failed: Problem | undefined
  /** What the line below the text says beside that. */
  readonly note: Note | undefined
}

/** What became of something that people did. */
export interface Note {
  readonly words: string
  /** More of it, in sentences. */
  readonly why: ReadonlyArray<string>
  /** Whether it stays while people go on, until they have looked at the rest, or do something else with suggestions. */
  readonly lasts: boolean
}

export interface Answered {
  readonly latencyMs: number
  /** How many suggestions came, and the first of them. */
  readonly count: number
  readonly id: string | undefined
  readonly dropped: ReadonlyArray<{ readonly kind: string; readonly why: string }>
}

/** What went wrong with the latest question. */
export const problemIn = ({ activity, failed }: Status): Problem | undefined =>
  activity.type === "failed" ? activity.problem : activity.type === "idle" ? failed : undefined

/** Whether the agent answers nobody before a sign-in. */
export const wantsSignIn = (status: Status): boolean => problemIn(status)?.code === "auth-required"

export const initial: Status = {
  source: { type: "unknown" },
  activity: { type: "idle" },
  paused: new Set(),
  withheld: new Map(),
  rules: [],
  settings: [],
  chosen: {},
  today: undefined,
  last: undefined,
  failed: undefined,
  note: undefined
}
