/** What happened to a thread: its own events, and all that its agent did. Together they are the thread's log. */
import * as Schema from "effect/Schema"
import { AnsweringClient, RequestResponse } from "./AgentRequest.ts"
import { SessionSource } from "./AgentSession.ts"
import { PromptPart } from "./Content.ts"
import { RequestId, Sequence, ThreadId, Timestamp, TurnId } from "./Ids.ts"
import { Problem } from "./Problem.ts"
import { ProviderOptions, ProviderRef } from "./Provider.ts"
import { ProviderRuntimeEvent } from "./ProviderRuntimeEvent.ts"
import { SettingValue } from "./SessionSetting.ts"
import { Steered } from "./ThreadView.ts"

const common = { threadId: ThreadId, at: Timestamp }

export const OrchestrationEvent = Schema.Union([
  Schema.Struct({
    type: Schema.tag("thread.created"),
    ...common,
    provider: ProviderRef,
    cwd: Schema.String,
    title: Schema.String,
    providerOptions: ProviderOptions,
    settings: Schema.Record(Schema.String, SettingValue),
    /** Those that people had chosen last for this agent in this folder, where `settings` does not say otherwise. */
    remembered: Schema.optionalKey(Schema.Record(Schema.String, SettingValue)),
    from: Schema.optionalKey(SessionSource),
    additionalDirectories: Schema.optionalKey(Schema.Array(Schema.String)),
    mcpServers: Schema.optionalKey(Schema.Array(Schema.String))
  }),
  Schema.Struct({ type: Schema.tag("thread.renamed"), ...common, title: Schema.String }),
  /** With `steer` before all that waits. */
  Schema.Struct({
    type: Schema.tag("turn.queued"),
    ...common,
    turnId: TurnId,
    prompt: Schema.Array(PromptPart),
    steer: Schema.optionalKey(Schema.Literal(true))
  }),
  Schema.Struct({ type: Schema.tag("turn.edited"), ...common, turnId: TurnId, prompt: Schema.Array(PromptPart) }),
  /** Waits directly before another turn from now on, or behind all. */
  Schema.Struct({ type: Schema.tag("turn.moved"), ...common, turnId: TurnId, before: Schema.optionalKey(TurnId) }),
  /** A person holds what waits, or lets it go, whatever held it. */
  Schema.Struct({ type: Schema.tag("queue.held"), ...common, held: Schema.Boolean }),
  /** Committed before the agent sees the prompt: from here on it may have begun. */
  Schema.Struct({ type: Schema.tag("turn.dispatched"), ...common, turnId: TurnId }),
  /**
   * How its prompt came between. `agent`: the agent has taken it into its running turn `into`, which goes on with it; this turn is over by that.
   * `restart`: `into` was stopped for it, and it is sent next.
   */
  Schema.Struct({ type: Schema.tag("turn.steered"), ...common, turnId: TurnId, ...Steered.fields }),
  /** Somebody pressed Stop. */
  Schema.Struct({ type: Schema.tag("turn.interrupt.requested"), ...common, turnId: TurnId }),
  /** Taken back before the agent saw it. One that was already dispatched stays, as cancelled. */
  Schema.Struct({ type: Schema.tag("turn.withdrawn"), ...common, turnId: TurnId }),
  /** The prompt never reached a working session. */
  Schema.Struct({ type: Schema.tag("turn.failed"), ...common, turnId: TurnId, problem: Problem }),
  /** Our server ended while the agent had the prompt. It was not sent again. */
  Schema.Struct({ type: Schema.tag("turn.lost"), ...common, turnId: TurnId, reason: Schema.String }),
  Schema.Struct({
    type: Schema.tag("request.answered"),
    ...common,
    requestId: RequestId,
    response: RequestResponse,
    client: Schema.optionalKey(AnsweringClient)
  }),
  Schema.Struct({ type: Schema.tag("request.expired"), ...common, requestId: RequestId, reason: Schema.String }),
  /** `previous` is what people had chosen before, if anything. */
  Schema.Struct({
    type: Schema.tag("setting.requested"),
    ...common,
    settingId: Schema.String,
    value: SettingValue,
    previous: Schema.optionalKey(SettingValue)
  }),
  /** `desired` is what stays chosen: an earlier value, or one that was asked for meanwhile. */
  Schema.Struct({
    type: Schema.tag("setting.failed"),
    ...common,
    settingId: Schema.String,
    problem: Problem,
    desired: Schema.optionalKey(SettingValue)
  }),
  /** The MCP servers were chosen, for sessions that start from now on. */
  Schema.Struct({
    type: Schema.tag("mcp.chosen"),
    ...common,
    mcpServers: Schema.optionalKey(Schema.Array(Schema.String))
  }),
  Schema.Struct({ type: Schema.tag("session.start.requested"), ...common }),
  /** The agent could not be started outside a turn. */
  Schema.Struct({ type: Schema.tag("session.start.failed"), ...common, problem: Problem }),
  /** The agent is not started yet: `ahead` others are, or will be, before it. 0: it is its turn. */
  Schema.Struct({ type: Schema.tag("session.start.waiting"), ...common, ahead: Schema.Int }),
  /** The agent takes long to start; it is still waited for. */
  Schema.Struct({
    type: Schema.tag("session.start.slow"),
    ...common,
    afterMs: Schema.Int,
    /** What the agent had not answered yet: a method of the protocol. */
    waitingFor: Schema.String
  }),
  /** The agent ended by itself, and is started again at `dueAt` without being asked. */
  Schema.Struct({ type: Schema.tag("session.restart.scheduled"), ...common, attempt: Schema.Int, dueAt: Timestamp }),
  Schema.Struct({ type: Schema.tag("session.stop.requested"), ...common })
]).pipe(Schema.toTaggedUnion("type"))
export type OrchestrationEvent = typeof OrchestrationEvent.Type

export const ThreadEvent = Schema.Union([...OrchestrationEvent.members, ...ProviderRuntimeEvent.members])
export type ThreadEvent = OrchestrationEvent | ProviderRuntimeEvent

/** An event at its place in the log. */
export const LoggedEvent = Schema.Struct({ sequence: Sequence, event: ThreadEvent })
export type LoggedEvent = typeof LoggedEvent.Type
