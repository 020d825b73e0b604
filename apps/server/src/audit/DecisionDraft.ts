/** Makes entries of decisions: without secrets, and with bounded inputs. */
import type { AuditDecider, AuditDecision, AuditEffect } from "@signalbox/contracts/Audit"
import type { ProviderId, ProviderSessionId, RequestId, ThreadId } from "@signalbox/contracts/Ids"
import type { Judgement } from "@signalbox/contracts/Judgement"
import type { Decision } from "@signalbox/permission/rules/Decision"
import * as Redaction from "@signalbox/redaction/Redaction"
import type { Secrets } from "@signalbox/redaction/Secrets"
import * as Schema from "effect/Schema"
import { compact } from "../base/Json.ts"
import type { AuditDraft } from "./AuditChain.ts"
import * as RecordedSubject from "./RecordedSubject.ts"

export interface Session {
  readonly threadId: ThreadId
  readonly sessionId: ProviderSessionId
  readonly agent: ProviderId
  readonly folder: string
  /** The folders of the session, without links. */
  readonly roots: ReadonlyArray<string>
  readonly secrets: Secrets
  readonly now: () => number
}

export interface Decided {
  readonly requestId: RequestId
  readonly kind: string
  readonly title: string
  /** What was asked, in JSON. */
  readonly input: string
  readonly toolCallId?: string | undefined
  readonly digest?: string | undefined
  readonly judgement?: Judgement | undefined
  /** What the rules looked at is taken from it. */
  readonly decision?: Decision | undefined
  readonly outcome: AuditDecision["outcome"]
  readonly effect: AuditEffect
  readonly answer?: string | undefined
  readonly by: AuditDecider
  readonly why?: string | undefined
}

/** Characters of an input that are kept. */
const longestInput = 16 * 1024

/** Stands where a text was cut, which may be within a secret. */
const cut = "…"

/** Takes the beginnings of secrets out that a cut has left in a text. */
const withoutBeginnings = (secrets: Secrets, text: string): string =>
  text
    .split(cut)
    .map((part, index, parts) => (index === parts.length - 1 ? part : secrets.hideCut(part)))
    .join(cut)

/** Takes secrets out of a text in JSON. */
const withoutSecrets = (secrets: Secrets, json: string): string => {
  const safe = secrets.without(Redaction.message(JSON.parse(json), json))
  if (!safe.includes(cut)) return safe
  return compact(
    JSON.parse(safe, (_, value: unknown) => (typeof value === "string" ? withoutBeginnings(secrets, value) : value))
  )
}

const decodeText = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.String))

/** Takes secrets out of a sentence. */
export const safeText = (secrets: Secrets, text: string): string =>
  decodeText(withoutSecrets(secrets, JSON.stringify(text)))

export const of = (
  { agent, folder, now, secrets, sessionId, threadId }: Session,
  { answer, by, decision, digest, effect, input, judgement, kind, outcome, requestId, title, toolCallId, why }: Decided
): Extract<AuditDraft, { readonly type: "decision" }> => {
  const safely = (json: string): string => withoutSecrets(secrets, json)
  const asked = safely(input)
  const whole = decision?.subject === undefined ? undefined : RecordedSubject.textOf(decision.subject)
  const subject = whole === undefined ? undefined : safely(whole)
  const words = compact({ title, ...(answer !== undefined && { answer }), ...(why !== undefined && { why }) })
  const safeWords = safely(words)
  const isRedacted = asked !== input || subject !== whole || safeWords !== words
  return {
    type: "decision",
    at: now(),
    threadId,
    sessionId,
    agent,
    folder,
    requestId,
    kind,
    ...JSON.parse(safeWords),
    ...(toolCallId !== undefined && { toolCallId }),
    asked: asked.slice(0, longestInput),
    ...(asked.length > longestInput && { askedLength: asked.length }),
    ...(isRedacted && { isRedacted: true }),
    // A short secret could be guessed by the digest of the text that it was taken out of.
    ...(digest !== undefined && !isRedacted && { digest }),
    ...(judgement !== undefined && { judgement: JSON.parse(safely(compact(judgement))) }),
    ...(subject !== undefined && { subject }),
    outcome,
    effect,
    by
  }
}
