/**
 * From a batch of `session/update` messages to runtime events (ACP v1, prompt-turn). Nothing is dropped: what is not known is told as
 * unknown.
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
import * as SubagentProjection from "./SubagentProjection.ts"
import * as Warnings from "./Warnings.ts"
import * as EventSink from "./EventSink.ts"

const longAgo = "It is about a call that ended long ago."

/**
 * Projects the updates that came together, at a time in milliseconds since 1970. Changes the state, and returns the events that came of
 * them: adjacent pieces of one text are one event.
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
  // Text comes a hundred times as often as the rest.
  if (update.sessionUpdate === "agent_message_chunk") message(state, update, line)
  else if (update.sessionUpdate === "agent_thought_chunk") thought(state, update, incoming.raw, line)
  else projectOther(state, incoming.sessionId, update, incoming.raw, line)
}

type Other = Exclude<SessionUpdate, { readonly sessionUpdate: "agent_message_chunk" | "agent_thought_chunk" }>

const projectOther = (state: SessionProjection, sessionId: string, update: Other, raw: unknown, line: number): void => {
  switch (update.sessionUpdate) {
    case "user_message_chunk":
      heard(state, update.content, line, update.messageId)
      return
    case "tool_call": {
      const strand = strandNow(state, line, "tool")
      if (strand === undefined) return
      const reason = strand.forgotten.has(update.toolCallId) ? longAgo : tellTool(state, strand, update, true, line)
      if (reason !== undefined) unknown(state, update.sessionUpdate, reason, raw, line)
      return
    }
    case "tool_call_update": {
      const strand = strandOfTool(state, update.toolCallId, line)
      if (strand === undefined) return
      const reason = strand.forgotten.has(update.toolCallId) ? longAgo : tellTool(state, strand, update, false, line)
      if (reason !== undefined) unknown(state, update.sessionUpdate, reason, raw, line)
      return
    }
    case "plan": {
      const strand = strandNow(state, line)
      if (strand !== undefined)
        PlanProjection.set(state, update.entries.map(PlanProjection.entryOf), strand.place, line)
      return
    }
    case "plan_update": {
      const { plan } = update
      const strand = strandNow(state, line)
      if (strand !== undefined)
        PlanProjection.set(state, PlanProjection.entriesOf(plan), strand.place, line, plan.planId)
      return
    }
    case "plan_removed": {
      const strand = strandNow(state, line)
      if (strand !== undefined) PlanProjection.set(state, [], strand.place, line, update.planId)
      return
    }
    case "available_commands_update":
      EventSink.push(
        state.sink,
        {
          type: "commands.updated",
          commands: update.availableCommands.map(({ description, input, name }) => ({
            name,
            description,
            ...(input && typeof input["hint"] === "string" && { hint: input["hint"] })
          }))
        },
        line
      )
      return
    case "current_mode_update": {
      const mode = SettingsModel.modeSetting(state.settings)
      // Of an agent that offers no modes it is on the tape only: there is nothing to show it at.
      if (mode !== undefined)
        setSettings(state, SettingsModel.withValue(state.settings, mode.id, update.currentModeId), line)
      return
    }
    case "config_option_update":
      setSettings(state, SettingsModel.fromConfigOptions(update.configOptions), line)
      return
    case "session_info_update":
      if (update.title !== undefined) setTitle(state, update.title, line)
      return
    case "usage_update": {
      const { cost, size, used } = update
      const spent = cost ? { cost: { amount: cost.amount, currency: cost.currency } } : {}
      EventSink.push(state.sink, { type: "usage.updated", used, size, ...spent }, line)
      return
    }
    case "notice":
      Warnings.warn(state, update.title, update.description ?? undefined, line)
      return
    case "subagent_update": {
      const strand = strandNow(state, line)
      const { sink, subagents } = state
      if (strand !== undefined) SubagentProjection.announce(subagents, strand, sessionId, update, sink, line)
      return
    }
    case "compaction_update": {
      const strand = strandNow(state, line)
      if (strand !== undefined) CompactionProjection.update(state.compactions, strand, update, state.sink, line)
      return
    }
    case "compaction_summary_chunk": {
      const strand = strandNow(state, line)
      if (strand !== undefined) CompactionProjection.chunk(state.compactions, strand, update, state.sink, line)
      return
    }
    case "session_message":
      SubagentProjection.message(state.subagents, update, state.sink, line)
      return
    case "session_message_chunk":
      SubagentProjection.messageChunk(state.subagents, update, state.sink, line)
  }
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

/** A notice that says nothing is none (ACP v1, session notices). */
const isSilentNotice = (kind: string | undefined, raw: unknown): boolean =>
  kind === "notice" && objectOf(raw)["title"] === ""
