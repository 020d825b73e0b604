/** What was done in one thread and what clients saw of it. The promises are checked against this evidence. */
import type { ThreadCommand } from "@signalbox/contracts/Command"
import type { CommandId, ItemId, Sequence, TurnId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ThreadPosition } from "@signalbox/contracts/ThreadFrame"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import type { Scenario } from "./Scenario.ts"

export type Outcome =
  | { readonly type: "accepted"; readonly sequence: Sequence }
  | { readonly type: "refused"; readonly problem: Problem }
  /** The server ended before it answered. */
  | { readonly type: "unknown" }

export interface SentCommand {
  readonly commandId: CommandId
  readonly command: ThreadCommand
  readonly life: number
  outcome: Outcome
  /** The outcomes of sending the same command again. */
  readonly repeats: Array<Outcome>
}

/** A Stop that the server accepted. */
export interface Stop {
  readonly turnId: TurnId
  /** Milliseconds from the receipt until a client saw the turn end. */
  readonly tookMs: number
}

/** What a client that disconnected had seen, and its position in the log. */
export interface Bookmark {
  readonly view: ThreadView
  readonly position: ThreadPosition
}

/** The last state that a client saw in one life of the server. */
export interface Picture {
  readonly view: ThreadView
  /** How many characters of each text have to survive: those that were seen long enough before the end. */
  readonly durable: ReadonlyMap<ItemId, number>
}

export interface Story {
  readonly scenario: Scenario
  readonly sent: Array<SentCommand>
  /** Keeps, for each restart of the server, the last picture before it and the first state after it. */
  readonly crossings: Array<{ readonly before: Picture; readonly after: ThreadView }>
  /** The last picture of the previous life, until the thread is seen in the next one. */
  before: Picture | undefined
  /** The last position of the restless client, perhaps from an earlier life of the server. */
  bookmark: Bookmark | undefined
  readonly stops: Array<Stop>
  /** The outcomes of answers to requests of an earlier life. All must be refused. */
  readonly lateAnswers: Array<Outcome>
  /** Sequences and offsets with gaps or repeats, in words. */
  readonly gaps: Array<string>
  /** Differences at the end between clients, or between them and the server, in words. */
  readonly differences: Array<string>
  /** Long texts that differ from what was written, in words. */
  readonly spoiled: Array<string>
  /** The outcomes of other commands that were sent under a used command id. */
  readonly misused: Array<Outcome>
  /** How far the deletion of the thread has come. */
  removal: "none" | "asked" | "done"
  /** What was left of the thread after its deletion, in words. */
  readonly remains: Array<string>
  /** What the server could not read, in words. */
  readonly refusals: Array<string>
  /** What was still going on when the thread should have been at rest, in words. */
  readonly stuck: Array<string>
  /** The thread in the server's final state. */
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
