/** The sessions that an agent itself stores: those of Signalbox's threads, and those with other clients. */
import * as Schema from "effect/Schema"
import { ResumeToken, ThreadId, Timestamp } from "./Ids.ts"
import { SessionAbilities } from "./Provider.ts"

export const AgentSession = Schema.Struct({
  sessionId: ResumeToken,
  /** Absolute. */
  cwd: Schema.String,
  additionalDirectories: Schema.optionalKey(Schema.Array(Schema.String)),
  title: Schema.optionalKey(Schema.String),
  /** Missing if the agent reported no valid time. */
  updatedAt: Schema.optionalKey(Timestamp),
  /** Set if the session is archived. */
  archived: Schema.optionalKey(Schema.Literal(true)),
  /** The thread that continues this session. */
  threadId: Schema.optionalKey(ThreadId)
})
export type AgentSession = typeof AgentSession.Type

/** A filter of sessions. `cwd`: those of one absolute folder. */
export const AgentSessionFilter = Schema.Struct({
  cwd: Schema.optionalKey(Schema.String),
  /** Includes archived sessions, or lists only them. Has an effect only if the agent offers an archive. */
  archived: Schema.optionalKey(Schema.Literals(["include", "only"]))
})
export type AgentSessionFilter = typeof AgentSessionFilter.Type

/** A list as it arrives: first the operations on its entries, then the entries, page by page in the agent's order. */
export const AgentSessionsFrame = Schema.Union([
  Schema.Struct({ type: Schema.tag("abilities"), abilities: SessionAbilities }),
  Schema.Struct({ type: Schema.tag("sessions"), sessions: Schema.Array(AgentSession) }),
  /** The list is cut after this many sessions. */
  Schema.Struct({ type: Schema.tag("truncated"), after: Schema.Int })
]).pipe(Schema.toTaggedUnion("type"))
export type AgentSessionsFrame = typeof AgentSessionsFrame.Type

/**
 * A change of a stored session. Closing ends its present work and keeps it; deleting is permanent. A missing session
 * counts as changed.
 */
export const AgentSessionChange = Schema.Union([
  Schema.Struct({ type: Schema.tag("close") }),
  Schema.Struct({ type: Schema.tag("delete") }),
  Schema.Struct({ type: Schema.tag("archive") }),
  Schema.Struct({ type: Schema.tag("unarchive") }),
  Schema.Struct({ type: Schema.tag("rename"), title: Schema.String })
]).pipe(Schema.toTaggedUnion("type"))
export type AgentSessionChange = typeof AgentSessionChange.Type

/** The result of a change. `title`: the title that the agent stored, which may differ from the requested one. */
export const AgentSessionChanged = Schema.Struct({ title: Schema.optionalKey(Schema.String) })
export type AgentSessionChanged = typeof AgentSessionChanged.Type

/**
 * The source of a thread's first session. `import`: a session that the agent stores, opened with its history if the
 * agent can send it. `fork`: a copy of one, which continues separately.
 */
export const SessionSource = Schema.Union([
  /** `title`: the agent's title. */
  Schema.Struct({ type: Schema.tag("import"), sessionId: ResumeToken, title: Schema.optionalKey(Schema.String) }),
  /** `threadId`: the thread that is copied, if it is Signalbox's. */
  Schema.Struct({ type: Schema.tag("fork"), sessionId: ResumeToken, threadId: Schema.optionalKey(ThreadId) })
]).pipe(Schema.toTaggedUnion("type"))
export type SessionSource = typeof SessionSource.Type
