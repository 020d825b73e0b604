/**
 * What an agent did, in one closed vocabulary for all agents. Adapters emit it; logs, pages and `signalbox run --json` read it.
 * Every event is one flat object told apart by `type`; no payload is untyped, what could not be understood is kept as JSON text.
 */
import * as Schema from "effect/Schema"
import { AgentRequest, PlanEntry, RequestOutcome } from "./AgentRequest.ts"
import { compactionMembers } from "./Compaction.ts"
import { ContentPart } from "./Content.ts"
import { EventId, ItemId, ProviderSessionId, RequestId, ResumeToken, ThreadId, Timestamp, TurnId } from "./Ids.ts"
import { Grants } from "./Grants.ts"
import { Problem } from "./Problem.ts"
import { ProviderCapabilities, ProviderKind } from "./Provider.ts"
import { SessionSetting, SettingValue } from "./SessionSetting.ts"
import { subagentMembers } from "./Subagent.ts"
import { ToolCall } from "./ToolCall.ts"

const common = {
  eventId: EventId,
  providerKind: ProviderKind,
  providerSessionId: ProviderSessionId,
  threadId: ThreadId,
  at: Timestamp,
  /** Line of the session's tape that this event came from, from 1. */
  tapeLine: Schema.optionalKey(Schema.Int)
}

/** Belongs to a turn, or to none: agents also speak between turns. */
const inTurn = {
  ...common,
  turnId: Schema.optionalKey(TurnId),
  /** Arrived after its turn had ended. It still belongs to that turn. */
  late: Schema.optionalKey(Schema.Literal(true)),
  /** Comes from the agent's memory of an earlier run, not from work done now. */
  replayed: Schema.optionalKey(Schema.Literal(true))
}

/**
 * How the session came to be: the ladder is resume, load, and only then a new session that knows nothing of what was said before.
 * `forked`: a copy of another.
 */
export const SessionOrigin = Schema.Literals(["new", "resumed", "loaded", "replaced", "forked"])
export type SessionOrigin = typeof SessionOrigin.Type

export const TurnOutcome = Schema.Literals(["completed", "cancelled", "refused", "limited", "failed"])
export type TurnOutcome = typeof TurnOutcome.Type

