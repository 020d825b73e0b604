/**
 * The history of a session as its agent tells it: around the answer to a load or a fork, and marked by nothing as old. What we know of it
 * is left out; what the agent has beyond that is told, each prompt with a stretch of its own.
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
  /** Whether anything of it has come. */
  begun: boolean
  /** The agent has answered: what comes now is late. Whether any of it has come. */
  late: "may come" | "comes" | undefined
  /** The id of the latest piece of what a person had said. */
  messageId: string | undefined
}

/** Session state that this file reads and changes. */
export interface State extends AgentTerminals.State {
  readonly providerSessionId: ProviderSessionId
  /** The history that is being told. */
  replay: History | undefined
  /** A history that was not told to its end before the agent answered: words of a person go on with it. */
  awaited: History | undefined
  /** Prompts of the history that were told: ours from then on, too. */
  readonly replayed: Array<string>
}

/** `known`: the prompts of our record, oldest first. */
export const begin = (state: State, known: ReadonlyArray<string>): void => {
  const strand = Strand.make(`${state.providerSessionId}:replay`, { replayed: true })
  const filter = ReplayFilter.make(known)
  const replay = { known, filter, strand, keep: known.length === 0, count: 0, begun: false }
  state.awaited = undefined
  state.replay = { ...replay, late: undefined, messageId: undefined }
}

/** What comes from here on is new. */
export const end = (state: State): void => {
  state.awaited = undefined
  pause(state)
}

/** What comes from here on is new, unless words of a person go on with it. */
export const pause = (state: State): void => {
  const { replay } = state
  if (replay === undefined) return
  enter(state, replay, "nothing")
  AgentTerminals.settle(state)
  Strand.end(replay.strand, "unfinished", state.profile, state.sink)
  state.replay = undefined
}

/**
 * The session is loaded. Agents may tell their history behind the answer, or go on with it there, until they have a prompt: where a
 * person's words came last, their answer is to come; and words of a person are old as long as prompts that we know are missing.
 */
export const answered = (state: State): void => {
  const { replay } = state
  if (replay === undefined) return
  replay.late = "may come"
  if (replay.filter.isOpen()) return
  pause(state)
  if (!replay.begun || replay.filter.isMissingSome()) state.awaited = replay
}

/** Whether more of it may come behind the answer; undefined where nothing speaks for it. */
export const rest = ({ awaited, replay }: State): "likely" | "possible" | undefined => {
  if (replay === undefined) return awaited?.begun === false ? "possible" : undefined
  const { filter, known, late } = replay
  return late === "comes" && (known.length === 0 || filter.isOpen() || filter.isMissingSome()) ? "likely" : "possible"
}

/** The strand of the transcript for what comes now; undefined when it repeats what we have. */
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

/** What a person is said to have said: whether that was a part of the history. */
export const heard = (
  state: State,
  piece: ContentBlock,
  line: number,
  messageId: string | null | undefined
): boolean => {
  // While nobody here has said anything: here the history begins, or goes on.
  if (state.awaited !== undefined) {
    state.replay = state.awaited
    state.awaited = undefined
  }
  const { replay } = state
  if (replay === undefined) return false
  takeIn(replay)
  // Another id is another prompt.
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

/** Tells the prompts that were heard and are not known. */
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
