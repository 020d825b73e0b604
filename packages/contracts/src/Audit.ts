/** The audit log: what agents asked for, what was decided, and who decided it. Each entry is chained to the one before it. */
import * as Schema from "effect/Schema"
import { AnsweringClient } from "./AgentRequest.ts"
import { ProviderId, ProviderSessionId, RequestId, ThreadId, Timestamp } from "./Ids.ts"
import { Judgement, RuleRef } from "./Judgement.ts"
import { Problem } from "./Problem.ts"

/** A SHA-256 in hexadecimal digits. */
const AuditHash = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))

/** The hash before the first entry. */
export const noHash = "0".repeat(64)

/** The present form of entries. */
const auditFormat = 1

/** Members of every entry. */
const place = {
  format: Schema.Literal(auditFormat),
  /** 1, 2, 3 … over all programs that write to the log. */
  sequence: Schema.Int,
  /** The machine's clock. It may go backwards, and `sequence` does not. */
  at: Timestamp,
  /** The hash of the entry before this one. */
  previous: AuditHash
}

/** Who decided. */
export const AuditDecider = Schema.Union([
  /** A person, through this client. */
  Schema.Struct({ type: Schema.tag("person"), client: Schema.optionalKey(AnsweringClient) }),
  Schema.Struct({ type: Schema.tag("rule"), rule: RuleRef }),
  /** The agent's settings: its permission profile, or what it may do with files and terminals. */
  Schema.Struct({
    type: Schema.tag("settings"),
    profile: Schema.optionalKey(Schema.String),
    /** Set if the profile was chosen for the session, and not in the settings. */
    until: Schema.optionalKey(Schema.Literal("session"))
  }),
  /** A flag of `signalbox run`, such as `--approve allow`. */
  Schema.Struct({ type: Schema.tag("flag"), flag: Schema.String }),
  /** Nobody: the request was withdrawn, or it ended without an answer. */
  Schema.Struct({ type: Schema.tag("nobody") })
]).pipe(Schema.toTaggedUnion("type"))
export type AuditDecider = typeof AuditDecider.Type

/** What a decision came to. `none`: nothing was allowed or denied, such as by a question that was answered. */
export const AuditEffect = Schema.Literals(["allow", "deny", "none"])
export type AuditEffect = typeof AuditEffect.Type

/** One request, and what became of it. */
export const AuditDecision = Schema.Struct({
  type: Schema.tag("decision"),
  ...place,
  requestId: RequestId,
  threadId: ThreadId,
  sessionId: ProviderSessionId,
  /** The id of the agent. */
  agent: ProviderId,
  /** The folder of the session. */
  folder: Schema.String,
  /** `permission`, `question`, `plan`, `form`, `address`, `read`, `write`, `program`, `server` or `agent`. */
  kind: Schema.String,
  /** What was asked, in one line. */
  title: Schema.String,
  /** The call that it belongs to, by the agent's id. */
  toolCallId: Schema.optionalKey(Schema.String),
  /** The input as it was sent, in JSON, without secrets. Only its beginning if `askedLength` is there. */
  asked: Schema.String,
  /** The characters of the whole input. */
  askedLength: Schema.optionalKey(Schema.Int),
  /** Secrets were taken out of this entry. */
  isRedacted: Schema.optionalKey(Schema.Literal(true)),
  /** The digest of all facts that the answer is bound to, uncut. Absent if secrets were taken out: short ones could be guessed by it. */
  digest: Schema.optionalKey(Schema.String),
  /** What the rules made of it. */
  judgement: Schema.optionalKey(Judgement),
  /** What the rules looked at, in JSON: commands and paths as they were then. Absent if it was too long. */
  subject: Schema.optionalKey(Schema.String),
  outcome: Schema.Literals(["answered", "cancelled", "expired"]),
  effect: AuditEffect,
  /** The answer in words, such as the name of the option that was chosen. */
  answer: Schema.optionalKey(Schema.String),
  by: AuditDecider,
  /** The reason of the decision: a sentence. */
  why: Schema.optionalKey(Schema.String)
})
export type AuditDecision = typeof AuditDecision.Type

