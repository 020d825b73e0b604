/**
 * Terminals that Signalbox runs, shown in the tool calls that name them and updated there. A terminal that no call
 * names becomes a call of its own, so that every program is visible.
 */
import type { ToolCallContent } from "@signalbox/acp/AcpSchema"
import type { ToolTerminal } from "@signalbox/contracts/ToolCall"
import type { AgentProfile } from "../profile/AgentProfile.ts"
import type * as EventSink from "./EventSink.ts"
import * as Strand from "./Strand.ts"
import type * as ToolEntry from "./ToolEntry.ts"
import * as ToolProjection from "./ToolProjection.ts"

interface Shown {
  readonly strand: Strand.Strand
  readonly entry: ToolEntry.ToolEntry
}

interface Known {
  terminal: ToolTerminal
  /** The strand in which it began. */
  readonly strand: Strand.Strand
  readonly shownIn: Set<Shown>
  /** Whether it is shown as a call of its own. */
  own: boolean
}

export type KnownTerminals = Map<string, Known>

/** Session state that this file reads and changes. */
export interface State {
  readonly profile: AgentProfile
  readonly sink: EventSink.EventSink
  /** The strand that receives events now. */
  readonly current: Strand.Strand
  /** Defined while the agent repeats its history. */
  readonly replay: object | undefined
  /** Terminals that Signalbox runs for the agent, by id. */
  readonly terminals: KnownTerminals
}

/** Most terminals that are kept for calls that name them late. */
const mostKnown = 64

/** Applies a terminal's latest state. */
export const show = (state: State, terminal: ToolTerminal): void => {
  const { terminals } = state
  let known = terminals.get(terminal.terminalId)
  if (known === undefined) {
    known = { terminal, strand: state.current, shownIn: new Set(), own: false }
    terminals.set(terminal.terminalId, known)
    forget(terminals)
  }
  known.terminal = terminal
  for (const { entry, strand } of known.shownIn)
    ToolProjection.showTerminal(entry, terminal, state.profile, Strand.teller(strand, state.sink))
  if (known.own) tellOwn(state, known)
}

/** Shows a terminal as a call of its own if no call has named it in time. */
export const claim = (state: State, terminalId: string): void => {
  const known = state.terminals.get(terminalId)
  if (known === undefined || known.own || known.shownIn.size > 0) return
  known.own = true
  tellOwn(state, known)
}

/** Claims all terminals that began in a stretch of the transcript that ends. */
export const claimAll = (state: State, strand: Strand.Strand): void => {
  for (const [terminalId, known] of state.terminals) if (known.strand === strand) claim(state, terminalId)
}

/** Connects a call with the terminals that its content names. */
export const connect = (
  state: State,
  strand: Strand.Strand,
  entry: ToolEntry.ToolEntry,
  content: ReadonlyArray<ToolCallContent> | null | undefined
): void => {
  for (const piece of content ?? []) {
    if (piece.type !== "terminal") continue
    // A repeated history is about terminals of an earlier run.
    const known = state.replay === undefined ? state.terminals.get(piece.terminalId) : undefined
    if (known === undefined || entry.terminals.has(piece.terminalId)) continue
    entry.terminals.set(piece.terminalId, known.terminal)
    Strand.showIn(known.shownIn, { strand, entry })
  }
}

const tellOwn = (state: State, known: Known): void => {
  const { strand, terminal } = known
  const { command = "", cwd, exitCode, state: how, terminalId } = terminal
  const entry = Strand.tool(strand, terminalId, state.sink.at)
  const content: ReadonlyArray<ToolCallContent> = [{ type: "terminal", terminalId }]
  connect(state, strand, entry, content)
  ToolProjection.upsert(
    entry,
    {
      toolCallId: terminalId,
      title: command,
      kind: "execute",
      status: how === "running" ? "in_progress" : exitCode === 0 ? "completed" : "failed",
      rawInput: { command, cwd },
      content
    },
    true,
    state.sink.at,
    state.profile,
    Strand.teller(strand, state.sink)
  )
}

const forget = (terminals: KnownTerminals): void => {
  if (terminals.size <= mostKnown) return
  for (const [terminalId, { terminal }] of terminals) {
    if (terminal.state === "running") continue
    terminals.delete(terminalId)
    return
  }
}
