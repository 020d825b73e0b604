/** A thread as people see it: the state that its log amounts to. `ThreadProjection` says how each event changes it. */
import * as Schema from "effect/Schema"
import { AgentRequest, PlanEntry, RequestOutcome } from "./AgentRequest.ts"
import { SessionSource } from "./AgentSession.ts"
import { compactionMembers } from "./Compaction.ts"
import { ContentPart, PromptPart } from "./Content.ts"
import { Cursor, ItemId, ProviderSessionId, ResumeToken, Sequence, ThreadId, Timestamp, TurnId } from "./Ids.ts"
import { Grants } from "./Grants.ts"
import { Problem } from "./Problem.ts"
import { ProviderCapabilities, ProviderRef } from "./Provider.ts"
import { SessionOrigin } from "./ProviderRuntimeEvent.ts"
import { SessionSetting, SettingValue } from "./SessionSetting.ts"
import { subagentMembers } from "./Subagent.ts"
import { ToolCall } from "./ToolCall.ts"
import { TurnTotals } from "./TurnTotals.ts"

/**
 * `queued` waits for the turn before it · `sent` handed to the agent, no sign yet · `working` · `waiting` for an answer ·
 * `cancelling` Stop was pressed. The rest are ends: a turn never leaves them.
 */
export const TurnStatus = Schema.Literals([
  "queued",
  "sent",
  "working",
  "waiting",
  "cancelling",
  "completed",
  "cancelled",
  "refused",
  "limited",
  "failed",
  "lost"
])
export type TurnStatus = typeof TurnStatus.Type

/** How a prompt came between: the agent took it into its running turn `into`, or that turn was stopped for it. */
export const Steered = Schema.Struct({ way: Schema.Literals(["agent", "restart"]), into: TurnId })
export type Steered = typeof Steered.Type

export const TurnView = Schema.Struct({
  turnId: TurnId,
  prompt: Schema.Array(PromptPart),
  status: TurnStatus,
  /** It was to come between: it waits before all others, and is not held. */
  steer: Schema.optionalKey(Schema.Literal(true)),
  steered: Schema.optionalKey(Steered),
  queuedAt: Timestamp,
  sentAt: Schema.optionalKey(Timestamp),
  interruptedAt: Schema.optionalKey(Timestamp),
  endedAt: Schema.optionalKey(Timestamp),
  stopReason: Schema.optionalKey(Schema.String),
  problem: Schema.optionalKey(Problem),
  /** Absent before its first entry. */
  totals: Schema.optionalKey(TurnTotals)
})
export type TurnView = typeof TurnView.Type

/**
 * What holds the prompts that wait, where that is no person's Hold: Stop on the turn, how the turn ended, or that the agent has lost the
 * session that had it (`forgotten`; without a turn where all was said before the thread began). See `TurnQueue`.
 */
export const QueueHold = Schema.Struct({
  turnId: Schema.optionalKey(TurnId),
  why: Schema.Literals(["stopped", "cancelled", "refused", "limited", "failed", "lost", "forgotten"])
})
export type QueueHold = typeof QueueHold.Type

const common = {
  itemId: ItemId,
  turnId: Schema.optionalKey(TurnId),
  at: Timestamp,
  late: Schema.optionalKey(Schema.Literal(true)),
  replayed: Schema.optionalKey(Schema.Literal(true))
}

/**
 * One entry of the transcript, in the order of first appearance. `cut`: the text was going on when its turn was lost or failed;
 * more may have been said that never arrived. `continued`: a long text goes on in the next item of its kind. `triedAgain`: the text
 * broke off, and a later item begins with the whole of it.
 */
