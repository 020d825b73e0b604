/**
 * Projects batches of `session/update` messages to runtime events (ACP v1, prompt-turn). Nothing is dropped: an unknown
 * update gives an event of type `protocol.unknown`.
 */
import type { IncomingUpdate } from "@signalbox/acp/AcpClient"
import type { ContentChunk, SessionUpdate } from "@signalbox/acp/AcpSchema"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as CompactionProjection from "./CompactionProjection.ts"
import { toContentPart } from "./ContentMapping.ts"
import { compact, objectOf } from "../../../base/Json.ts"
import * as MessageProjection from "./MessageProjection.ts"
import * as PlanProjection from "./PlanProjection.ts"
import {
  heard,
  type SessionProjection,
  setSettings,
  setTitle,
  step,
  strandNow,
  strandOfTool,
  tellTool
} from "./SessionProjection.ts"
import * as SettingsModel from "./SettingsModel.ts"
import type { Strand } from "./Strand.ts"
import * as SubagentProjection from "./SubagentProjection.ts"
import * as Warnings from "./Warnings.ts"
import * as EventSink from "./EventSink.ts"

const longAgo = "It is about a call that ended long ago."

/**
 * Projects updates that arrived together, at a time in milliseconds since 1970. Changes the state, and returns the
 * events; adjacent pieces of one text are one event.
 */
export const project = (
  state: SessionProjection,
  batch: ReadonlyArray<IncomingUpdate>,
  at: number
): ReadonlyArray<ProviderRuntimeEvent> =>
  step(state, at, () => {
    for (const incoming of batch) projectOne(state, incoming)
  })

const projectOne = (state: SessionProjection, incoming: IncomingUpdate): void => {
  const { line } = incoming
  if (incoming._tag === "Unknown") {
    if (!isSilentNotice(incoming.kind, incoming.raw)) unknown(state, incoming.kind, incoming.reason, incoming.raw, line)
    return
  }
  const { update } = incoming
  if (incoming.sessionId !== state.agentSessionId && state.agentSessionId !== undefined) {
    if (SubagentProjection.isSubagent(state.subagents, incoming.sessionId)) {
      const strand = strandNow(state, line)
      if (strand !== undefined) {
        SubagentProjection.hear(state.subagents, strand, incoming.sessionId, update, state.sink, line)
      }
    } else unknown(state, update.sessionUpdate, `It is for session ${incoming.sessionId}.`, incoming.raw, line)
    return
  }
  // Text comes about a hundred times as often as the rest.
  if (update.sessionUpdate === "agent_message_chunk") message(state, update, line)
  else if (update.sessionUpdate === "agent_thought_chunk") thought(state, update, incoming.raw, line)
  else projectOther(state, incoming.sessionId, update, incoming.raw, line)
}

type Other = Exclude<SessionUpdate, { readonly sessionUpdate: "agent_message_chunk" | "agent_thought_chunk" }>

const projectOther = (state: SessionProjection, sessionId: string, update: Other, raw: unknown, line: number): void => {
  switch (update.sessionUpdate) {
    case "user_message_chunk":
      return heard(state, update.content, line, update.messageId)
    case "tool_call":
      return toolCall(state, strandNow(state, line, "tool"), update, raw, line)
    case "tool_call_update":
      return toolCall(state, strandOfTool(state, update.toolCallId, line), update, raw, line)
    case "plan":
      return inStrand(state, line, ({ place }) =>
        PlanProjection.set(state, update.entries.map(PlanProjection.entryOf), place, line)
      )
    case "plan_update":
      return inStrand(state, line, ({ place }) =>
        PlanProjection.set(state, PlanProjection.entriesOf(update.plan), place, line, update.plan.planId)
      )
    case "plan_removed":
      return inStrand(state, line, ({ place }) => PlanProjection.set(state, [], place, line, update.planId))
    case "available_commands_update":
      return commands(state, update, line)
    case "current_mode_update": {
      const mode = SettingsModel.modeSetting(state.settings)
      // An agent without modes has no setting to show this in, so it stays on the tape only.
      if (mode === undefined) return
      return setSettings(state, SettingsModel.withValue(state.settings, mode.id, update.currentModeId), line)
    }
    case "config_option_update":
      return setSettings(state, SettingsModel.fromConfigOptions(update.configOptions), line)
    case "session_info_update":
      return update.title === undefined ? undefined : setTitle(state, update.title, line)
    case "usage_update":
      return usage(state, update, raw, line)
    case "notice":
      return Warnings.warn(state, update.title, update.description ?? undefined, line)
    case "subagent_update":
      return inStrand(state, line, (strand) =>
        SubagentProjection.announce(state.subagents, strand, sessionId, update, state.sink, line)
      )
    case "compaction_update":
      return inStrand(state, line, (strand) =>
        CompactionProjection.update(state.compactions, strand, update, state.sink, line)
      )
    case "compaction_summary_chunk":
      return inStrand(state, line, (strand) =>
        CompactionProjection.chunk(state.compactions, strand, update, state.sink, line)
      )
    case "session_message":
      return SubagentProjection.message(state.subagents, update, state.sink, line)
    case "session_message_chunk":
      return SubagentProjection.messageChunk(state.subagents, update, state.sink, line)
  }
}

