/**
 * The state of a session, built from what its agent reports; all updates are projected against it. It is a mutable
 * value, which the functions of this folder change. {@link step} is the entry: it applies a change and returns its
 * events.
 */
import type { ContentBlock, ToolCallUpdate } from "@signalbox/acp/AcpSchema"
import type { Seal } from "@signalbox/conductor/Seal"
import type { ProviderSessionId, TurnId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { SessionSetting } from "@signalbox/contracts/SessionSetting"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import type { AgentProfile, SubagentUpdate } from "../profile/AgentProfile.ts"
import * as AgentTerminals from "./AgentTerminals.ts"
import * as CompactionProjection from "./CompactionProjection.ts"
import * as ComponentUpdates from "./ComponentUpdates.ts"
import * as EventSink from "./EventSink.ts"
import * as FileProjection from "./FileProjection.ts"
import * as History from "./History.ts"
import { compact } from "../../../base/Json.ts"
import * as PlanProjection from "./PlanProjection.ts"
import { essence } from "./PromptEssence.ts"
import * as Strand from "./Strand.ts"
import * as SubagentProjection from "./SubagentProjection.ts"
import * as TerminalProjection from "./TerminalProjection.ts"
import * as RepeatedPrompt from "./RepeatedPrompt.ts"
import * as ToolProjection from "./ToolProjection.ts"
import * as Warnings from "./Warnings.ts"

export interface SessionProjection
  extends History.State, TerminalProjection.State, PlanProjection.State, FileProjection.State, Warnings.State {
  /** The agent's id of the session; updates with another id are not ours. Undefined until the agent has named it. */
  agentSessionId: string | undefined
  /** Knows what the components of the session say themselves. */
  readonly seal: Seal
  current: Strand.Strand
  /** The number of the agent's deeds before the running turn. */
  deedsBefore: number
  /** The strand of the turn before. The agent may still report about its calls. */
  previous: Strand.Strand | undefined
  /** The prompt of the running turn. */
  prompt: string | undefined
  /** The person's words that the agent repeats, until another update comes. */
  echo: RepeatedPrompt.RepeatedPrompt
  echoes: number
  replay: History.History | undefined
  readonly terminals: TerminalProjection.KnownTerminals
  onFreshTerminal: () => void
  /** The title that was reported last. Undefined before the first. */
  title: string | null | undefined
  settings: ReadonlyArray<SessionSetting>
  readonly compactions: CompactionProjection.Compactions
  readonly subagents: SubagentProjection.State
}

export const make = (
  profile: AgentProfile,
  sink: EventSink.EventSink,
  providerSessionId: ProviderSessionId,
  seal: Seal
): SessionProjection => ({
  profile,
  sink,
  providerSessionId,
  seal,
  agentSessionId: undefined,
  current: Strand.make(providerSessionId, {}),
  deedsBefore: 0,
  previous: undefined,
  prompt: undefined,
  echo: RepeatedPrompt.none,
  echoes: 0,
  replay: undefined,
  replayed: [],
  awaited: undefined,
  terminals: new Map(),
  freshTerminals: new Set(),
  onFreshTerminal: () => {},
  title: undefined,
  plan: [],
  settings: [],
  compactions: CompactionProjection.make(),
  plans: new Map(),
  subagents: SubagentProjection.make(profile.callOfSubagent),
  writes: 0,
  refusals: Warnings.noRefusals
})

/** Applies a change at a time, in milliseconds since 1970. Returns its events in order. */
export const step = (
  state: SessionProjection,
  at: number,
  change: (state: SessionProjection) => void
): ReadonlyArray<ProviderRuntimeEvent> => {
  state.sink.at = at
  change(state)
  return EventSink.take(state.sink)
}

export const beginTurn = (state: SessionProjection, turnId: TurnId, prompt: string): void => {
  History.end(state)
  settleEcho(state)
  Warnings.settleRefusals(state)
  const { current, sink } = state
  Strand.endText(current, sink)
  state.previous = current
  state.current = Strand.ofTurn(turnId)
  state.deedsBefore = sink.deeds
  state.prompt = prompt
}

/** Handles a message to the agent within its turn: later text of the agent stands after it. */
export const interject = (state: SessionProjection, prompt: string): void => {
  settleEcho(state)
  Strand.endText(state.current, state.sink)
  state.prompt = prompt
}

/** Closes all that the running turn has open. Later updates about this turn are late. */
export const endTurn = (state: SessionProjection, as: Strand.StrandEnd, line?: number): void => {
  settleEcho(state, line)
  Warnings.settleRefusals(state)
  TerminalProjection.claimAll(state, state.current)
  AgentTerminals.settle(state)
  CompactionProjection.settle(state.compactions, as, state.sink, line)
  SubagentProjection.settle(state.subagents, state.sink, line)
  Strand.end(state.current, as, state.profile, state.sink, line)
  state.prompt = undefined
}

/** Marks running calls as cancelled at once: the agent may never report it (ACP v1, prompt-turn). */
export const cancelTools = (state: SessionProjection): void =>
  Strand.closeTools(state.current, "cancelled", state.profile, state.sink)

/** The turn's last run of message text. Undefined if it is too long to search. */
export const lastText = (state: SessionProjection): string | undefined => state.current.text.lastText

/** Whether the running turn has shown nothing yet: no text, thought, call, plan or request. */
export const isSilent = ({ current: { text }, deedsBefore, sink }: SessionProjection): boolean =>
  text.holding === undefined && sink.deeds === deedsBefore

/**
 * The strand for an update that comes now. Undefined if our record has the update already. `line`: its line on the
 * wire.
 */
export const strandNow = (
  state: SessionProjection,
  line?: number,
  what: "tool" | "answer" = "answer"
): Strand.Strand | undefined => {
  if (state.echo.whole !== "") settleEcho(state, line)
  return state.replay === undefined ? state.current : History.strand(state, state.replay, what, line)
}

/** The strand of a tool call: the running one, unless only the previous one knows the call. */
export const strandOfTool = (
  state: SessionProjection,
  toolCallId: string,
  line?: number
): Strand.Strand | undefined => {
  const strand = strandNow(state, line, "tool")
  const { previous } = state
  if (state.replay !== undefined || strand === undefined || Strand.knows(strand, toolCallId)) return strand
  return previous !== undefined && Strand.knows(previous, toolCallId) ? previous : strand
}

/** Takes a piece of a person's words as the agent repeats them. */
export const heard = (state: SessionProjection, piece: ContentBlock, line: number, messageId?: string | null): void => {
  if (History.heard(state, piece, line, messageId)) return
  if (state.echo.whole === "") Strand.endText(state.current, state.sink, line)
  state.echo = RepeatedPrompt.add(state.echo, piece, state.prompt?.length ?? 0)
}

/** Ends the repeated words. A repetition of the agent's own prompt is dropped; other words of people are shown. */
const settleEcho = (state: SessionProjection, line?: number): void => {
  const told = state.echo
  if (told.whole === "") return
  state.echo = RepeatedPrompt.none
  const given = state.prompt === undefined ? undefined : essence(state.prompt)
  if (RepeatedPrompt.readings(told).some((reading) => essence(reading) === given)) return
  const text = RepeatedPrompt.textOf(told)
  state.echoes += 1
  const { current, sink } = state
  const itemId = Strand.itemId(current, `heard-${state.echoes}`)
  EventSink.push(sink, { type: "prompt.replayed", ...current.place, replayed: true, itemId, text }, line)
}

/** Projects an update of a call. Returns the reason if a part can't be shown. */
export const tellTool = (
  state: SessionProjection,
  strand: Strand.Strand,
  said: ToolCallUpdate,
  announced: boolean,
  line: number
): string | undefined => {
  const patch = ComponentUpdates.checked(said, state.seal)
  const entry = Strand.tool(strand, patch.toolCallId, state.sink.at)
  TerminalProjection.connect(state, strand, entry, patch.content)
  const unshown = AgentTerminals.hear(state, strand, entry, patch)
  const tell = Strand.teller(strand, state.sink, line)
  ToolProjection.upsert(entry, patch, announced, state.sink.at, state.profile, (type, told, tool) => {
    tell(type, told, tool)
    const report = state.profile.reportInTool(tool, state.plan)
    if (report?.plan !== undefined) PlanProjection.set(state, report.plan, strand.place, line)
    if (report?.subagent !== undefined) tellSubagent(state, report.subagent, strand, line)
  })
  return unshown
}

/**
 * The call that a permission request asks about, with the fields that the request adds; the result reads its latest
 * state. Agents reuse ids: a call of an earlier turn, or a finished one, is not what is asked now. `isAsked`: another
 * request of the id is open.
 */
export const callOfRequest = (state: SessionProjection, said: ToolCallUpdate, isAsked = false): (() => ToolCall) => {
  const patch = ComponentUpdates.checked(said, state.seal)
  const strand = strandNow(state) ?? state.current
  const { at } = state.sink
  const entry = ToolProjection.askedAbout(Strand.tool(strand, patch.toolCallId, at), patch, at, isAsked, state.profile)
  return () => ToolProjection.view(entry, state.profile)
}

/** Stores a decision of a person, or of the settings, about a call. The last decision counts. */
export const decided = (state: SessionProjection, toolCallId: string, decision: "allowed" | "refused"): void => {
  const entry = state.current.tools.get(toolCallId) ?? state.previous?.tools.get(toolCallId)
  if (entry !== undefined) entry.refusedHere = decision === "refused"
}

/** Sets the title. Agents repeat it with every prompt, so an equal one gives no event. */
export const setTitle = (state: SessionProjection, title: string | null, line: number): void => {
  if (title === state.title) return
  state.title = title
  EventSink.push(state.sink, { type: "session.info.updated", title }, line)
}

/** Replaces the settings. Adds an event if they differ. */
export const setSettings = (state: SessionProjection, settings: ReadonlyArray<SessionSetting>, line?: number): void => {
  const tidy = settings.map(state.profile.tidySetting)
  if (compact(tidy) === compact(state.settings)) return
  state.settings = tidy
  EventSink.push(state.sink, { type: "settings.updated", settings: tidy }, line)
}

export const tellSubagent = (
  state: SessionProjection,
  { id, ...update }: SubagentUpdate,
  strand: Strand.Strand = state.current,
  line?: number
): void => {
  const itemId = Strand.itemId(strand, `subagent:${id}`)
  // A sub-agent with its own session reports its own state.
  const own = SubagentProjection.stateOfCall(state.subagents, id)
  EventSink.push(
    state.sink,
    { type: "subagent.updated", ...strand.place, itemId, ...update, ...(own !== undefined && { state: own }) },
    line
  )
}
