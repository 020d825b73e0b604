/** A thread as people see it: the state after all events of its log. `ThreadProjection` applies each event. */
import * as Schema from "effect/Schema"
import { AgentRequest, PlanEntry, RequestOutcome } from "./AgentRequest.ts"
import { SessionSource } from "./AgentSession.ts"
import { compactionMembers } from "./Compaction.ts"
import { ContentPart, PromptPart } from "./Content.ts"
import { Cursor, ItemId, ProviderSessionId, ResumeToken, Sequence, ThreadId, Timestamp, TurnId } from "./Ids.ts"
import { Grants } from "./Grants.ts"
import { Problem } from "./Problem.ts"
import { PermissionProfile, ProviderCapabilities, ProviderRef } from "./Provider.ts"
import { SessionOrigin } from "./ProviderRuntimeEvent.ts"
import { SessionChain } from "./SessionChain.ts"
import { SessionSetting, SettingValue } from "./SessionSetting.ts"
import { subagentMembers } from "./Subagent.ts"
import { ToolCall } from "./ToolCall.ts"
import { TurnTotals } from "./TurnTotals.ts"

/**
 * The state of a turn. `queued`: waits for the turn before it · `sent`: handed to the agent, no sign yet · `working` ·
 * `waiting`: for an answer · `cancelling`: Stop was pressed. The others are ends: a turn never leaves them.
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

/** How a prompt steered: the agent took it into its running turn `into`, or that turn was stopped for it. */
export const Steered = Schema.Struct({ way: Schema.Literals(["agent", "restart"]), into: TurnId })
export type Steered = typeof Steered.Type

export const TurnView = Schema.Struct({
  turnId: TurnId,
  prompt: Schema.Array(PromptPart),
  status: TurnStatus,
  /** The prompt steers: it is sent before all queued ones, and is not held. */
  steer: Schema.optionalKey(Schema.Literal(true)),
  steered: Schema.optionalKey(Steered),
  queuedAt: Timestamp,
  sentAt: Schema.optionalKey(Timestamp),
  interruptedAt: Schema.optionalKey(Timestamp),
  endedAt: Schema.optionalKey(Timestamp),
  stopReason: Schema.optionalKey(Schema.String),
  problem: Schema.optionalKey(Problem),
  /** Missing before its first entry. */
  totals: Schema.optionalKey(TurnTotals)
})
export type TurnView = typeof TurnView.Type

