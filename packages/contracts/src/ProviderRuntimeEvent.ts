/**
 * The events of agents, in one closed vocabulary for all agents. Adapters emit them; logs, pages and `signalbox run
 * --json` read them. Every event is one flat object with a `type`. No payload is untyped: unknown content is kept as
 * JSON text.
 */
import * as Schema from "effect/Schema"
import { AgentRequest, PlanEntry, RequestOutcome } from "./AgentRequest.ts"
import { compactionMembers } from "./Compaction.ts"
import { ContentPart } from "./Content.ts"
import { EventId, ItemId, ProviderSessionId, RequestId, ResumeToken, ThreadId, Timestamp, TurnId } from "./Ids.ts"
import { Grants } from "./Grants.ts"
import { Problem } from "./Problem.ts"
import { ProviderCapabilities, ProviderKind } from "./Provider.ts"
import { SessionChain } from "./SessionChain.ts"
import { SessionSetting, SettingValue } from "./SessionSetting.ts"
import { subagentMembers } from "./Subagent.ts"
import { ToolCall } from "./ToolCall.ts"

const common = {
  eventId: EventId,
  providerKind: ProviderKind,
  providerSessionId: ProviderSessionId,
  threadId: ThreadId,
  at: Timestamp,
  /** The line of the session's tape that this event came from, counted from 1. */
  tapeLine: Schema.optionalKey(Schema.Int)
}

/** Members of events in a turn or outside of turns: agents also send text between turns. */
const inTurn = {
  ...common,
  turnId: Schema.optionalKey(TurnId),
  /** Set if it arrived after its turn had ended. It still belongs to that turn. */
  late: Schema.optionalKey(Schema.Literal(true)),
  /** Set if it comes from the agent's history, not from present work. */
  replayed: Schema.optionalKey(Schema.Literal(true))
}

/**
 * How the session was opened. A session is resumed, else loaded, and replaced by an empty new one only if both fail.
 * `forked`: a copy of another session.
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
    /** The names of the MCP servers that the agent got. */
    mcpServers: Schema.optionalKey(Schema.Array(Schema.String)),
    /** The parts of its chain, nearest to people first. Missing without components. */
    chain: Schema.optionalKey(SessionChain),
    /** The rights that its settings granted at the start. */
    grants: Schema.optionalKey(Grants),
    /** With `replaced`: why the earlier session could not continue. With `resumed`: what can't be shown of it. */
    problem: Schema.optionalKey(Problem)
  }),
  /** The chosen settings were set again. `skipped` has those that the agent no longer offers. */
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
    /** The problem of an unexpected exit, unless the turn that it ended has it. */
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
    /** Tokens in the context now, and the size of the window. */
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
    /** The agent's own stop reason. Missing if it gave none. */
    stopReason: Schema.optionalKey(Schema.String),
    problem: Schema.optionalKey(Problem)
  }),
  /** A person's prompt as the agent repeats it (`replayed`). */
  Schema.Struct({ type: Schema.tag("prompt.replayed"), ...inTurn, itemId: ItemId, text: Schema.String }),
  /** `offset`: the UTF-16 units of this item's text before this piece, so that a gap or a repetition is visible. */
  Schema.Struct({
    type: Schema.tag("message.delta"),
    ...inTurn,
    itemId: ItemId,
    offset: Schema.Int,
    text: Schema.String
  }),
  Schema.Struct({ type: Schema.tag("message.content"), ...inTurn, itemId: ItemId, content: ContentPart }),
  /** `continued`: the item is full, and the next item continues the message. */
  Schema.Struct({
    type: Schema.tag("message.completed"),
    ...inTurn,
    itemId: ItemId,
    length: Schema.Int,
    continued: Schema.optionalKey(Schema.Literal(true))
  }),
  /**
   * The message broke off, and its agent streams it again from the beginning. The last `length` units of this item are
   * repeated in `by` and the items that continue it. Emitted before the repetition.
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
  /**
   * The call would now do something else than requested. The request has its new form and the same id; answers to the
   * earlier form are refused.
   */
  Schema.Struct({ type: Schema.tag("approval.changed"), ...inTurn, request: AgentRequest.cases.approval }),
  Schema.Struct({ type: Schema.tag("approval.resolved"), ...inTurn, requestId: RequestId, outcome: RequestOutcome }),
  Schema.Struct({
    type: Schema.tag("elicitation.requested"),
    ...inTurn,
    request: Schema.Union([AgentRequest.cases.form, AgentRequest.cases.url])
  }),
  Schema.Struct({ type: Schema.tag("elicitation.resolved"), ...inTurn, requestId: RequestId, outcome: RequestOutcome }),
  /** The agent reports that the purpose of an opened address is complete. */
  Schema.Struct({ type: Schema.tag("elicitation.completed"), ...inTurn, requestId: RequestId }),
  Schema.Struct({
    type: Schema.tag("subagent.updated"),
    ...inTurn,
    itemId: ItemId,
    ...subagentMembers
  }),
  /** The agent shortens its memory of the conversation. Each event has all that is known of this compaction. */
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
  /** Signalbox wrote a file for the agent. `bytes`: the size of its new content. `version`: names its bytes, as in `Documents`. */
  Schema.Struct({
    type: Schema.tag("file.written"),
    ...inTurn,
    itemId: ItemId,
    path: Schema.String,
    bytes: Schema.Int,
    created: Schema.Boolean,
    version: Schema.optionalKey(Schema.String)
  }),
  Schema.Struct({ type: Schema.tag("runtime.error"), ...inTurn, problem: Problem }),
  /** A warning: of interest to people, without harm. */
  Schema.Struct({
    type: Schema.tag("runtime.warning"),
    ...inTurn,
    message: Schema.String,
    detail: Schema.optionalKey(Schema.String)
  }),
  /** An unknown update, complete, as compact JSON. */
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
