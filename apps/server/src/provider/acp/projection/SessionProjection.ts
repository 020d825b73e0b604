/**
 * What has become of a session, from what its agent says: the state that all updates are projected against. Synchronous;
 * events go to the sink as they come about.
 */
import type { ContentBlock, ToolCallUpdate } from "@signalbox/acp/AcpSchema"
import type { PlanEntry } from "@signalbox/contracts/AgentRequest"
import type { ProviderSessionId, TurnId } from "@signalbox/contracts/Ids"
import type { SessionSetting } from "@signalbox/contracts/SessionSetting"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import type { AgentProfile, SubagentUpdate } from "../profile/AgentProfile.ts"
import * as AgentTerminals from "./AgentTerminals.ts"
import * as CompactionProjection from "./CompactionProjection.ts"
import type { EventSink, Place } from "./EventSink.ts"
import * as History from "./History.ts"
import { compact } from "../../../base/Json.ts"
import * as MessageProjection from "./MessageProjection.ts"
import * as PlanProjection from "./PlanProjection.ts"
import { essence } from "./PromptEssence.ts"
import * as Strand from "./Strand.ts"
import * as SubagentProjection from "./SubagentProjection.ts"
import * as TerminalProjection from "./TerminalProjection.ts"
import * as ToldPrompt from "./ToldPrompt.ts"
import * as ToolProjection from "./ToolProjection.ts"

export interface SessionProjection extends History.State, TerminalProjection.State {
  at: number
  /** What the agent calls the session; updates for another one are not ours. Unknown until it has named it. */
  agentSessionId: string | undefined
  current: Strand.Strand
  /** Deeds of the agent before the running turn. */
  deedsBefore: number
  /** The turn before: its calls may still be told about. */
  previous: Strand.Strand | undefined
  /** The prompt of the running turn. */
  prompt: string | undefined
  /** What the agent says that a person said, until something else comes. */
  echo: ToldPrompt.ToldPrompt
  echoes: number
  replay: History.History | undefined
  readonly terminals: TerminalProjection.KnownTerminals
  onFreshTerminal: () => void
  /** The title that was reported last; undefined before. */
  title: string | null | undefined
  plan: ReadonlyArray<PlanEntry>
  settings: ReadonlyArray<SessionSetting>
  readonly compactions: CompactionProjection.Compactions
  readonly plans: PlanProjection.Plans
  readonly subagents: SubagentProjection.State
  /** Refusals of files and programs since a turn began or ended: those that were told, and those that were counted only. */
  refusals: { readonly told: number; readonly more: number }
}

export const make = (
  profile: AgentProfile,
  sink: EventSink,
  providerSessionId: ProviderSessionId
): SessionProjection => ({
  profile,
  sink,
  providerSessionId,
  at: 0,
  agentSessionId: undefined,
  current: Strand.make(providerSessionId, {}),
  deedsBefore: 0,
  previous: undefined,
  prompt: undefined,
  echo: ToldPrompt.none,
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
  refusals: noRefusals
})

export const beginTurn = (state: SessionProjection, turnId: TurnId, prompt: string): void => {
  History.end(state)
  settleEcho(state)
  settleRefusals(state)
  const { current, sink } = state
  MessageProjection.end(current.text, current.place, sink)
  state.previous = current
  state.current = Strand.ofTurn(turnId)
  state.deedsBefore = sink.deeds()
  state.prompt = prompt
}

/** Something is said to the agent in the middle of its turn: what it says from now on stands behind that. */
export const interject = (state: SessionProjection, prompt: string): void => {
  settleEcho(state)
  MessageProjection.end(state.current.text, state.current.place, state.sink)
  state.prompt = prompt
}