/**
 * Why queued prompts are held, if no person did it: Stop, the end of a turn, or a session that the agent has lost.
 * `forgotten` is the lost session; `turnId` is missing if all was before the thread began. See `TurnQueue`.
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
 * One entry of the transcript, in the order of first appearance. `cut`: the text was incomplete when its turn was lost
 * or failed; more may exist that never arrived. `continued`: the next item of its kind continues the text.
 * `triedAgain`: the text broke off, and a later item begins with all of it.
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
  /** A request that was answered, cancelled or expired. Open ones are in `requests`. */
  Schema.Struct({
    type: Schema.tag("request"),
    ...common,
    request: AgentRequest,
    outcome: RequestOutcome,
    /** When the agent reported that the purpose of an opened address was complete. */
    completedAt: Schema.optionalKey(Timestamp)
  }),
  Schema.Struct({
    type: Schema.tag("subagent"),
    ...common,
    ...subagentMembers
  }),
  /** The agent shortened its memory of the conversation. `summary`: what it continues with, if it reports that. */
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
    /** Set if Signalbox wrote the file for the agent: its size then, whether it was new, and what names its bytes. */
    written: Schema.optionalKey(
      Schema.Struct({ bytes: Schema.Int, created: Schema.Boolean, version: Schema.optionalKey(Schema.String) })
    )
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
  /** The agent's id of its session. */
  sessionId: Schema.optionalKey(ResumeToken),
  capabilities: Schema.optionalKey(ProviderCapabilities),
  /** The names of the MCP servers that the agent got. Later choices count for its next session. */
  mcpServers: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The parts of its chain, nearest to people first. Missing without components. */
  chain: Schema.optionalKey(SessionChain),
  /** The agent waits for its turn to start. `ahead`: the number of agents before it. */
  waiting: Schema.optionalKey(Schema.Struct({ ahead: Schema.Int })),
  /** The rights that its settings granted at the start. */
  grants: Schema.optionalKey(Grants),
  /** Who answers its requests until it ends. Missing: the settings say it. */
  profile: Schema.optionalKey(PermissionProfile),
  /** The start is slow: `afterMs` had passed, and the agent had not answered `waitingFor`. */
  slow: Schema.optionalKey(Schema.Struct({ afterMs: Schema.Int, waitingFor: Schema.String })),
  /** The agent ended by itself and is started again at `dueAt`, for the `attempt`th time in a row. */
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
  /** The last event that this state includes. */
  sequence: Sequence,
  title: Schema.String,
  /** Whether a person named the thread. The agent's title then no longer counts. */
  titled: Schema.Boolean,
  /**
   * The turn whose prompt gave the title, which may be out of reach. Null: that prompt was withdrawn, and the next one
   * gives the title.
   */
  calledAfter: Schema.optionalKey(Schema.NullOr(TurnId)),
  provider: ProviderRef,
  cwd: Schema.String,
  /** Additional folders that its agent may work in. */
  additionalDirectories: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The names of the MCP servers that people chose for its sessions. Missing: those that the settings enable. */
  mcpServers: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The names of the components that people chose for its sessions. Missing: those that the settings switch on. */
  components: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The session that the thread began with, if it was not a new one. */
  from: Schema.optionalKey(SessionSource),
  createdAt: Timestamp,
  /** When something last happened that concerns people: see `News`. */
  updatedAt: Timestamp,
  /** The time of the agent's last sign of life. */
  lastSignAt: Schema.optionalKey(Timestamp),
  session: SessionView,
  /** The settings that the agent offers now, in its order. */
  settings: Schema.Array(SessionSetting),
  /** The settings that people chose, by id. They are set again after a resume. */
  desired: Schema.Record(Schema.String, SettingValue),
  /** The desired settings that come from earlier threads of this agent in this folder, until its session has them. */
  remembered: Schema.optionalKey(Schema.Record(Schema.String, SettingValue)),
  commands: Schema.Array(AgentCommand),
  plan: Schema.Array(PlanEntry),
  /** When the plan first appeared in its turn, and its last change: they give its place in the transcript. */
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
  /** Whether queued turns are held back. */
  held: Schema.optionalKey(Schema.Literal(true)),
  /** Why queued turns are held. Missing if a person holds them. */
  heldBy: Schema.optionalKey(QueueHold),
  /**
   * The agent has lost the session with the conversation. `open`: nothing is sent to the new session until people have
   * chosen how to continue. `chosen`: they have chosen, and no prompt has followed yet.
   */
  forgotten: Schema.optionalKey(Schema.Literals(["open", "chosen"])),
  /** The latest turns, and all open ones. Queued turns have the order in which they will be sent. */
  turns: Schema.Array(TurnView),
  /** The place before the first entry here, for `readEarlier`. Missing if nothing is earlier. */
  earlier: Schema.optionalKey(Cursor),
  /** The number of entries before it. */
  earlierCount: Schema.optionalKey(Schema.Int),
  /** Open requests, oldest first. `answered`: an answer was accepted and is on its way to the agent. */
  requests: Schema.Array(
    Schema.Struct({ request: AgentRequest, turnId: Schema.optionalKey(TurnId), answered: Schema.Boolean })
  )
}

/** A thread without its transcript. */
export const ThreadHead = Schema.Struct(head)
export type ThreadHead = typeof ThreadHead.Type

export const ThreadView = Schema.Struct({ ...head, items: Schema.Array(ItemView) })
export type ThreadView = typeof ThreadView.Type

/** A part of a thread before its latest window, oldest first. */
export const ThreadPage = Schema.Struct({
  turns: Schema.Array(TurnView),
  items: Schema.Array(ItemView),
  /** Missing if this page begins with the thread's first entry. */
  earlier: Schema.optionalKey(Cursor),
  earlierCount: Schema.optionalKey(Schema.Int),
  /** The end of this page, for `readLater`. Missing unless the page ends before the requested place. */
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
  /** The time of the last event that concerns people: see `News`. */
  updatedAt: Timestamp,
  /**
   * The status of the running turn. Without one, that of the turn that holds the queue or is queued, or else of the
   * last turn. Missing before the first turn.
   */
  status: Schema.optionalKey(TurnStatus),
  /** What the turn waits for, if its status is `waiting`. */
  waitingFor: Schema.optionalKey(Schema.Literals(["approval", "question", "plan", "form", "url"])),
  turnStartedAt: Schema.optionalKey(Timestamp),
  /** Who answers the agent's requests until its session ends, if that was chosen for the session. */
  profile: Schema.optionalKey(PermissionProfile),
  /** Whether queued turns are held back. */
  held: Schema.optionalKey(Schema.Literal(true)),
  /** Whether a prompt is being written that was not sent yet. */
  draft: Schema.optionalKey(Schema.Literal(true)),
  /** The damage of the thread's record. The other members are what could be read. */
  unreadable: Schema.optionalKey(Problem)
})
export type ThreadSummary = typeof ThreadSummary.Type
