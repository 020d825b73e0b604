/** Records the decisions of one session: each request with its end, what became of allowed calls, and answers that were refused. */
import type { AgentRequest, AnsweringClient, RequestOutcome, RequestResponse } from "@signalbox/contracts/AgentRequest"
import { type ProviderId, type ProviderSessionId, RequestId, type ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import { isRunning, type ToolCall } from "@signalbox/contracts/ToolCall"
import type { Decision } from "@signalbox/permission/rules/Decision"
import * as Redaction from "@signalbox/redaction/Redaction"
import type { Secrets } from "@signalbox/redaction/Secrets"
import { compact } from "../base/Json.ts"
import * as AnswerWords from "./AnswerWords.ts"
import type { AuditDraft } from "./AuditChain.ts"
import type { AuditLog } from "./AuditLog.ts"
import * as RecordedSubject from "./RecordedSubject.ts"

type DecisionDraft = Extract<AuditDraft, { readonly type: "decision" }>

export interface Session {
  readonly threadId: ThreadId
  readonly sessionId: ProviderSessionId
  readonly agent: ProviderId
  readonly folder: string
  readonly secrets: Secrets
  readonly now: () => number
}

/** A request that has ended, or is about to. */
export interface Ended {
  readonly request: AgentRequest
  readonly outcome: RequestOutcome
  /** What the rules made of it. */
  readonly decision?: Decision | undefined
  /** Returns the latest state of the call that it is about. */
  readonly call?: (() => ToolCall) | undefined
}

export interface SessionAudit {
  /**
   * Records the end of a request. Returns why it could not be recorded.
   *
   * @param how `now`: what can't be recorded is not done either. `later`: it counts all the same, and is recorded when that is possible
   */
  readonly ended: (ended: Ended, how: "later" | "now") => Problem | undefined
  /** Records an answer that was not taken. */
  readonly refused: (
    requestId: RequestId,
    response: RequestResponse,
    client: AnsweringClient | undefined,
    why: string
  ) => void
  /** Records requests that nobody saw, since there was no room for them. */
  readonly turnedAway: (count: number, why: string) => void
  /** Records what became of calls that were allowed. To be called when calls may have changed. */
  readonly callsChanged: () => void
}

/** Characters of an input that are kept. */
const longestInput = 16 * 1024

/** Most allowed calls whose end is waited for. */
const mostWatched = 64

interface Watched {
  readonly requestId: RequestId
  readonly sequence: number
  readonly call: () => ToolCall
}

/** Records nothing: there is no log. */
export const none: SessionAudit = {
  ended: () => undefined,
  refused: () => {},
  turnedAway: () => {},
  callsChanged: () => {}
}

export const make = (log: AuditLog, session: Session): SessionAudit => {
  const { now, secrets, ...place } = session
  const watched: Array<Watched> = []

  const safely = (json: string): string => secrets.without(Redaction.message(JSON.parse(json), json))

  const draftOf = ({ decision, outcome, request }: Ended): DecisionDraft => {
    const whole = inputOf(request)
    const asked = safely(whole)
    const subject = decision?.subject === undefined ? undefined : RecordedSubject.textOf(decision.subject)
    const safeSubject = subject === undefined ? undefined : safely(subject)
    const answer = outcome.type === "answered" ? AnswerWords.answerOf(request, outcome.response) : undefined
    const why = AnswerWords.whyOf(outcome)
    const words = compact({
      title: AnswerWords.titleOf(request),
      ...(answer !== undefined && { answer: answer.words }),
      ...(why !== undefined && { why })
    })
    const judgement = request.type === "approval" ? request.judgement : undefined
    const safeWords = safely(words)
    return {
      type: "decision",
      at: now(),
      ...place,
      requestId: request.requestId,
      kind: AnswerWords.kindOf(request),
      ...JSON.parse(safeWords),
      ...toolOf(request),
      asked: asked.slice(0, longestInput),
      ...(asked.length > longestInput && { askedLength: asked.length }),
      ...((asked !== whole || safeSubject !== subject || safeWords !== words) && { isRedacted: true }),
      ...(request.type === "approval" && request.digest !== undefined && { digest: request.digest }),
      ...(judgement !== undefined && { judgement: JSON.parse(safely(compact(judgement))) }),
      ...(safeSubject !== undefined && { subject: safeSubject }),
      outcome: outcome.type,
      effect: answer?.effect ?? "none",
      by: AnswerWords.deciderOf(outcome)
    }
  }

  const recordEnd = ({ requestId, sequence }: Watched, { result, status }: ToolCall): void => {
    const exitCode = result?.exitCode
    const end = { requestId, decision: sequence, status, ...(exitCode !== undefined && { exitCode }) }
    log.record({ type: "end", at: now(), ...end }, "later")
  }

  return {
    ended: (ended, how) => {
      const draft = draftOf(ended)
      const isByPerson = draft.by.type === "person"
      const written = log.record(draft, how === "now" ? "now" : isByPerson ? "synced" : "later")
      if (written.type === "unwritten") return written.problem
      if (draft.effect !== "allow" || ended.call === undefined) return undefined
      watched.push({ requestId: draft.requestId, sequence: written.sequence, call: ended.call })
      if (watched.length > mostWatched) watched.shift()
      return undefined
    },
    refused: (requestId, response, client, why) =>
      void log.record(
        {
          type: "refusal",
          at: now(),
          requestId,
          threadId: place.threadId,
          answer: AnswerWords.wordsOf(response),
          ...(client !== undefined && { client }),
          why
        },
        "later"
      ),
    turnedAway: (count, why) =>
      void log.record(
        {
          type: "decision",
          at: now(),
          ...place,
          requestId: RequestId.make(crypto.randomUUID()),
          kind: "permission",
          title: count === 1 ? "A request that was not shown" : `${count} requests that were not shown`,
          asked: "null",
          outcome: "cancelled",
          effect: "none",
          by: { type: "nobody" },
          why
        },
        "later"
      ),
    callsChanged: () => {
      if (watched.length === 0) return
      const looked = watched.map((one) => ({ one, call: one.call() }))
      watched.splice(0, Infinity, ...looked.flatMap(({ call, one }) => (isRunning(call) ? [one] : [])))
      for (const { call, one } of looked) if (!isRunning(call)) recordEnd(one, call)
    }
  }
}

const toolOf = (request: AgentRequest) => {
  const toolCallId = request.type === "approval" ? request.tool.toolCallId : toolCallIn(request)
  return toolCallId === undefined ? {} : { toolCallId }
}

const toolCallIn = (request: Exclude<AgentRequest, { readonly type: "approval" }>): string | undefined =>
  "toolCallId" in request ? request.toolCallId : undefined

/** What was asked, in JSON: the input of a call unchanged, with the changes of files that come with it. */
const inputOf = (request: AgentRequest): string => {
  if (request.type === "approval") {
    const { diffs, rawInput = "null" } = request.tool
    return diffs.length === 0 ? `{"input":${rawInput}}` : `{"input":${rawInput},"diffs":${compact(diffs)}}`
  }
  const { at: _, requestId: __, type: ___, ...rest } = request
  return compact(rest)
}