/** What became of a call after its decision. */
export const AuditEnd = Schema.Struct({
  type: Schema.tag("end"),
  ...place,
  /** The decision's request. */
  requestId: RequestId,
  /** The sequence of the decision. */
  decision: Schema.Int,
  /** The status of the call, as the agent reports it. `refused`: Signalbox did not do it after all. */
  status: Schema.String,
  why: Schema.optionalKey(Schema.String),
  exitCode: Schema.optionalKey(Schema.Int)
})
export type AuditEnd = typeof AuditEnd.Type

/** An answer that was refused: the request was decided already, or it had changed. */
export const AuditRefusal = Schema.Struct({
  type: Schema.tag("refusal"),
  ...place,
  requestId: RequestId,
  threadId: ThreadId,
  /** The answer in words. */
  answer: Schema.String,
  client: Schema.optionalKey(AnsweringClient),
  why: Schema.String
})
export type AuditRefusal = typeof AuditRefusal.Type

/** Decisions that are not in the log, since it could not be written. */
const AuditGap = Schema.Struct({ type: Schema.tag("gap"), ...place, missing: Schema.Int, why: Schema.String })

/** A new log begins here, since the one before it could not be used. */
const AuditRestart = Schema.Struct({
  type: Schema.tag("restart"),
  ...place,
  /** The name under which the log before it is kept. Absent if it was gone. */
  kept: Schema.optionalKey(Schema.String),
  why: Schema.String
})

export const AuditEntry = Schema.Union([AuditDecision, AuditEnd, AuditRefusal, AuditGap, AuditRestart]).pipe(
  Schema.toTaggedUnion("type")
)
export type AuditEntry = typeof AuditEntry.Type

/** Which decisions are wanted. All given members must fit. */
export const AuditFilter = Schema.Struct({
  threadId: Schema.optionalKey(ThreadId),
  agent: Schema.optionalKey(ProviderId),
  folder: Schema.optionalKey(Schema.String),
  effect: Schema.optionalKey(AuditEffect),
  /** The id of the rule that decided, or that had people asked. */
  rule: Schema.optionalKey(Schema.String),
  by: Schema.optionalKey(Schema.Literals(["person", "rule", "settings", "flag", "nobody"])),
  since: Schema.optionalKey(Timestamp),
  until: Schema.optionalKey(Timestamp)
})
export type AuditFilter = typeof AuditFilter.Type

/** A decision with what came after it. */
export const AuditRow = Schema.Struct({
  decision: AuditDecision,
  hash: AuditHash,
  end: Schema.optionalKey(AuditEnd),
  /** Answers to the same request that were refused. */
  refusals: Schema.Array(AuditRefusal)
})
export type AuditRow = typeof AuditRow.Type

/** Most decisions of one page. */
export const mostAuditRows = 500

/** Decisions, latest first. */
export const AuditPage = Schema.Struct({
  rows: Schema.Array(AuditRow),
  /** The place of the next page: `before` of the next call. Absent if there is none. */
  next: Schema.optionalKey(Schema.Int),
  /** Entries in the stretch of this page that can't be read. `signalbox audit verify` names them. */
  unreadable: Schema.Int,
  /** Why decisions can't be recorded now. */
  problem: Schema.optionalKey(Problem)
})
export type AuditPage = typeof AuditPage.Type

/** What a rule did. */
export const RuleCount = Schema.Struct({
  /** The rule as it stood at its latest decision. */
  rule: RuleRef,
  allowed: Schema.Int,
  denied: Schema.Int,
  /** Requests that people were asked about because of the rule. */
  asked: Schema.Int,
  lastAt: Timestamp
})
export type RuleCount = typeof RuleCount.Type

/** What rules would have made of the recorded requests. */
export const RuleReplay = Schema.Struct({
  /** The recorded requests that rules judge. */
  requests: Schema.Int,
  /** Requests that the rule would have decided by itself. */
  answered: Schema.Int,
  /** Those of them that people were asked about. */
  spared: Schema.Int,
  /** Requests that were recorded in part only, and so can't be judged again. */
  unknown: Schema.Int
})
export type RuleReplay = typeof RuleReplay.Type
