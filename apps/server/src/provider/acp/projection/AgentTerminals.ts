/**
 * Terminals of the agent's own in the transcript: each stands in the tool calls that name it or report it in `_meta`. That holds whether or
 * not we ever made one. Terminals that we made are told by nobody but us.
 */
import type { ToolCallUpdate } from "@signalbox/acp/AcpSchema"
import { isRunning, type ToolTerminal } from "@signalbox/contracts/ToolCall"
import * as AgentTerminal from "./AgentTerminal.ts"
import type * as EventSink from "./EventSink.ts"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import * as Strand from "./Strand.ts"
import * as TerminalMeta from "./TerminalMeta.ts"
import type * as ToolEntry from "./ToolEntry.ts"
import * as ToolProjection from "./ToolProjection.ts"

/** Terminals that one call may tell of without naming them in its content. */
const mostInCall = 32
/** Terminals of one stretch whose output is kept apart from their calls; an older one goes on from what its call shows. */
const mostKept = 64

/** Session state that this file reads and changes. */
export interface State {
  readonly profile: AgentProfile
  readonly sink: EventSink.EventSink
  /** Defined while the agent tells an earlier run. */
  readonly replay: object | undefined
  /** Terminals that Signalbox runs for the agent, by their ids. */
  readonly terminals: ReadonlyMap<string, unknown>
  /** Terminals of the agent's own with output that is not shown yet. */
  readonly freshTerminals: Set<Strand.Standing>
  /** Called when a terminal is added to `freshTerminals`. */
  readonly onFreshTerminal: () => void
}

/** Milliseconds between two looks at what is printed; a terminal that prints for long is shown less often, up to `slowest`. */
export const pace = 100
const slowest = 1000

/** Takes in what an update tells of terminals, before the update itself. The reason, where something of it is not shown. */
export const hear = (
  state: State,
  strand: Strand.Strand,
  entry: ToolEntry.ToolEntry,
  patch: ToolCallUpdate
): string | undefined => {
  const { news, unread } = TerminalMeta.read(patch._meta)
  let problem = unread.length === 0 ? undefined : `It reports a terminal in an unknown form (${unread.join(", ")}).`
  /** Whether each has begun to print, or ended, just now. */
  const touched = new Map<Strand.Standing, boolean>()
  for (const piece of news) {
    const terminalId = piece.terminalId ?? onlyOne(entry, patch) ?? entry.toolCallId
    if (isOurs(state, terminalId)) continue
    const standing = standingOf(state, strand, entry, terminalId, piece.type === "info")
    if (standing === undefined) {
      problem ??= `It reports more than ${mostInCall} terminals.`
      continue
    }
    const { state: before } = standing.terminal.view
    take(standing.terminal, piece)
    touched.set(standing, touched.get(standing) === true || before !== standing.terminal.view.state)
  }
  for (const { terminalId } of namedIn(patch)) {
    const standing = strand.terminals.get(terminalId)
    if (standing === undefined || isOurs(state, terminalId)) continue
    if (standing.terminal.isEnded && !standing.shownIn.has(entry)) {
      ToolProjection.hold(entry, standing.terminal.view)
      continue
    }
    Strand.showIn(standing.shownIn, entry)
    if (!touched.has(standing)) touched.set(standing, false)
  }
  const isOver = patch.status === "completed" || patch.status === "failed"
  if (isOver && isRunning(entry.tool)) {
    const left = Strand.leaveTerminals(strand, entry)
    // The end of a call tells all that was printed before it: whoever shows calls when they end looks no further.
    const printing = [...touched.keys(), ...state.freshTerminals].filter(({ shownIn }) => shownIn.has(entry))
    for (const standing of [...left, ...printing]) touched.set(standing, true)
  }
  for (const [standing, isTurn] of touched) showOrWait(state, entry, standing, isTurn)
  return problem
}

/** Shows what was printed since the last look. Whether more waits for a later one. */
export const look = (state: State): boolean => {
  for (const standing of state.freshTerminals)
    if (!standing.terminal.isFresh || !mustWait(state, standing)) showFresh(state, standing)
  return state.freshTerminals.size > 0
}

/** Shows all that was printed. */
export const settle = (state: State): void => {
  for (const standing of state.freshTerminals) showFresh(state, standing)
}

