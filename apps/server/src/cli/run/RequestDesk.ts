/** Answers the agent's requests during a run, one at a time. The person at the terminal or a policy decides. */
import type { AgentRequest, AnsweringClient, RequestOutcome } from "@signalbox/contracts/AgentRequest"
import type { RequestId, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { ProviderError } from "../../base/ProviderError.ts"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import type { ProviderAdapter } from "../../provider/Services/ProviderAdapter.ts"
import { type ApprovalPolicy, type Decision, decide } from "./ApprovalPolicy.ts"
import { oneLine } from "../../base/Plain.ts"
import * as MissingRule from "./MissingRule.ts"
import { ask } from "../terminal/Ask.ts"
import { problemShown } from "../terminal/ProblemText.ts"
import { requestText } from "../terminal/RequestText.ts"
import type { Terminal } from "../terminal/Terminal.ts"

export interface RequestDesk {
  /** Must be called with every event, in order. */
  readonly see: (event: ProviderRuntimeEvent) => void
}

/** Opens the desk until the scope closes. The policy `ask` rejects if there is no terminal to ask on. */
export const open = Effect.fnUntraced(function* (
  adapter: ProviderAdapter,
  turn: {
    readonly threadId: ThreadId
    readonly turnId: TurnId
    readonly cwd: string
    /** The rules file of `--rules`. */
    readonly rules?: string | undefined
  },
  approve: ApprovalPolicy | "ask",
  terminal: Terminal
) {
  const requests = yield* Queue.unbounded<AgentRequest>()
  const waiting = new Map<RequestId, { readonly request: AgentRequest; readonly closed: Deferred.Deferred<void> }>()

  const asks = approve === "ask" && terminal.canAsk
  // Nobody is there to ask, so the rules alone answer.
  const policy = approve === "ask" ? "rules" : approve
  const client: AnsweringClient = { kind: "run", name: asks ? "terminal" : `--approve ${approve}` }

  const consider = (request: AgentRequest): Effect.Effect<Decision> => {
    if (asks) {
      return Effect.map(ask(terminal, request, turn.cwd), (answer) =>
        answer === undefined
          ? decide("rules", request)
          : { type: "respond", response: answer.response, words: `sent to the agent: ${answer.chosen}` }
      )
    }
    terminal.aside(requestText(request, turn.cwd))
    return Effect.succeed(decide(policy, request))
  }

  const taken = (request: AgentRequest, decision: Decision) =>
    decision.type === "cancel"
      ? adapter.interruptTurn(turn.threadId, turn.turnId)
      : adapter.respondToRequest(turn.threadId, request.requestId, decision.response, client)

  /** What a flag allows is not allowed where the audit log can't be written. */
  const refused = (request: AgentRequest) => {
    const decision = decide("reject", request)
    return Effect.as(taken(request, decision), {
      ...decision,
      words: `${decision.words}: what it allows can't be recorded`
    })
  }

  const isUnrecorded = ({ problem }: ProviderError): boolean => !asks && problem.code === "storage"

  const handle = Effect.fnUntraced(function* (request: AgentRequest) {
    const entry = waiting.get(request.requestId)
    // The request ended meanwhile, or it changed and is asked again in its new form.
    if (entry?.request !== request) return
    const { closed } = entry
    // Stopping the turn withdraws its requests.
    const found = yield* Effect.raceFirst(consider(request), Effect.as(Deferred.await(closed), undefined))
    if (found === undefined) return
    const decision = yield* taken(request, found).pipe(
      Effect.as(found),
      Effect.catchTag("ProviderError", (error) => (isUnrecorded(error) ? refused(request) : Effect.fail(error)))
    )
    // Printed only after the answer has been taken, since it is not true before.
    const tell = asks ? terminal.err : terminal.aside
    tell(`  ${decision.words}`)
    if (decision.isForRules === true && policy === "rules") tell(MissingRule.linesOf(request, turn))
  })

  yield* Queue.take(requests).pipe(
    Effect.flatMap(handle),
    Effect.catchTag("ProviderError", ({ problem }) =>
      Effect.sync(() => {
        // The answer came too late: the turn was stopped, the agent is gone, or the request changed. A changed request
        // is asked again in its new form.
        if (problem.code === "request-changed") terminal.err("  not sent: the request changed after it was printed")
        else if (
          problem.code === "request-closed" ||
          problem.code === "session-not-found" ||
          problem.code === "agent-output-closed"
        )
          terminal.err("  not sent: the agent waits for this answer no longer")
        else terminal.err(problemShown(problem))
      })
    ),
    Effect.forever,
    Effect.forkScoped
  )

  return {
    see: (event) => {
      if ("request" in event) {
        const { request } = event
        const before = waiting.get(request.requestId)
        if (before !== undefined) Deferred.doneUnsafe(before.closed, Exit.void)
        waiting.set(request.requestId, { request, closed: Deferred.makeUnsafe() })
        Queue.offerUnsafe(requests, request)
      } else if ("requestId" in event) {
        const entry = waiting.get(event.requestId)
        if (entry === undefined) return
        waiting.delete(event.requestId)
        Deferred.doneUnsafe(entry.closed, Exit.void)
        const answer = "outcome" in event ? givenAnswer(entry.request, event.outcome) : undefined
        if (answer !== undefined) terminal.aside([...requestText(entry.request, turn.cwd), `  ${answer}`])
      }
    }
  } satisfies RequestDesk
})

/** The agent's name for the option that was taken without asking anybody, and who took it. */
const givenAnswer = (request: AgentRequest, outcome: RequestOutcome): string | undefined => {
  if (request.type !== "approval" || outcome.type !== "answered" || outcome.by === undefined) return undefined
  const { by, response, why = "" } = outcome
  const option =
    response.type === "option" ? request.options.find((one) => one.optionId === response.optionId) : undefined
  const name = oneLine(option?.name ?? "answered", 80)
  return by === "rules" ? `${name}, by the rules. ${oneLine(why, 200)}` : `${name}, by your settings`
}
