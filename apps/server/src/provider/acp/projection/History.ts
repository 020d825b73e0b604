/**
 * The history that an agent repeats around its response to a load or a fork; the protocol doesn't mark it as old. Known
 * prompts and their answers are left out. Each unknown prompt gets a strand of its own.
 */
import type { ContentBlock } from "@signalbox/acp/AcpSchema"
import type { ProviderSessionId } from "@signalbox/contracts/Ids"
import * as AgentTerminals from "./AgentTerminals.ts"
import * as ReplayFilter from "./ReplayFilter.ts"
import * as Strand from "./Strand.ts"
import * as EventSink from "./EventSink.ts"

export interface History {
  readonly known: ReadonlyArray<string>
  readonly filter: ReplayFilter.ReplayFilter
  strand: Strand.Strand
  keep: boolean
  count: number
  /** Whether any of the history has come. */
  begun: boolean
  /** Defined after the agent's response: whether late history may come, or has come. */
  late: "may come" | "comes" | undefined
  /** The message id of the latest piece of a person's words. */
  messageId: string | undefined
}

/** Session state that this file reads and changes. */
export interface State extends AgentTerminals.State {
  readonly providerSessionId: ProviderSessionId
  /** The history that the agent repeats now. */
  replay: History | undefined
  /** A history that was incomplete at the agent's response. Words of a person continue it. */
  awaited: History | undefined
  /** Prompts of the history that became events. Our record has them from then on. */
  readonly replayed: Array<string>
}

/** Begins a history. `known`: the prompts of our record, oldest first. */
export const begin = (state: State, known: ReadonlyArray<string>): void => {
  const strand = Strand.make(`${state.providerSessionId}:replay`, { replayed: true })
  const filter = ReplayFilter.make(known)
  const replay = { known, filter, strand, keep: known.length === 0, count: 0, begun: false }
  state.awaited = undefined
  state.replay = { ...replay, late: undefined, messageId: undefined }
}

/** Ends the history: everything after it is new. */
export const end = (state: State): void => {
  state.awaited = undefined
  pause(state)
}

/** Pauses the history: what comes is new, unless words of a person continue the history. */
export const pause = (state: State): void => {
  const { replay } = state
  if (replay === undefined) return
  enter(state, replay, "nothing")
  AgentTerminals.settle(state)
  Strand.end(replay.strand, "unfinished", state.profile, state.sink)
  state.replay = undefined
}

/**
 * Handles the response to a load. Agents may send history after it, or continue it there, until they have a prompt. If
 * a person's words came last, their answer is still to come. While known prompts are missing, further words of a person
 * are history, too.
 */
export const answered = (state: State): void => {
  const { replay } = state
  if (replay === undefined) return
  replay.late = "may come"
  if (replay.filter.isOpen()) return
  pause(state)
  if (!replay.begun || replay.filter.isMissingSome()) state.awaited = replay
}

/** Whether more history may come after the response. Undefined if nothing indicates it. */
export const rest = ({ awaited, replay }: State): "likely" | "possible" | undefined => {
  if (replay === undefined) return awaited?.begun === false ? "possible" : undefined
  const { filter, known, late } = replay
  return late === "comes" && (known.length === 0 || filter.isOpen() || filter.isMissingSome()) ? "likely" : "possible"
}

/** The strand of a repeated update. Undefined if our record has it already. */
export const strand = (
  state: State,
  replay: History,
  what: "tool" | "answer",
  line?: number
): Strand.Strand | undefined => {
  takeIn(replay)
  enter(state, replay, what, line)
  return replay.keep ? replay.strand : undefined
}

/** Takes a piece of a person's words. Returns whether it belongs to the history. */
export const heard = (
  state: State,
  piece: ContentBlock,
  line: number,
  messageId: string | null | undefined
): boolean => {
  // The history begins or continues here, since nobody has sent a prompt yet.
  if (state.awaited !== undefined) {
    state.replay = state.awaited
    state.awaited = undefined
  }
  const { replay } = state
  if (replay === undefined) return false
  takeIn(replay)
  // Another message id begins another prompt.
  if (messageId != null && replay.messageId !== undefined && replay.messageId !== messageId)
    enter(state, replay, "prompt", line)
  replay.messageId = messageId ?? undefined
  replay.filter.prompt(piece)
  return true
}

const takeIn = (replay: History): void => {
  replay.begun = true
  if (replay.late !== undefined) replay.late = "comes"
}

/** Adds the prompts that the agent repeated and our record lacks. */
const enter = (state: State, replay: History, next: ReplayFilter.Next, line?: number): void => {
  const { keep, prompts } = replay.filter.rest(next)
  replay.keep = keep
  for (const text of prompts) {
    Strand.end(replay.strand, "unfinished", state.profile, state.sink, line)
    replay.count += 1
    state.replayed.push(text)
    replay.strand = Strand.make(`${state.providerSessionId}:replay-${replay.count}`, { replayed: true })
    const itemId = Strand.itemId(replay.strand, "prompt")
    EventSink.push(state.sink, { type: "prompt.replayed", ...replay.strand.place, itemId, text }, line)
  }
}
