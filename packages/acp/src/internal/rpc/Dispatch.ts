/** Hands what arrived to whom it concerns, step by step, in the order of the wire. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { classifyBeginning, classifyOutermost, type Concerned } from "./Incoming.ts"
import type * as IncomingSteps from "./IncomingSteps.ts"
import { ErrorCode, type Issue, type Notification, RpcError } from "./JsonRpc.ts"
import * as LineSplitter from "./LineSplitter.ts"
import * as Nesting from "./Nesting.ts"
import type { Outgoing } from "./Outgoing.ts"
import type { PendingCalls } from "./PendingCalls.ts"
import type { RunningRequests } from "./RunningRequests.ts"
import type { Line, WireLines } from "./WireLines.ts"

/** Does the steps one after the other. Completes when the next ones may come. */
export type Dispatch<R> = (due: ReadonlyArray<IncomingSteps.Step>) => Effect.Effect<void, never, R>

interface Options<R> {
  readonly lines: Pick<WireLines, "show">
  readonly calls: Pick<PendingCalls, "settle">
  readonly out: Pick<Outgoing, "fail">
  readonly requests: Pick<RunningRequests, "start" | "cancel">
  /** Waits while the other side does not take its answers. */
  readonly room: Effect.Effect<void>
  readonly onNotifications: (batch: ReadonlyArray<Notification>) => Effect.Effect<void, never, R>
  readonly report: (issue: Issue) => void
  /** Reports what a handler throws, instead of failing. */
  readonly guarded: (method: string | undefined, effect: Effect.Effect<void, never, R>) => Effect.Effect<void, never, R>
  /** Whether a line that is not JSON is answered with -32700. */
  readonly answerParseErrors: boolean
}

export const make = <R>({
  answerParseErrors,
  calls,
  guarded,
  lines,
  onNotifications,
  out,
  report,
  requests,
  room
}: Options<R>): Dispatch<R> => {
  const show = ({ message, number, text }: Line) => lines.show(text, message, number)

  const handle = (step: IncomingSteps.Step): Effect.Effect<void, never, R> => {
    if (step._tag === "Batch") {
      return guarded(
        step.notifications[0]?.method,
        Effect.suspend(() => {
          step.lines?.forEach(show)
          return onNotifications(step.notifications)
        })
      )
    }
    return Effect.suspend(() => {
      if (step._tag === "Oversized") return oversized(step.head)
      show(step.line)
      if (step._tag === "Deep") return deep(step.line, step.message)
      return step._tag === "Noise" ? noise(step.line) : single(step.incoming, step.line)
    })
  }

  const single = (incoming: IncomingSteps.Single, { message, number: line }: Line): Effect.Effect<void, never, R> => {
    if (incoming._tag === "Request") {
      const { id, idText, method, params } = incoming
      return Effect.andThen(
        room,
        Effect.sync(() => requests.start({ id, method, params, line }, idText))
      )
    }
    if (incoming._tag === "Cancel") return Effect.sync(() => requests.cancel(incoming.idText))
    if (incoming._tag === "Response") {
      return (
        calls.settle(incoming.id, incoming.exit, line) ??
        Effect.sync(() => report({ _tag: "StrayResponse", line, message }))
      )
    }
    return Effect.sync(() => {
      if (incoming.answer !== undefined) out.fail(incoming.answer.idText, incoming.answer.error)
      report({ _tag: "InvalidMessage", line, message, answered: incoming.answer !== undefined })
    })
  }

  /** Nobody is left waiting for a message that could not be read. */
  const unread = (issue: Issue, concerned: Concerned | undefined, why: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      report(issue)
      if (concerned === undefined) return Effect.void
      const error = { code: ErrorCode.InvalidRequest, message: why }
      if (concerned._tag === "Response") {
        const exit = Exit.fail(new RpcError({ ...error, unread: true }))
        return calls.settle(JSON.parse(concerned.idText), exit, undefined) ?? Effect.void
      }
      return Effect.sync(() => out.fail(concerned.idText, new RpcError(error)))
    })

  const oversized = (head: string) =>
    unread({ _tag: "OversizedLine", head }, classifyBeginning(head), "The message is too long")

  const deep = ({ number, text }: Line, message: unknown) =>
    unread(
      { _tag: "DeepMessage", line: number, head: text.slice(0, LineSplitter.headBytes) },
      classifyOutermost(message),
      `The message is nested deeper than ${Nesting.deepest} levels`
    )

  const noise = ({ number, text }: Line): Effect.Effect<void> => {
    if (text.trim() === "") return Effect.void
    report({ _tag: "Noise", line: number, text })
    if (answerParseErrors) {
      out.fail("null", new RpcError({ code: ErrorCode.ParseError, message: "Parse error" }))
    }
    return Effect.void
  }

  return (due) => {
    const first = due[0]
    if (first === undefined) return Effect.void
    return due.length === 1 ? handle(first) : Effect.forEach(due, handle, { discard: true })
  }
}
