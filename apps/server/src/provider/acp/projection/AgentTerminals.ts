/**
 * Terminals that the agent runs itself, shown in the tool calls that name them or report them in `_meta`. Only
 * Signalbox reports the terminals that it made itself.
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

/** Most terminals that one call may report without naming them in its content. */
const mostInCall = 32
/** Most terminals of one strand that keep their output. An older one continues from what its call shows. */
const mostKept = 64

/** Session state that this file reads and changes. */
export interface State {
  readonly profile: AgentProfile
  readonly sink: EventSink.EventSink
  /** Defined while the agent repeats its history. */
  readonly replay: object | undefined
  /** Terminals that Signalbox runs for the agent, by id. */
  readonly terminals: ReadonlyMap<string, unknown>
  /** Terminals of the agent with output that is not shown yet. */
  readonly freshTerminals: Set<Strand.Standing>
  /** Called when a terminal is added to `freshTerminals`. */
  readonly onFreshTerminal: () => void
}

/**
 * Milliseconds between two updates of a printing terminal. One that prints for long is shown less often, down to once
 * every `slowest`.
 */
export const pace = 100
const slowest = 1000

/**
 * Reads the terminals of an update, before the update itself is projected. Returns the reason if a part can't be shown.
 */
export const hear = (
  state: State,
  strand: Strand.Strand,
  entry: ToolEntry.ToolEntry,
  patch: ToolCallUpdate
): string | undefined => {
  const { news, unread } = TerminalMeta.read(patch._meta)
  let problem = unread.length === 0 ? undefined : `It reports a terminal in an unknown form (${unread.join(", ")}).`
  /** The terminals of this update, and whether each began to print or ended with it. */
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
    // The end of a call has all its output: readers that show calls when they end look no further.
    const printing = [...touched.keys(), ...state.freshTerminals].filter(({ shownIn }) => shownIn.has(entry))
    for (const standing of [...left, ...printing]) touched.set(standing, true)
  }
  for (const [standing, isTurn] of touched) showOrWait(state, entry, standing, isTurn)
  return problem
}

/** Shows output that has waited long enough. Returns whether some still waits. */
export const look = (state: State): boolean => {
  for (const standing of state.freshTerminals)
    if (!standing.terminal.isFresh || !mustWait(state, standing)) showFresh(state, standing)
  return state.freshTerminals.size > 0
}

/** Shows all output that waits. */
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

/** Delays pure output until the terminal's next update. Anything else is shown with the update that brought it. */
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

/** Shows a terminal in its calls, except in `but`, whose own update shows it. */
const tell = (
  state: State,
  { shownIn, strand }: Strand.Standing,
  view: ToolTerminal,
  but?: ToolEntry.ToolEntry
): void => {
  for (const entry of shownIn)
    if (entry !== but) ToolProjection.showTerminal(entry, view, state.profile, Strand.teller(strand, state.sink))
}

/** Finds or makes the place of a terminal that a call reports. Undefined if the call reports too many. */
const standingOf = (
  state: State,
  strand: Strand.Strand,
  entry: ToolEntry.ToolEntry,
  terminalId: string,
  begins: boolean
): Strand.Standing | undefined => {
  const known = strand.terminals.get(terminalId)
  // Agents reuse ids: after a terminal has ended, a call that did not show it means a new one.
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
  // A call that is already over is not closed again, so the terminal is left now.
  if (!isRunning(entry.tool) || strand.place.late) made.terminal.leave()
  strand.terminals.set(terminalId, made)
  const [oldest] = strand.terminals.values()
  if (oldest !== undefined && strand.terminals.size > mostKept) {
    strand.terminals.delete(oldest.terminal.view.terminalId)
    showFresh(state, oldest)
  }
  return made
}

/** Whether Signalbox runs this terminal. A repeated history is about terminals of an earlier run, not about ours. */
const isOurs = (state: State, terminalId: string): boolean =>
  state.replay === undefined && state.terminals.has(terminalId)

const namedIn = ({ content }: ToolCallUpdate) => (content ?? []).filter((piece) => piece.type === "terminal")

/** The id of the call's terminal, if the call has exactly one. */
const onlyOne = ({ terminals, tool }: ToolEntry.ToolEntry, patch: ToolCallUpdate): string | undefined => {
  const ids = new Set([
    ...terminals.keys(),
    ...(tool.terminals ?? []).map(({ terminalId }) => terminalId),
    ...namedIn(patch).map(({ terminalId }) => terminalId)
  ])
  const [id] = ids
  return ids.size === 1 ? id : undefined
}

/** Whether a terminal was shown too recently. A clock that was set back delays nothing. */
const mustWait = ({ sink: { at } }: State, standing: Strand.Standing): boolean =>
  at >= standing.shownAt && at - standing.shownAt < paceOf(standing, at)

const paceOf = ({ startedAt }: Strand.Standing, now: number): number =>
  Math.min(slowest, Math.max(pace, (now - startedAt) / 20))