export const ItemView = Schema.Union([
  Schema.Struct({ type: Schema.tag("prompt"), ...common, prompt: Schema.Array(PromptPart) }),
  Schema.Struct({
    type: Schema.tag("message"),
    ...common,
    text: Schema.String,
    content: Schema.Array(ContentPart),
    endedAt: Schema.optionalKey(Timestamp),
    cut: Schema.optionalKey(Schema.Literal(true)),
    continued: Schema.optionalKey(Schema.Literal(true)),
    triedAgain: Schema.optionalKey(Schema.Literal(true))
  }),
  Schema.Struct({
    type: Schema.tag("thought"),
    ...common,
    text: Schema.String,
    endedAt: Schema.optionalKey(Timestamp),
    cut: Schema.optionalKey(Schema.Literal(true)),
    continued: Schema.optionalKey(Schema.Literal(true))
  }),
  Schema.Struct({ type: Schema.tag("tool"), ...common, tool: ToolCall }),
  /** A request that was answered, cancelled or expired; open ones stand in `requests`. */
  Schema.Struct({
    type: Schema.tag("request"),
    ...common,
    request: AgentRequest,
    outcome: RequestOutcome,
    /** The time when the agent said that all was done, for an address that was opened. */
    completedAt: Schema.optionalKey(Timestamp)
  }),
  Schema.Struct({
    type: Schema.tag("subagent"),
    ...common,
    ...subagentMembers
  }),
  /** The agent made what it knows of the conversation shorter: `summary` is what it goes on with, where it tells that. */
  Schema.Struct({
    type: Schema.tag("compaction"),
    ...common,
    ...compactionMembers
  }),
  Schema.Struct({
    type: Schema.tag("file"),
    ...common,
    path: Schema.String,
    description: Schema.optionalKey(Schema.String),
    /** We wrote it for the agent: how much is in it now, and whether there was none before. */
    written: Schema.optionalKey(Schema.Struct({ bytes: Schema.Int, created: Schema.Boolean }))
  }),
  Schema.Struct({ type: Schema.tag("problem"), ...common, problem: Problem }),
  Schema.Struct({
    type: Schema.tag("warning"),
    ...common,
    message: Schema.String,
    detail: Schema.optionalKey(Schema.String)
  }),
  /** The agent was started, resumed, replaced or ended. */
  Schema.Struct({
    type: Schema.tag("session"),
    ...common,
    change: Schema.Union([SessionOrigin, Schema.Literal("exited")]),
    problem: Schema.optionalKey(Problem)
  }),
  Schema.Struct({
    type: Schema.tag("unknown"),
    ...common,
    kind: Schema.optionalKey(Schema.String),
    reason: Schema.String,
    raw: Schema.String
  })
]).pipe(Schema.toTaggedUnion("type"))
export type ItemView = typeof ItemView.Type

export const SessionView = Schema.Struct({
  state: Schema.Literals(["none", "starting", "ready", "exited"]),
  providerSessionId: Schema.optionalKey(ProviderSessionId),
  origin: Schema.optionalKey(SessionOrigin),
  agentVersion: Schema.optionalKey(Schema.String),
  pid: Schema.optionalKey(Schema.Int),
  startedAt: Schema.optionalKey(Timestamp),
  /** What the agent calls its session. */
  sessionId: Schema.optionalKey(ResumeToken),
  capabilities: Schema.optionalKey(ProviderCapabilities),
  /** The MCP servers that it was given, by name. What was chosen since is for the next one. */
  mcpServers: Schema.optionalKey(Schema.Array(Schema.String)),
  /** It waits for its turn to start: so many agents are ahead. */
  waiting: Schema.optionalKey(Schema.Struct({ ahead: Schema.Int })),
  /** What its settings allowed it when it started. */
  grants: Schema.optionalKey(Grants),
  /** Its start takes longer than it should: `afterMs` had gone by, and this is what it had not answered. */
  slow: Schema.optionalKey(Schema.Struct({ afterMs: Schema.Int, waitingFor: Schema.String })),
  /** It ended by itself and is started again at `dueAt`, for the `attempt`th time in a row. */
  restart: Schema.optionalKey(Schema.Struct({ attempt: Schema.Int, dueAt: Timestamp }))
})
export type SessionView = typeof SessionView.Type

export const AgentCommand = Schema.Struct({
  name: Schema.String,
  description: Schema.String,
  hint: Schema.optionalKey(Schema.String)
})