export const ProviderRuntimeEvent = Schema.Union([
  Schema.Struct({
    type: Schema.tag("session.started"),
    ...common,
    origin: SessionOrigin,
    resumeToken: ResumeToken,
    agentVersion: Schema.optionalKey(Schema.String),
    pid: Schema.optionalKey(Schema.Int),
    capabilities: ProviderCapabilities,
    /** The MCP servers that it was given, by name. */
    mcpServers: Schema.optionalKey(Schema.Array(Schema.String)),
    /** What its settings allowed it when it started. */
    grants: Schema.optionalKey(Grants),
    /** With `replaced`: why the earlier session could not be taken up. With `resumed`: what of it can't be shown. */
    problem: Schema.optionalKey(Problem)
  }),
  /** The settings that people had chosen were put in place again; what the agent no longer offers is named. */
  Schema.Struct({
    type: Schema.tag("session.configured"),
    ...common,
    applied: Schema.Array(Schema.Struct({ settingId: Schema.String, value: SettingValue })),
    skipped: Schema.Array(Schema.Struct({ settingId: Schema.String, value: SettingValue, reason: Schema.String }))
  }),
  Schema.Struct({
    type: Schema.tag("session.exited"),
    ...common,
    expected: Schema.Boolean,
    exitCode: Schema.optionalKey(Schema.Int),
    signal: Schema.optionalKey(Schema.String),
    /** The problem of an end that nobody asked for, unless the turn that it ended has it. */
    problem: Schema.optionalKey(Problem)
  }),
  Schema.Struct({ type: Schema.tag("session.info.updated"), ...common, title: Schema.NullOr(Schema.String) }),
  Schema.Struct({
    type: Schema.tag("commands.updated"),
    ...common,
    commands: Schema.Array(
      Schema.Struct({ name: Schema.String, description: Schema.String, hint: Schema.optionalKey(Schema.String) })
    )
  }),
  Schema.Struct({ type: Schema.tag("settings.updated"), ...common, settings: Schema.Array(SessionSetting) }),
  Schema.Struct({
    type: Schema.tag("usage.updated"),
    ...common,
    /** Tokens in context now, and the size of the window. */
    used: Schema.Finite,
    size: Schema.Finite,
    cost: Schema.optionalKey(Schema.Struct({ amount: Schema.Finite, currency: Schema.String }))
  }),
  Schema.Struct({ type: Schema.tag("turn.started"), ...common, turnId: TurnId }),
  Schema.Struct({
    type: Schema.tag("turn.completed"),
    ...common,
    turnId: TurnId,
    outcome: TurnOutcome,
    /** The agent's own stop reason; absent when it never gave one. */
    stopReason: Schema.optionalKey(Schema.String),
    problem: Schema.optionalKey(Problem)
  }),
  /** What a person said, told by the agent's memory (`replayed`). */
  Schema.Struct({ type: Schema.tag("prompt.replayed"), ...inTurn, itemId: ItemId, text: Schema.String }),
  /** `offset` counts the UTF-16 units of this item's text before this piece: a gap or a repeat shows. */
  Schema.Struct({
    type: Schema.tag("message.delta"),
    ...inTurn,
    itemId: ItemId,
    offset: Schema.Int,
    text: Schema.String
  }),
  Schema.Struct({ type: Schema.tag("message.content"), ...inTurn, itemId: ItemId, content: ContentPart }),
  /** `continued`: the item is full, and the same message goes on in the next item. */
  Schema.Struct({
    type: Schema.tag("message.completed"),
    ...inTurn,
    itemId: ItemId,
    length: Schema.Int,
    continued: Schema.optionalKey(Schema.Literal(true))
  }),
  /**
   * The message broke off, and its agent streams it once more, from its beginning: `length` units from there to the end of this item come
   * again. They are in `by` and the items that go on with it. Told before they come.
   */
  Schema.Struct({ type: Schema.tag("message.retried"), ...inTurn, itemId: ItemId, by: ItemId, length: Schema.Int }),
  Schema.Struct({
    type: Schema.tag("thought.delta"),
    ...inTurn,
    itemId: ItemId,
    offset: Schema.Int,
    text: Schema.String
  }),
  Schema.Struct({
    type: Schema.tag("thought.completed"),
    ...inTurn,
    itemId: ItemId,
    length: Schema.Int,
    continued: Schema.optionalKey(Schema.Literal(true))
  }),
  Schema.Struct({ type: Schema.tag("tool.started"), ...inTurn, itemId: ItemId, tool: ToolCall }),
  Schema.Struct({ type: Schema.tag("tool.updated"), ...inTurn, itemId: ItemId, tool: ToolCall }),
  Schema.Struct({ type: Schema.tag("tool.completed"), ...inTurn, itemId: ItemId, tool: ToolCall }),
  /** The whole plan, each time. */
  Schema.Struct({ type: Schema.tag("plan.updated"), ...inTurn, entries: Schema.Array(PlanEntry) }),
  Schema.Struct({ type: Schema.tag("plan.proposed"), ...inTurn, request: AgentRequest.cases.plan }),
  Schema.Struct({ type: Schema.tag("plan.resolved"), ...inTurn, requestId: RequestId, outcome: RequestOutcome }),
  Schema.Struct({ type: Schema.tag("question.requested"), ...inTurn, request: AgentRequest.cases.question }),
  Schema.Struct({ type: Schema.tag("question.resolved"), ...inTurn, requestId: RequestId, outcome: RequestOutcome }),
  Schema.Struct({ type: Schema.tag("approval.requested"), ...inTurn, request: AgentRequest.cases.approval }),
  /** What would be done is not what was asked: the request as it is now, under the same id. Answers to what it was don't count. */
  Schema.Struct({ type: Schema.tag("approval.changed"), ...inTurn, request: AgentRequest.cases.approval }),
  Schema.Struct({ type: Schema.tag("approval.resolved"), ...inTurn, requestId: RequestId, outcome: RequestOutcome }),
  Schema.Struct({
    type: Schema.tag("elicitation.requested"),
    ...inTurn,
    request: Schema.Union([AgentRequest.cases.form, AgentRequest.cases.url])
  }),
  Schema.Struct({ type: Schema.tag("elicitation.resolved"), ...inTurn, requestId: RequestId, outcome: RequestOutcome }),
  /** The agent says that what people opened an address for is done. */
  Schema.Struct({ type: Schema.tag("elicitation.completed"), ...inTurn, requestId: RequestId }),
  Schema.Struct({
    type: Schema.tag("subagent.updated"),
    ...inTurn,
    itemId: ItemId,
    ...subagentMembers
  }),
  /** The agent makes what it knows of the conversation shorter. All that is known of this one time, each time. */
  Schema.Struct({
    type: Schema.tag("compaction.updated"),
    ...inTurn,
    itemId: ItemId,
    ...compactionMembers
  }),
  Schema.Struct({
    type: Schema.tag("file.generated"),
    ...inTurn,
    itemId: ItemId,
    path: Schema.String,
    description: Schema.optionalKey(Schema.String)
  }),
  /** We wrote a file for the agent. `bytes`: of all that is in it now. */
  Schema.Struct({
    type: Schema.tag("file.written"),
    ...inTurn,
    itemId: ItemId,
    path: Schema.String,
    bytes: Schema.Int,
    created: Schema.Boolean
  }),
  Schema.Struct({ type: Schema.tag("runtime.error"), ...inTurn, problem: Problem }),
  /** Something that people may want to know and that harmed nothing. */
  Schema.Struct({
    type: Schema.tag("runtime.warning"),
    ...inTurn,
    message: Schema.String,
    detail: Schema.optionalKey(Schema.String)
  }),
  /** An update that we do not know, whole, as compact JSON. */
  Schema.Struct({
    type: Schema.tag("protocol.unknown"),
    ...inTurn,
    kind: Schema.optionalKey(Schema.String),
    reason: Schema.String,
    raw: Schema.String
  })
]).pipe(Schema.toTaggedUnion("type"))
export type ProviderRuntimeEvent = typeof ProviderRuntimeEvent.Type

/** One event of a given type: `RuntimeEventOf<"tool.started">`. */
export type RuntimeEventOf<Type extends ProviderRuntimeEvent["type"]> = Extract<
  ProviderRuntimeEvent,
  { readonly type: Type }
>
