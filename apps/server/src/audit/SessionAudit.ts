/** Records the decisions of one session: each request with its end, what became of allowed calls, and answers that were refused. */
import type { AgentRequest, AnsweringClient, RequestOutcome, RequestResponse } from "@signalbox/contracts/AgentRequest"
import { RequestId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import { isRunning, type ToolCall } from "@signalbox/contracts/ToolCall"
import type { Decision } from "@signalbox/permission/rules/Decision"
import * as Judgements from "@signalbox/permission/rules/Judgements"
import { refOf } from "@signalbox/permission/rules/RuleNaming"
import { createHash } from "node:crypto"
import { compact } from "../base/Json.ts"
import { oneLine } from "../base/Plain.ts"
import * as AnswerWords from "./AnswerWords.ts"
import type { AuditLog } from "./AuditLog.ts"
import * as DecisionDraft from "./DecisionDraft.ts"

/** A request that has ended, or is about to. */
export interface Ended {
  readonly request: AgentRequest
  readonly outcome: RequestOutcome
  /** What the rules made of it. */
  readonly decision?: Decision | undefined
  /** Returns the latest state of the call that it is about. */
  readonly call?: (() => ToolCall) | undefined
}

/** A file, a program, an address or a server that an agent wants of Signalbox, decided without people. */
export interface Access {
  readonly kind: "address" | "agent" | "program" | "read" | "server" | "write"
  /** The path, the command line, the address or the name. */
  readonly name: string
  readonly input: object
  readonly decision: Decision
  readonly effect: "allow" | "deny"
  readonly why?: string
}

export interface SessionAudit {
  /**
   * Records the end of a request. Returns why it could not be recorded.
   *
   * @param how `now`: what can't be recorded is not done either. `later`: it counts all the same, and is recorded when that is possible
   */
  readonly ended: (ended: Ended, how: "later" | "now") => Problem | undefined
  /** Records an access. Returns why it could not be recorded: then it must not be allowed. */
  readonly access: (access: Access) => Problem | undefined
  /** Records that an allowed access was refused after all, such as for a path outside of the session's folders. */
  readonly accessFailed: (access: Pick<Access, "kind" | "name">, why: string) => void
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

const longestTitle = 200

/** Most allowed calls, and accesses, whose end is waited for. */
const mostWatched = 64

interface Watched {
  readonly requestId: RequestId
  readonly sequence: number
  readonly call: () => ToolCall
}

/** Records nothing: there is no log. */
export const none: SessionAudit = {
  ended: () => undefined,
  access: () => undefined,
  accessFailed: () => {},
  refused: () => {},
  turnedAway: () => {},
  callsChanged: () => {}
}

export const make = (log: AuditLog, session: DecisionDraft.Session): SessionAudit => {
  const { folder, now, roots, secrets, threadId } = session
  const watched: Array<Watched> = []
  /** What was let pass lately, by what was asked for. */
  const passed = new Map<string, Pick<Watched, "requestId" | "sequence">>()

  const safe = (text: string): string => DecisionDraft.safeText(secrets, text)

  const nameOf = ({ kind, name }: Pick<Access, "kind" | "name">): string => `${kind} ${name}`

  const draftOf = ({ decision, outcome, request }: Ended) => {
    const isApproval = request.type === "approval"
    const answer = outcome.type === "answered" ? AnswerWords.answerOf(request, outcome.response) : undefined
    return DecisionDraft.of(session, {
      requestId: request.requestId,
      kind: AnswerWords.kindOf(request),
      title: AnswerWords.titleOf(request),
      input: inputOf(request),
      toolCallId: isApproval ? request.tool.toolCallId : toolCallIn(request),
      digest: isApproval ? request.digest : undefined,
      judgement: isApproval ? request.judgement : undefined,
      decision,
      outcome: outcome.type,
      effect: answer?.effect ?? "none",
      answer: answer?.words,
      by: AnswerWords.deciderOf(outcome),
      why: AnswerWords.whyOf(outcome)
    })
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
    access: ({ decision, effect, input, kind, name, why }) => {
      const text = compact(input)
      const draft = DecisionDraft.of(session, {
        requestId: RequestId.make(crypto.randomUUID()),
        kind,
        title: oneLine(`${kind} ${name}`, longestTitle),
        input: text,
        digest: createHash("sha256").update(text).digest("hex"),
        judgement: Judgements.of(decision, { folder, roots }),
        decision,
        outcome: "answered",
        effect,
        by:
          decision.rule !== undefined && decision.effect === effect
            ? { type: "rule", rule: refOf(decision.rule) }
            : { type: "settings" },
        why
      })
      const written = log.record(draft, effect === "allow" ? "now" : "later")
      if (written.type === "unwritten") return written.problem
      if (effect !== "allow") return undefined
      const { requestId } = draft
      passed.set(nameOf({ kind, name }), { requestId, sequence: written.sequence })
      if (passed.size > mostWatched)
        for (const oldest of passed.keys()) if (passed.size > mostWatched) passed.delete(oldest)
      return undefined
    },
    accessFailed: (access, why) => {
      const before = passed.get(nameOf(access))
      if (before === undefined) return
      passed.delete(nameOf(access))
      const { requestId, sequence } = before
      const end = { requestId, decision: sequence, status: "refused", why: safe(why) }
      log.record({ type: "end", at: now(), ...end }, "later")
    },
    refused: (requestId, response, client, why) => {
      const answer = safe(AnswerWords.wordsOf(response))
      const given = { requestId, threadId, answer, ...(client !== undefined && { client }), why: safe(why) }
      log.record({ type: "refusal", at: now(), ...given }, "later")
    },
    turnedAway: (count, why) => {
      const draft = DecisionDraft.of(session, {
        requestId: RequestId.make(crypto.randomUUID()),
        kind: "permission",
        title: count === 1 ? "A request that was not shown" : `${count} requests that were not shown`,
        input: "null",
        outcome: "cancelled",
        effect: "none",
        by: { type: "nobody" },
        why
      })
      log.record(draft, "later")
    },
    callsChanged: () => {
      if (watched.length === 0) return
      const looked = watched.map((one) => ({ one, call: one.call() }))
      watched.splice(0, Infinity, ...looked.flatMap(({ call, one }) => (isRunning(call) ? [one] : [])))
      for (const { call, one } of looked) if (!isRunning(call)) recordEnd(one, call)
    }
  }
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