/** Closes what the running turn has open; what still comes of it is late from here on. */
export const endTurn = (state: SessionProjection, as: Strand.StrandEnd, line?: number): void => {
  settleEcho(state, line)
  settleRefusals(state)
  TerminalProjection.claimAll(state, state.current)
  AgentTerminals.settle(state)
  CompactionProjection.settle(state.compactions, as, state.sink, line)
  SubagentProjection.settle(state.subagents, state.sink, line)
  Strand.end(state.current, as, state.at, state.profile, state.sink, line)
  state.prompt = undefined
}

/** Marks what runs as cancelled, at once: the agent may never say so (ACP v1, prompt-turn). */
export const cancelTools = (state: SessionProjection): void =>
  Strand.closeTools(state.current, "cancelled", state.at, state.profile, state.sink)

/** The turn's last run of message text; undefined when it is too long to be looked through. */
export const lastText = (state: SessionProjection): string | undefined => state.current.text.lastText

/** Whether nothing that people see has come of the running turn: no text, no thought, no call, no plan, no request. */
export const isSilent = ({ current: { text }, deedsBefore, sink }: SessionProjection): boolean =>
  text.holding === undefined && sink.deeds() === deedsBefore

/** The strand of the transcript for what comes now; undefined when it repeats what we have. `line` is the line that it came on. */
export const strandNow = (
  state: SessionProjection,
  line?: number,
  what: "tool" | "answer" = "answer"
): Strand.Strand | undefined => {
  if (state.echo.whole !== "") settleEcho(state, line)
  return state.replay === undefined ? state.current : History.strand(state, state.replay, what, line)
}

/** The strand of a call that is told about: the running one unless only the one before knows the call. */
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

/** What a person is said to have said. */
export const heard = (state: SessionProjection, piece: ContentBlock, line: number, messageId?: string | null): void => {
  if (History.heard(state, piece, line, messageId)) return
  if (state.echo.whole === "") MessageProjection.end(state.current.text, state.current.place, state.sink, line)
  state.echo = ToldPrompt.add(state.echo, piece, state.prompt?.length ?? 0)
}

/** Agents may repeat the prompt that they were given; anything else that people said elsewhere is shown. */
const settleEcho = (state: SessionProjection, line?: number): void => {
  const told = state.echo
  if (told.whole === "") return
  state.echo = ToldPrompt.none
  const given = state.prompt === undefined ? undefined : essence(state.prompt)
  if (ToldPrompt.readings(told).some((reading) => essence(reading) === given)) return
  const text = ToldPrompt.textOf(told)
  state.echoes += 1
  const { current, sink } = state
  const itemId = Strand.itemId(current, `heard-${state.echoes}`)
  sink.push({ type: "prompt.replayed", ...current.place, replayed: true, itemId, text }, line)
}

/** Tells what an update says about a call. The reason, where something of it could not be taken in. */
export const tellTool = (
  state: SessionProjection,
  strand: Strand.Strand,
  patch: ToolCallUpdate,
  announced: boolean,
  line: number
): string | undefined => {
  const entry = Strand.tool(strand, patch.toolCallId, state.at)
  TerminalProjection.connect(state, strand, entry, patch.content)
  const unshown = AgentTerminals.hear(state, strand, entry, patch)
  const tell = Strand.teller(strand, state.sink, line)
  ToolProjection.upsert(entry, patch, announced, state.at, state.profile, (type, told, tool) => {
    tell(type, told, tool)
    const report = state.profile.reportInTool(tool, state.plan)
    if (report?.plan !== undefined) setPlan(state, report.plan, strand.place, line)
    if (report?.subagent !== undefined) tellSubagent(state, report.subagent, strand, line)
  })
  return unshown
}

/**
 * The call that a request for permission asks about, with what the request adds to it: as it is whenever one looks. Agents use ids
 * again: what a call of an earlier turn said, or one that is over, is not what is asked now.
 */
