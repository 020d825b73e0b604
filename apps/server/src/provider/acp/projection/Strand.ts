/**
 * One strand of a transcript: a turn, the agent's updates outside of turns, or one repeated prompt with its answer.
 * Items get their ids and their place from it.
 */
import type { ItemId, TurnId } from "@signalbox/contracts/Ids"
import { toolItemName } from "@signalbox/contracts/ToolItemName"
import { isRunning, type ToolTerminal } from "@signalbox/contracts/ToolCall"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import type { AgentTerminal } from "./AgentTerminal.ts"
import * as EventSink from "./EventSink.ts"
import * as MessageProjection from "./MessageProjection.ts"
import * as ToolEntry from "./ToolEntry.ts"
import * as ToolProjection from "./ToolProjection.ts"

export interface Strand {
  /** The beginning of its items' ids. */
  readonly key: string
  readonly text: MessageProjection.TextState
  readonly tools: Map<string, ToolEntry.ToolEntry>
  /** Ids of ended calls, the latest last. Older ended calls keep only their id, in `forgotten`. */
  readonly ended: Array<string>
  readonly forgotten: Set<string>
  /** The agent's own terminals, by id: the latest ones. */
  readonly terminals: Map<string, Standing>
  place: EventSink.Place
}

/** A terminal of the agent, with its strand and its calls. */
export interface Standing {
  readonly terminal: AgentTerminal
  readonly strand: Strand
  /** The call that reported it first. The terminal runs as long as this call. */
  readonly of: ToolEntry.ToolEntry
  readonly shownIn: Set<ToolEntry.ToolEntry>
  readonly startedAt: number
  shownAt: number
}

/**
 * Most calls in which one terminal is updated. Earlier calls stay as they are, since the cost of each piece grows with
 * their number.
 */
const mostShown = 64

/** Adds an item, and drops the oldest one if there are too many. */
export const showIn = <A>(shownIn: Set<A>, one: A): void => {
  shownIn.add(one)
  const [oldest] = shownIn
  if (oldest !== undefined && shownIn.size > mostShown) shownIn.delete(oldest)
}

/** Most ended calls of a turn that are kept for corrections by the agent. */
const maxEnded = 64

export const make = (key: string, place: EventSink.Place): Strand => ({
  key,
  text: MessageProjection.make(key),
  tools: new Map(),
  ended: [],
  forgotten: new Set(),
  terminals: new Map(),
  place
})

export const ofTurn = (turnId: TurnId): Strand => make(turnId, { turnId })

export const itemId = (strand: Strand, name: string): ItemId => EventSink.itemIdOf(`${strand.key}:${name}`)

const toolItemId = (strand: Strand, toolCallId: string): ItemId =>
  itemId(strand, toolItemName(toolCallId, strand.place.turnId !== undefined || strand.place.replayed === true))

export const knows = ({ forgotten, tools }: Strand, toolCallId: string): boolean =>
  tools.has(toolCallId) || forgotten.has(toolCallId)

/** The call with this id. Made if it is new. */
export const tool = (strand: Strand, toolCallId: string, at: number): ToolEntry.ToolEntry => {
  let entry = strand.tools.get(toolCallId)
  if (entry === undefined) {
    entry = ToolEntry.make(toolCallId, at)
    strand.tools.set(toolCallId, entry)
  }
  return entry
}

/** Ends the text before an entry of another kind, so that later text stands after the entry. */
export const endText = ({ place, text }: Strand, sink: EventSink.EventSink, line?: number): void =>
  MessageProjection.end(text, place, sink, line)

/** Adds events for changes of this strand's calls. The start of a call ends the text before it. */
export const teller =
  (strand: Strand, sink: EventSink.EventSink, line?: number): ToolProjection.Tell =>
  (type, { toolCallId }, told) => {
    if (type === "tool.started") endText(strand, sink, line)
    EventSink.push(sink, { ...strand.place, type, itemId: toolItemId(strand, toolCallId), tool: told }, line)
    if (type === "tool.completed") retire(strand, toolCallId)
  }

/** Forgets the oldest ended call, since turns may make thousands of calls, each with all its output. */
const retire = (strand: Strand, toolCallId: string): void => {
  strand.ended.push(toolCallId)
  if (strand.ended.length <= maxEnded) return
  const oldest = strand.ended.shift()
  if (oldest === undefined) return
  strand.tools.delete(oldest)
  strand.forgotten.add(oldest)
}

/** The terminal's latest state, which counts as shown at this time. */
export const seenAt = (standing: Standing, at: number): ToolTerminal => {
  standing.terminal.refresh()
  standing.shownAt = at
  return standing.terminal.view
}

/** Ends the terminals that this call reported first, as far as is known. Returns them. */
export const leaveTerminals = ({ terminals }: Strand, entry: ToolEntry.ToolEntry): ReadonlyArray<Standing> => {
  const left = [...terminals.values()].filter(({ of, terminal }) => of === entry && !terminal.isEnded)
  for (const { terminal } of left) terminal.leave()
  return left
}

/** Closes the calls that are still open. */
export const closeTools = (
  strand: Strand,
  as: "cancelled" | "unfinished",
  profile: AgentProfile,
  sink: EventSink.EventSink,
  line?: number
): void => {
  const { at } = sink
  const tell = teller(strand, sink, line)
  for (const entry of strand.tools.values()) {
    if (!isRunning(entry.tool)) continue
    for (const standing of leaveTerminals(strand, entry)) {
      const view = seenAt(standing, at)
      for (const shown of standing.shownIn) ToolProjection.showTerminal(shown, view, profile, tell)
    }
    ToolProjection.close(entry, as, at, profile, tell)
  }
}

/** How open items end. `cut`: the agent never reported an end, so open text stays open. */
export type StrandEnd = "cancelled" | "unfinished" | "cut"

/** Closes everything that is open. Later updates are late. */
export const end = (
  strand: Strand,
  as: StrandEnd,
  profile: AgentProfile,
  sink: EventSink.EventSink,
  line?: number
): void => {
  if (as === "cut") MessageProjection.leave(strand.text, strand.place, sink, line)
  else endText(strand, sink, line)
  closeTools(strand, as === "cancelled" ? "cancelled" : "unfinished", profile, sink, line)
  if (strand.place.turnId !== undefined) strand.place = { turnId: strand.place.turnId, late: true }
}
