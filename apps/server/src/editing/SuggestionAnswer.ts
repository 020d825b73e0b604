/** What an editor gets when it asks for suggestions. */
import type { Range } from "@signalbox/acp/Positions"
import type { Position } from "@signalbox/acp/Positions"
import type { SuggestRequest } from "@signalbox/acp/NesSchema"
import type { Named } from "./OpenDocuments.ts"
import type { OfferedSuggestion } from "./OpenSuggestions.ts"
import type { Dropped } from "./SuggestionCheck.ts"

export interface Question extends Named {
  /** The cursor, in UTF-16 units, from 0. */
  readonly position: Position
  readonly selection?: Range
  readonly trigger: SuggestRequest["triggerKind"]
  /** Whether the agent is asked now, whatever is known or was the matter. Default: if the trigger is `manual`. */
  readonly isAtOnce?: boolean
}

export type SuggestionAnswer =
  | {
      readonly type: "suggestions"
      /** The version of the document that they are for. */
      readonly version: number
      /** Each is to be accepted or rejected by its id, once. There may be none. */
      readonly suggestions: ReadonlyArray<OfferedSuggestion>
      readonly dropped: ReadonlyArray<Dropped>
      /** How many more were dropped, beyond those that are named. */
      readonly unnamed: number
      /** Milliseconds that the agent took, without any waiting before. */
      readonly latencyMs: number
      /** Whether they were known, so that nobody was asked. */
      readonly isKnown: boolean
    }
  /** The document is not sent to agents. `why`: a sentence. */
  | { readonly type: "withheld"; readonly why: string }
  /** A later question, or a change of the document, came first. */
  | { readonly type: "overtaken" }
  /** The agent has ended by itself, and is left alone for a while. */
  | { readonly type: "resting"; readonly forMs: number }