const head = {
  threadId: ThreadId,
  /** The last event that this state holds. */
  sequence: Sequence,
  title: Schema.String,
  /** Whether a person named it; the agent's title then no longer counts. */
  titled: Schema.Boolean,
  /** The prompt that gave it its title, which may not be at hand any more; null: that one was taken back, and the next will. */
  calledAfter: Schema.optionalKey(Schema.NullOr(TurnId)),
  provider: ProviderRef,
  cwd: Schema.String,
  /** More folders that its agent may work in. */
  additionalDirectories: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The MCP servers that people chose for its sessions, by name; absent: those that the settings enable. */
  mcpServers: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The session that it began with, where that was not a new one. */
  from: Schema.optionalKey(SessionSource),
  createdAt: Timestamp,
  /** When something last happened that concerns people: see `News`. */
  updatedAt: Timestamp,
  /** When the agent last gave a sign of life. */
  lastSignAt: Schema.optionalKey(Timestamp),
  session: SessionView,
  /** What the agent offers now, in its order. */
  settings: Schema.Array(SessionSetting),
  /** What people chose, by setting id; put in place again after a resume. */
  desired: Schema.Record(Schema.String, SettingValue),
  /** Those of them that come from earlier threads of this agent in this folder, until its session has them. */
  remembered: Schema.optionalKey(Schema.Record(Schema.String, SettingValue)),
  commands: Schema.Array(AgentCommand),
  plan: Schema.Array(PlanEntry),
  /** When the plan stood first in its turn, and when it changed last: its place in the transcript. */
  planned: Schema.optionalKey(
    Schema.Struct({ turnId: Schema.optionalKey(TurnId), at: Timestamp, changedAt: Timestamp })
  ),
  usage: Schema.optionalKey(
    Schema.Struct({
      used: Schema.Finite,
      size: Schema.Finite,
      cost: Schema.optionalKey(Schema.Struct({ amount: Schema.Finite, currency: Schema.String }))
    })
  ),
  /** Turns that wait are not sent. */
  held: Schema.optionalKey(Schema.Literal(true)),
  /** Why they are held; absent where a person holds them. */
  heldBy: Schema.optionalKey(QueueHold),
  /**
   * The agent has lost the session that knew what was said. `open`: nothing is sent to the new one before people have chosen how it goes
   * on. `chosen`: they have, and no prompt has come there yet.
   */
  forgotten: Schema.optionalKey(Schema.Literals(["open", "chosen"])),
  /** The latest turns, and all that are not over; those that wait in the order in which they will be sent. */
  turns: Schema.Array(TurnView),
  /** There is more before the first entry that is here: what `readEarlier` takes. */
  earlier: Schema.optionalKey(Cursor),
  /** How many entries stand there. */
  earlierCount: Schema.optionalKey(Schema.Int),
  /** Open requests, oldest first. `answered`: an answer was taken and is on its way to the agent. */
  requests: Schema.Array(
    Schema.Struct({ request: AgentRequest, turnId: Schema.optionalKey(TurnId), answered: Schema.Boolean })
  )
}

/** A thread but for its transcript. */
export const ThreadHead = Schema.Struct(head)
export type ThreadHead = typeof ThreadHead.Type

export const ThreadView = Schema.Struct({ ...head, items: Schema.Array(ItemView) })
export type ThreadView = typeof ThreadView.Type

/** A stretch of a thread that is not its latest window, oldest first. */
export const ThreadPage = Schema.Struct({
  turns: Schema.Array(TurnView),
  items: Schema.Array(ItemView),
  /** Absent when this page begins with the thread's first entry. */
  earlier: Schema.optionalKey(Cursor),
  earlierCount: Schema.optionalKey(Schema.Int),
  /** The end of this page, for `readLater`. Absent unless the page ends before what was asked for. */
  later: Schema.optionalKey(Cursor)
})
export type ThreadPage = typeof ThreadPage.Type

export type OpenRequest = ThreadView["requests"][number]

/** One row of the thread list. */
export const ThreadSummary = Schema.Struct({
  threadId: ThreadId,
  sequence: Sequence,
  title: Schema.String,
  provider: ProviderRef,
  cwd: Schema.String,
  createdAt: Timestamp,
  /** When something last happened that concerns people: see `News`. */
  updatedAt: Timestamp,
  /**
   * The status of the turn that runs. Else it is that of the turn that holds the queue or waits, else of the last one. Absent before the
   * first.
   */
  status: Schema.optionalKey(TurnStatus),
  /** What it waits for, when it waits. */
  waitingFor: Schema.optionalKey(Schema.Literals(["approval", "question", "plan", "form", "url"])),
  turnStartedAt: Schema.optionalKey(Timestamp),
  /** Turns that wait are not sent. */
  held: Schema.optionalKey(Schema.Literal(true)),
  /** Its record is damaged: what was found. The rest of the row is what could still be read. */
  unreadable: Schema.optionalKey(Problem)
})
export type ThreadSummary = typeof ThreadSummary.Type