type UpdateOf<Kind extends Other["sessionUpdate"]> = Extract<Other, { readonly sessionUpdate: Kind }>

/** Runs a change in the current strand. An update that our record already has is dropped. */
const inStrand = (state: SessionProjection, line: number, tell: (strand: Strand) => void): void => {
  const strand = strandNow(state, line)
  if (strand !== undefined) tell(strand)
}

const toolCall = (
  state: SessionProjection,
  strand: Strand | undefined,
  update: UpdateOf<"tool_call" | "tool_call_update">,
  raw: unknown,
  line: number
): void => {
  if (strand === undefined) return
  const announced = update.sessionUpdate === "tool_call"
  const reason = strand.forgotten.has(update.toolCallId) ? longAgo : tellTool(state, strand, update, announced, line)
  if (reason !== undefined) unknown(state, update.sessionUpdate, reason, raw, line)
}

const usage = (state: SessionProjection, update: UpdateOf<"usage_update">, raw: unknown, line: number): void => {
  const { cost, size, used } = update
  if (!isCount(used) || !isCount(size)) return unknown(state, update.sessionUpdate, tooManyTokens, raw, line)
  const spent = cost && isCount(cost.amount) ? { cost: { amount: cost.amount, currency: cost.currency } } : {}
  EventSink.push(state.sink, { type: "usage.updated", used, size, ...spent }, line)
  if (cost && !isCount(cost.amount)) unknown(state, update.sessionUpdate, tooCostly, raw, line)
}

/** Whether a double can count to this number. No real count of tokens is larger, and no cost. */
const isCount = (amount: number): boolean => Math.abs(amount) <= Number.MAX_SAFE_INTEGER

const tooManyTokens = "It counts more tokens than there can be."
const tooCostly = "It has a cost that is too large to be one. The tokens were taken."

const commands = (
  { sink }: SessionProjection,
  { availableCommands }: UpdateOf<"available_commands_update">,
  line: number
): void => {
  const commands = availableCommands.map(({ description, input, name }) => ({
    name,
    description,
    ...(input && typeof input["hint"] === "string" && { hint: input["hint"] })
  }))
  EventSink.push(sink, { type: "commands.updated", commands }, line)
}

const message = (state: SessionProjection, { content, messageId }: ContentChunk, line: number): void => {
  const strand = strandNow(state, line)
  if (strand === undefined) return
  if (content.type === "text") {
    MessageProjection.text(strand.text, "message", content.text, messageId, strand.place, state.sink, line)
  } else MessageProjection.content(strand.text, toContentPart(content), messageId, strand.place, state.sink, line)
}

const thought = (state: SessionProjection, { content, messageId }: ContentChunk, raw: unknown, line: number): void => {
  const strand = strandNow(state, line)
  if (strand === undefined) return
  if (content.type === "text") {
    MessageProjection.text(strand.text, "thought", content.text, messageId, strand.place, state.sink, line)
  } else unknown(state, "agent_thought_chunk", `It is a thought made of ${content.type}.`, raw, line)
}

const unknown = (
  state: SessionProjection,
  kind: string | undefined,
  reason: string,
  raw: unknown,
  line: number
): void => {
  const { place } = state.replay?.strand ?? state.current
  EventSink.push(
    state.sink,
    { type: "protocol.unknown", ...place, reason, raw: compact(raw), ...(kind !== undefined && { kind }) },
    line
  )
}

/** Whether an unknown update is a notice with an empty title, which says nothing (ACP v1, session notices). */
const isSilentNotice = (kind: string | undefined, raw: unknown): boolean =>
  kind === "notice" && objectOf(raw)["title"] === ""
