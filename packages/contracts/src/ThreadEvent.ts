/** The events of a thread: its own, and those of its agent. Together they are the thread's log. */
import * as Schema from "effect/Schema"
import { AnsweringClient, RequestResponse } from "./AgentRequest.ts"
import { SessionSource } from "./AgentSession.ts"
import { PromptPart } from "./Content.ts"
import { RequestId, Sequence, ThreadId, Timestamp, TurnId } from "./Ids.ts"
import { Problem } from "./Problem.ts"
import { PermissionProfile, ProviderOptions, ProviderRef } from "./Provider.ts"
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
    /** The latest choices of people for this agent in this folder, where `settings` has no value. */
    remembered: Schema.optionalKey(Schema.Record(Schema.String, SettingValue)),
    from: Schema.optionalKey(SessionSource),
    additionalDirectories: Schema.optionalKey(Schema.Array(Schema.String)),
    mcpServers: Schema.optionalKey(Schema.Array(Schema.String)),
    components: Schema.optionalKey(Schema.Array(Schema.String))
  }),
  Schema.Struct({ type: Schema.tag("thread.renamed"), ...common, title: Schema.String }),
  /** A turn is queued at the end, or with `steer` before all others. */
  Schema.Struct({
    type: Schema.tag("turn.queued"),
    ...common,
    turnId: TurnId,
    prompt: Schema.Array(PromptPart),
    steer: Schema.optionalKey(Schema.Literal(true))
  }),
  Schema.Struct({ type: Schema.tag("turn.edited"), ...common, turnId: TurnId, prompt: Schema.Array(PromptPart) }),
  /** The turn now waits before another one, or at the end. */
  Schema.Struct({ type: Schema.tag("turn.moved"), ...common, turnId: TurnId, before: Schema.optionalKey(TurnId) }),
  /** A person holds the queue, or releases it whatever held it. */
  Schema.Struct({ type: Schema.tag("queue.held"), ...common, held: Schema.Boolean }),
  /** Committed before the agent gets the prompt. After this the agent may have begun. */
  Schema.Struct({ type: Schema.tag("turn.dispatched"), ...common, turnId: TurnId }),
  /**
   * How the turn's prompt steered. `agent`: the agent took it into its running turn `into`, which continues with it and
   * ends this turn. `restart`: `into` was stopped for it, and it is sent next.
   */
  Schema.Struct({ type: Schema.tag("turn.steered"), ...common, turnId: TurnId, ...Steered.fields }),
  /** Somebody pressed Stop. */
  Schema.Struct({ type: Schema.tag("turn.interrupt.requested"), ...common, turnId: TurnId }),
  /** The turn was withdrawn before the agent saw it. One that was already dispatched stays, as cancelled. */
  Schema.Struct({ type: Schema.tag("turn.withdrawn"), ...common, turnId: TurnId }),
  /** The prompt never reached a working session. */
  Schema.Struct({ type: Schema.tag("turn.failed"), ...common, turnId: TurnId, problem: Problem }),
  /** The server ended while the agent had the prompt. It was not sent again. */
  Schema.Struct({ type: Schema.tag("turn.lost"), ...common, turnId: TurnId, reason: Schema.String }),
  Schema.Struct({
    type: Schema.tag("request.answered"),
    ...common,
    requestId: RequestId,
    response: RequestResponse,
    client: Schema.optionalKey(AnsweringClient)
  }),
  Schema.Struct({ type: Schema.tag("request.expired"), ...common, requestId: RequestId, reason: Schema.String }),
  /** `previous`: the earlier choice of people, if there was one. */
  Schema.Struct({
    type: Schema.tag("setting.requested"),
    ...common,
    settingId: Schema.String,
    value: SettingValue,
    previous: Schema.optionalKey(SettingValue)
  }),
  /** `desired`: the choice that stays: an earlier one, or one made in the meantime. */
  Schema.Struct({
    type: Schema.tag("setting.failed"),
    ...common,
    settingId: Schema.String,
    problem: Problem,
    desired: Schema.optionalKey(SettingValue)
  }),
  /** The MCP servers for later sessions were chosen. */
  Schema.Struct({
    type: Schema.tag("mcp.chosen"),
    ...common,
    mcpServers: Schema.optionalKey(Schema.Array(Schema.String))
  }),
  /** The components of later sessions were chosen. */
  Schema.Struct({
    type: Schema.tag("components.chosen"),
    ...common,
    components: Schema.optionalKey(Schema.Array(Schema.String))
  }),
  /** Who answers the agent's requests was chosen until its session ends. Without `profile`: the settings again. */
  Schema.Struct({
    type: Schema.tag("profile.chosen"),
    ...common,
    profile: Schema.optionalKey(PermissionProfile),
    client: Schema.optionalKey(AnsweringClient)
  }),
  Schema.Struct({ type: Schema.tag("session.start.requested"), ...common }),
  /** The agent could not be started outside a turn. */
  Schema.Struct({ type: Schema.tag("session.start.failed"), ...common, problem: Problem }),
  /** The agent waits for its start: `ahead` others start before it. 0: its turn has come. */
  Schema.Struct({ type: Schema.tag("session.start.waiting"), ...common, ahead: Schema.Int }),
  /** The agent's start is slow, and continues. */
  Schema.Struct({
    type: Schema.tag("session.start.slow"),
    ...common,
    afterMs: Schema.Int,
    /** The method of the protocol that the agent has not answered yet. */
    waitingFor: Schema.String
  }),
  /** The agent ended by itself, and is started again at `dueAt`. */
  Schema.Struct({ type: Schema.tag("session.restart.scheduled"), ...common, attempt: Schema.Int, dueAt: Timestamp }),
  Schema.Struct({ type: Schema.tag("session.stop.requested"), ...common })
]).pipe(Schema.toTaggedUnion("type"))
export type OrchestrationEvent = typeof OrchestrationEvent.Type

export const ThreadEvent = Schema.Union([...OrchestrationEvent.members, ...ProviderRuntimeEvent.members])
export type ThreadEvent = OrchestrationEvent | ProviderRuntimeEvent

/** An event at its place in the log. */
export const LoggedEvent = Schema.Struct({ sequence: Sequence, event: ThreadEvent })
export type LoggedEvent = typeof LoggedEvent.Type