const showFresh = (state: State, standing: Strand.Standing): void => {
  state.freshTerminals.delete(standing)
  if (standing.terminal.isFresh) tell(state, standing, Strand.seenAt(standing, state.sink.at))
}

const take = (terminal: AgentTerminal.AgentTerminal, piece: TerminalMeta.TerminalNews): void => {
  switch (piece.type) {
    case "info":
      if (piece.cwd !== undefined) terminal.standIn(piece.cwd)
      return
    case "output":
      terminal.print(piece.data)
      return
    case "exit":
      terminal.exit(piece.ending)
  }
}

/** What only goes on printing waits for its time; anything else is told with the update that brought it. */
const showOrWait = (state: State, entry: ToolEntry.ToolEntry, standing: Strand.Standing, isTurn: boolean): void => {
  const { shownIn, terminal } = standing
  const { terminalId } = terminal.view
  const isNew = shownIn.has(entry) && !entry.terminals.has(terminalId)
  if (!isNew && !isTurn && mustWait(state, standing)) {
    if (!terminal.isFresh) return
    state.freshTerminals.add(standing)
    state.onFreshTerminal()
    return
  }
  const view = Strand.seenAt(standing, state.sink.at)
  if (shownIn.has(entry)) ToolProjection.hold(entry, view)
  tell(state, standing, view, entry)
}

/** In all calls that show it but the one whose update tells it anyway. */
const tell = (
  state: State,
  { shownIn, strand }: Strand.Standing,
  view: ToolTerminal,
  but?: ToolEntry.ToolEntry
): void => {
  for (const entry of shownIn)
    if (entry !== but) ToolProjection.showTerminal(entry, view, state.profile, Strand.teller(strand, state.sink))
}

/** The standing of the terminal that this call reports; undefined if the call reports too many. */
const standingOf = (
  state: State,
  strand: Strand.Strand,
  entry: ToolEntry.ToolEntry,
  terminalId: string,
  begins: boolean
): Strand.Standing | undefined => {
  const known = strand.terminals.get(terminalId)
  // Agents use ids again: where a terminal has ended, calls that did not show it while it ran tell of a new one.
  const isOver = known !== undefined && (known.terminal.isEnded || (begins && known.terminal.isLeft))
  const isAnother = isOver && !known.shownIn.has(entry)
  if (known !== undefined && !isAnother) return known
  if (entry.terminals.size >= mostInCall && !entry.terminals.has(terminalId)) return undefined
  const made: Strand.Standing = {
    terminal: AgentTerminal.make(terminalId, isAnother ? undefined : entry.terminals.get(terminalId)),
    strand,
    of: entry,
    shownIn: new Set([entry]),
    startedAt: state.sink.at,
    shownAt: 0
  }
  // Nobody will close a call again that is over already.
  if (!isRunning(entry.tool) || strand.place.late) made.terminal.leave()
  strand.terminals.set(terminalId, made)
  const [oldest] = strand.terminals.values()
  if (oldest !== undefined && strand.terminals.size > mostKept) {
    strand.terminals.delete(oldest.terminal.view.terminalId)
    showFresh(state, oldest)
  }
  return made
}

/** What an agent tells of an earlier run is about terminals of that run. */
const isOurs = (state: State, terminalId: string): boolean =>
  state.replay === undefined && state.terminals.has(terminalId)

const namedIn = ({ content }: ToolCallUpdate) => (content ?? []).filter((piece) => piece.type === "terminal")

/** The terminal that is meant by a call with one only. */
const onlyOne = ({ terminals, tool }: ToolEntry.ToolEntry, patch: ToolCallUpdate): string | undefined => {
  const ids = new Set([
    ...terminals.keys(),
    ...(tool.terminals ?? []).map(({ terminalId }) => terminalId),
    ...namedIn(patch).map(({ terminalId }) => terminalId)
  ])
  const [id] = ids
  return ids.size === 1 ? id : undefined
}

/** A clock that was set back holds nothing up. */
const mustWait = ({ sink: { at } }: State, standing: Strand.Standing): boolean =>
  at >= standing.shownAt && at - standing.shownAt < paceOf(standing, at)

const paceOf = ({ startedAt }: Strand.Standing, now: number): number =>
  Math.min(slowest, Math.max(pace, (now - startedAt) / 20))
