/** The sessions that an agent itself keeps: those of our threads, and those that it had with others. */
import * as Schema from "effect/Schema"
import { ResumeToken, ThreadId, Timestamp } from "./Ids.ts"
import { SessionAbilities } from "./Provider.ts"

export const AgentSession = Schema.Struct({
  sessionId: ResumeToken,
  /** Absolute. */
  cwd: Schema.String,
  additionalDirectories: Schema.optionalKey(Schema.Array(Schema.String)),
  title: Schema.optionalKey(Schema.String),
  /** Absent where the agent told none, or one that is no time. */
  updatedAt: Schema.optionalKey(Timestamp),
  /** It was put away. */
  archived: Schema.optionalKey(Schema.Literal(true)),
  /** Which of our threads goes on with it. */
  threadId: Schema.optionalKey(ThreadId)
})
export type AgentSession = typeof AgentSession.Type

/** Which sessions. `cwd`: those of one folder, absolute. */
export const AgentSessionFilter = Schema.Struct({
  cwd: Schema.optionalKey(Schema.String),
  /** Those that were put away too, or them alone; only where the agent offers an archive. */
  archived: Schema.optionalKey(Schema.Literals(["include", "only"]))
})
export type AgentSessionFilter = typeof AgentSessionFilter.Type

/** A list as it comes: first what can be done with its entries, then these, page by page in the agent's order. */
export const AgentSessionsFrame = Schema.Union([
  Schema.Struct({ type: Schema.tag("abilities"), abilities: SessionAbilities }),
  Schema.Struct({ type: Schema.tag("sessions"), sessions: Schema.Array(AgentSession) }),
  /** There are more than we ask for; the rest is left out. */
  Schema.Struct({ type: Schema.tag("truncated"), after: Schema.Int })
]).pipe(Schema.toTaggedUnion("type"))
export type AgentSessionsFrame = typeof AgentSessionsFrame.Type

/** Closing ends what the session does now and keeps it; deleting is for ever. A session that is gone already counts as done. */
export const AgentSessionChange = Schema.Union([
  Schema.Struct({ type: Schema.tag("close") }),
  Schema.Struct({ type: Schema.tag("delete") }),
  Schema.Struct({ type: Schema.tag("archive") }),
  Schema.Struct({ type: Schema.tag("unarchive") }),
  Schema.Struct({ type: Schema.tag("rename"), title: Schema.String })
]).pipe(Schema.toTaggedUnion("type"))
export type AgentSessionChange = typeof AgentSessionChange.Type

/** What came of a change. `title`: as the agent keeps it, which need not be what was asked for. */
export const AgentSessionChanged = Schema.Struct({ title: Schema.optionalKey(Schema.String) })
export type AgentSessionChanged = typeof AgentSessionChanged.Type

/**
 * The source of a thread's first session. It is one that the agent keeps, opened with its history if the agent can send it. Or it is a copy
 * of one, which goes its own way.
 */
export const SessionSource = Schema.Union([
  /** `title`: as the agent calls it. */
  Schema.Struct({ type: Schema.tag("import"), sessionId: ResumeToken, title: Schema.optionalKey(Schema.String) }),
  /** `threadId`: the thread of ours that it is a copy of. */
  Schema.Struct({ type: Schema.tag("fork"), sessionId: ResumeToken, threadId: Schema.optionalKey(ThreadId) })
]).pipe(Schema.toTaggedUnion("type"))
export type SessionSource = typeof SessionSource.Type
