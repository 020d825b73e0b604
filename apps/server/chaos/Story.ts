/** What was done in one thread and what was seen of it: the evidence that the promises are held against. */
import type { ThreadCommand } from "@signalbox/contracts/Command"
import type { CommandId, ItemId, Sequence, TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ThreadPosition } from "@signalbox/contracts/Rpc"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import type { Scenario } from "./Scenario.ts"

export type Outcome =
  | { readonly type: "accepted"; readonly sequence: Sequence }
  | { readonly type: "refused"; readonly problem: Problem }
  /** The server went before it answered. */
  | { readonly type: "unknown" }

export interface SentCommand {
  readonly commandId: CommandId
  readonly command: ThreadCommand
  readonly life: number
  outcome: Outcome
  /** What later sendings of the same command led to. */
  readonly repeats: Array<Outcome>
}

/** A Stop that the server took. */
export interface Stop {
  readonly turnId: TurnId
  /** From the receipt until the turn was seen to end. */
  readonly tookMs: number
}

/** What a client that went away knew, and where it was. */
export interface Bookmark {
  readonly view: ThreadView
  readonly position: ThreadPosition
}

/** The last that a client saw in one life of the server. */
export interface Picture {
  readonly view: ThreadView
  /** How much of each text has to be there afterwards: what was seen long enough before the end. */
  readonly durable: ReadonlyMap<ItemId, number>
}

export interface Story {
  readonly scenario: Scenario
  readonly sent: Array<SentCommand>
  /** The last picture of a life and the first of the next. */
  readonly crossings: Array<{ readonly before: Picture; readonly after: ThreadView }>
  /** The last picture of the life before, until the next one shows itself. */
  before: Picture | undefined
  /** Where the restless client was when it was last there, which may have been in an earlier life. */
  bookmark: Bookmark | undefined
  readonly stops: Array<Stop>
  /** Answers to requests of an earlier life, which must be refused. */
  readonly lateAnswers: Array<Outcome>
  /** Sequences and offsets that did not fit. */
  readonly gaps: Array<string>
  /** Where clients differ from each other or from the server's own state at the end. */
  readonly differences: Array<string>
  /** Long texts that read otherwise than they were written. */
  readonly spoiled: Array<string>
  /** What became of the same command id with another command in it. */
  readonly misused: Array<Outcome>
  /** Whether somebody deletes it: asked, and done. */
  removal: "none" | "asked" | "done"
  /** What was left of it after that. */
  readonly remains: Array<string>
  /** What could not be read. */
  readonly refusals: Array<string>
  /** What was still going on when a life should have come to rest. */
  readonly stuck: Array<string>
  /** As the server tells it at the very end. */
  last: ThreadView | undefined
}

export const begin = (scenario: Scenario): Story => ({
  scenario,
  sent: [],
  crossings: [],
  before: undefined,
  bookmark: undefined,
  stops: [],
  lateAnswers: [],
  gaps: [],
  differences: [],
  spoiled: [],
  misused: [],
  removal: "none",
  remains: [],
  refusals: [],
  stuck: [],
  last: undefined
})
