/** The events that a thread's log needs if its server ended before the agent's work. Pure. */
import { EventId, type Timestamp } from "@signalbox/contracts/Ids"
import type { RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import * as TurnQueue from "./TurnQueue.ts"
import { isRunning } from "./TurnState.ts"

/** A warning for people. */
export type Warning = Pick<RuntimeEventOf<"runtime.warning">, "message" | "detail">

/**
 * The events that settle a thread whose agent is gone. A turn that the agent may have begun is lost and never sent
 * again. One that it never saw stays, to be run. `warnings`: about processes that the agent had left running.
 */
export const reconcile = (
  head: ThreadHead,
  now: Timestamp,
  warnings: ReadonlyArray<Warning> = []
): ReadonlyArray<ThreadEvent> => {
  const common = { threadId: head.threadId, at: now }
  const events: Array<ThreadEvent> = []
  for (const { answered, request } of head.requests) {
    const reason = answered
      ? "The server was restarted before the answer reached the agent."
      : "The server was restarted before anybody answered."
    events.push({ type: "request.expired", ...common, requestId: request.requestId, reason })
  }
  const lost = head.turns.filter(({ status }) => isRunning(status))
  for (const { turnId } of lost) {
    const reason =
      "The server was restarted while the agent had the prompt. It may have done part of the work; the prompt was not sent again."
    events.push({ type: "turn.lost", ...common, turnId, reason })
  }
  const { providerSessionId, state } = head.session
  if (providerSessionId !== undefined) {
    for (const [index, warning] of warnings.entries())
      events.push({
        type: "runtime.warning",
        ...common,
        ...warning,
        eventId: EventId.make(`${providerSessionId}:left-running:${now}:${index}`),
        providerKind: head.provider.kind,
        providerSessionId
      })
  }
  if (state === "ready" && providerSessionId !== undefined) {
    // This is no crash of the agent: it ended with its server, and the turn above shows the cost.
    events.push({
      type: "session.exited",
      ...common,
      eventId: EventId.make(`${providerSessionId}:ended-with-server`),
      providerKind: head.provider.kind,
      providerSessionId,
      expected: true
    })
  }
  // A lost turn holds the queue: then only a steering prompt starts the agent.
  const waits = TurnQueue.next(lost.length > 0 ? { ...head, held: true } : head)
  if (state === "starting" && waits === undefined) {
    events.push({
      type: "session.start.failed",
      ...common,
      problem: {
        code: "agent-start-failed",
        title: `${head.provider.name} was not started.`,
        cause: "The server was restarted while the agent was starting.",
        evidence: {},
        nextSteps: [{ action: "restart", label: "Start it again" }]
      }
    })
  }
  return events
}