export const callOfRequest = (state: SessionProjection, patch: ToolCallUpdate): (() => ToolCall) => {
  const strand = strandNow(state) ?? state.current
  const entry = ToolProjection.toAskAbout(Strand.tool(strand, patch.toolCallId, state.at), state.at)
  ToolProjection.mergeRequest(entry, patch, state.profile)
  return () => ToolProjection.view(entry, state.profile)
}

/** A person, or the settings, decided about this call. Of several decisions the last one counts. */
export const decided = (state: SessionProjection, toolCallId: string, decision: "allowed" | "refused"): void => {
  const entry = state.current.tools.get(toolCallId) ?? state.previous?.tools.get(toolCallId)
  if (entry !== undefined) entry.refusedHere = decision === "refused"
}

/** Puts a plan in place as a whole; the one without a name unless `name` says which. */
export const setPlan = (
  state: SessionProjection,
  plan: ReadonlyArray<PlanEntry>,
  place: Place = state.current.place,
  line?: number,
  name = ""
): void => {
  const entries = PlanProjection.replace(state.plans, name, plan)
  if (samePlan(entries, state.plan)) return
  state.plan = entries
  state.sink.push({ type: "plan.updated", ...place, entries }, line)
}

const samePlan = (one: ReadonlyArray<PlanEntry>, other: ReadonlyArray<PlanEntry>): boolean =>
  one.length === other.length &&
  one.every((entry, index) => {
    const { content, id, priority, status } = other[index] ?? entry
    return entry.content === content && entry.status === status && entry.id === id && entry.priority === priority
  })

/** Agents repeat the title with every prompt. */
export const setTitle = (state: SessionProjection, title: string | null, line: number): void => {
  if (title === state.title) return
  state.title = title
  state.sink.push({ type: "session.info.updated", title }, line)
}

/** Puts settings in place as a whole; says so when they differ. */
export const setSettings = (state: SessionProjection, settings: ReadonlyArray<SessionSetting>, line?: number): void => {
  const tidy = settings.map(state.profile.tidySetting)
  if (compact(tidy) === compact(state.settings)) return
  state.settings = tidy
  state.sink.push({ type: "settings.updated", settings: tidy }, line)
}

export const tellSubagent = (
  state: SessionProjection,
  { id, ...update }: SubagentUpdate,
  strand: Strand.Strand = state.current,
  line?: number
): void => {
  const itemId = Strand.itemId(strand, `subagent:${id}`)
  // One with a session tells itself where it stands.
  const own = SubagentProjection.stateOfCall(state.subagents, id)
  state.sink.push(
    { type: "subagent.updated", ...strand.place, itemId, ...update, ...(own !== undefined && { state: own }) },
    line
  )
}

/** Refusals of a turn that are told one by one. */
const mostRefusals = 8
const noRefusals = { told: 0, more: 0 }

/** Tells what was refused to the agent, and only counts when it asks for much. */
export const refused = (state: SessionProjection, message: string, detail: string): void => {
  const { more, told } = state.refusals
  if (told >= mostRefusals) {
    state.refusals = { told, more: more + 1 }
    return
  }
  state.refusals = { told: told + 1, more }
  const last = told + 1 === mostRefusals ? " Further refusals of this turn are counted at its end." : ""
  warn(state, message, `${detail}${last}`)
}

const settleRefusals = (state: SessionProjection): void => {
  const { more } = state.refusals
  state.refusals = noRefusals
  if (more > 0)
    warn(
      state,
      `${more} further ${more === 1 ? "request" : "requests"} for files and programs ${more === 1 ? "was" : "were"} refused.`
    )
}

/** What becomes of the session, outside of its turns. */
export const note = (state: SessionProjection, message: string, detail?: string): void =>
  state.sink.push({ type: "runtime.warning", message, ...(detail !== undefined && { detail }) })

export const warn = (state: SessionProjection, message: string, detail?: string, line?: number): void =>
  state.sink.push(
    { type: "runtime.warning", ...state.current.place, message, ...(detail !== undefined && { detail }) },
    line
  )
