/**
 * A conversation with an agent, line by line, for probes only. It can send what a client must not send, and keeps each
 * line as it came. Use `AcpClient` for real work: it refuses most of this.
 */
import * as LineSplitter from "@signalbox/acp/LineSplitter"
import * as Nesting from "@signalbox/acp/Nesting"
import type { Transport } from "@signalbox/acp/Transport"
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { wordOf } from "./WordOf.ts"

/**
 * A line of the agent. `message`: undefined if it isn't JSON, null if it is nested deeper than clients read. `at`:
 * milliseconds of the clock. `number` counts all lines, also those that are not kept.
 */
export interface Line {
  readonly number: number
  readonly text: string
  readonly message: unknown
  readonly at: number
}

/** The outcome of a request. `gone`: the connection ended before the answer. `silence`: no answer came in time. */
export type Answer =
  | { readonly type: "result"; readonly result: Readonly<Record<string, unknown>>; readonly line: Line }
  | {
      readonly type: "error"
      readonly code: number
      readonly message: string
      readonly data?: unknown
      readonly line: Line
    }
  | { readonly type: "silence"; readonly waitedMs: number }
  | { readonly type: "gone" }

export interface Asked {
  readonly method: string
  readonly sessionId: unknown
  readonly since: number
}

/** A request that was sent. */
export interface Begun {
  readonly id: number
  readonly answer: (within: Duration.Input) => Effect.Effect<Answer>
}

/** Chooses an option from the parameters of `session/request_permission`. Returns its id, or undefined for none. */
export type Choose = (params: Readonly<Record<string, unknown>>) => string | undefined

export interface Wire {
  /** Sends a line as it is. */
  readonly say: (line: string) => Effect.Effect<void>
  readonly notify: (method: string, params: unknown) => Effect.Effect<void>
  readonly ask: (method: string, params: unknown, within?: Duration.Input) => Effect.Effect<Answer>
  /** Sends a request without waiting. Its answer may be waited for more than once. */
  readonly begin: (method: string, params: unknown) => Effect.Effect<Begun>
  /** The first fitting line from `since` on, now or later. None if the time is over or the agent has ended. */
  readonly next: (
    fits: (line: Line) => boolean,
    within: Duration.Input,
    since?: number
  ) => Effect.Effect<Option.Option<Line>>
  /** All kept lines of the agent, oldest first. */
  readonly lines: () => ReadonlyArray<Line>
  /** The numbers of unread lines. `left`: lines that were not kept. `tooDeep`: lines that are nested too deep. */
  readonly unread: () => { readonly left: number; readonly tooDeep: number }
  /** The requests that were sent, each with the number of lines that had come before. */
  readonly asked: () => ReadonlyArray<Asked>
  /** Characters of the longest line. If a line was left out, more characters than clients read. */
  readonly longest: () => number
  /** Sets how permission requests are answered. Without it, nothing is permitted. */
  readonly permit: (choose: Choose) => void
  /** Closes the agent's input. */
  readonly end: Effect.Effect<void>
}

/** The most lines that are kept: an agent that never stops must not fill the memory. */
const maxLines = 20_000
/** The most characters of all kept lines together. */
const maxKept = 64 * 1024 * 1024
/** The most replies that wait for an agent that does not read. Beyond that, we stop reading its output. */
const maxWaiting = 1000

/** `patience`: the default wait of `ask`, looked up at each call. */
export const make = Effect.fnUntraced(function* (transport: Transport, patience: () => Duration.Input) {
  const clock = yield* Clock.Clock
  const encoder = new TextEncoder()
  const outgoing = yield* Queue.unbounded<Uint8Array, Cause.Done>()
  const lines: Array<Line> = []
  const waiting = new Set<(line: Line | undefined) => void>()
  const asked: Array<Asked> = []
  let gone = false
  let nextId = 0
  let kept = 0
  let longest = 0
  let number = 0
  let tooDeep = 0
  /** Replies that are not yet written to the agent. */
  let waitingReplies = 0
  const room = yield* Latch.make(true)
  let choose: Choose = () => undefined

  const say: Wire["say"] = (line) => Effect.asVoid(Queue.offer(outgoing, encoder.encode(`${line}\n`)))

  const take = (text: string) => {
    const isTooDeep = Nesting.isTooDeep(text)
    if (isTooDeep) tooDeep += 1
    const line = {
      number,
      text,
      message: isTooDeep ? null : parsed(text),
      at: clock.currentTimeMillisUnsafe()
    }
    number += 1
    kept += text.length
    longest = Math.max(longest, text.length)
    if (lines.length < maxLines && kept < maxKept) lines.push(line)
    for (const look of waiting) look(line)
    const reply = replyTo(line.message, choose)
    if (reply === undefined || !Queue.offerUnsafe(outgoing, encoder.encode(`${JSON.stringify(reply)}\n`))) return
    waitingReplies += 1
    if (waitingReplies >= maxWaiting) room.closeUnsafe()
  }
  const splitter = LineSplitter.make({
    onOversized: () => {
      longest = Math.max(longest, LineSplitter.defaultMaxLineBytes + 1)
    }
  })
  yield* Stream.runForEach(transport.input, (chunk) =>
    Effect.sync(() => {
      for (const text of typeof chunk === "string" ? [chunk] : splitter.push(chunk)) take(text)
    }).pipe(Effect.andThen(room.await))
  ).pipe(
    Effect.exit,
    Effect.andThen(
      Effect.sync(() => {
        for (const text of splitter.end()) take(text)
        gone = true
        for (const look of waiting) look(undefined)
      })
    ),
    Effect.forkScoped
  )
  const handingOn = Stream.mapArray(Stream.fromQueue(outgoing), (lines) => {
    // `lines` includes our own requests. They are few, so the count stays close enough.
    waitingReplies = Math.max(0, waitingReplies - lines.length)
    if (waitingReplies < maxWaiting) room.openUnsafe()
    return lines
  })
  yield* Stream.run(handingOn, transport.output).pipe(
    Effect.exit,
    // The agent takes no more replies, so nothing limits reading: all of its output is read.
    Effect.andThen(Effect.andThen(Queue.end(outgoing), room.open)),
    Effect.forkScoped
  )

  const next: Wire["next"] = (fits, within, since = lines.length) => {
    const found = lines.slice(since).find(fits)
    if (found !== undefined || gone) return Effect.succeed(Option.fromUndefinedOr(found))
    const waiter = Deferred.makeUnsafe<Option.Option<Line>>()
    const look = (line: Line | undefined) => {
      if (line === undefined || fits(line)) Deferred.doneUnsafe(waiter, Exit.succeed(Option.fromUndefinedOr(line)))
    }
    waiting.add(look)
    return Deferred.await(waiter).pipe(
      Effect.timeoutOption(within),
      Effect.map(Option.flatten),
      Effect.ensuring(Effect.sync(() => waiting.delete(look)))
    )
  }

  const begin: Wire["begin"] = Effect.fnUntraced(function* (method, params) {
    nextId += 1
    const id = nextId
    const since = lines.length
    asked.push({ method, sessionId: Predicate.isObject(params) ? params["sessionId"] : undefined, since })
    yield* say(JSON.stringify({ jsonrpc: "2.0", id, method, params }))
    const answer: Begun["answer"] = (within) =>
      Effect.map(next(answers(id), within, since), (line): Answer => {
        if (Option.isSome(line)) return answerOf(line.value)
        return gone ? { type: "gone" } : { type: "silence", waitedMs: Duration.toMillis(within) }
      })
    return { id, answer }
  })

  const ask: Wire["ask"] = (method, params, within = patience()) =>
    Effect.flatMap(begin(method, params), ({ answer }) => answer(within))

  return {
    say,
    notify: (method, params) => say(JSON.stringify({ jsonrpc: "2.0", method, params })),
    ask,
    begin,
    next,
    lines: () => lines,
    unread: () => ({ left: number - lines.length, tooDeep }),
    asked: () => asked,
    longest: () => longest,
    permit: (by) => {
      choose = by
    },
    end: Effect.asVoid(Queue.end(outgoing))
  } satisfies Wire
})

/** Whether a line is the answer to a request of this id. */
export const answers =
  (id: number | string | null) =>
  ({ message }: Pick<Line, "message">): boolean =>
    Predicate.isObject(message) && message["method"] === undefined && message["id"] === id

export const answerOf = (line: Line): Answer => {
  const { message } = line
  const error = Predicate.isObject(message) ? message["error"] : undefined
  if (Predicate.isObject(error)) {
    const { code, data, message } = error
    const told = { code: typeof code === "number" ? code : 0, message: wordOf(message), line }
    return { type: "error", ...told, ...(data !== undefined && { data }) }
  }
  const result = Predicate.isObject(message) ? message["result"] : undefined
  return { type: "result", result: Predicate.isObject(result) ? result : {}, line }
}

/**
 * The reply to a request of the agent. A permission gets the option that the probe has chosen, or none. Any other
 * request is refused.
 */
const replyTo = (message: unknown, choose: Choose): unknown => {
  if (!Predicate.isObject(message) || typeof message["method"] !== "string" || message["id"] === undefined)
    return undefined
  const head = { jsonrpc: "2.0", id: message["id"] }
  if (message["method"] !== "session/request_permission")
    return { ...head, error: { code: -32601, message: `Method not found: ${message["method"]}` } }
  const optionId = Predicate.isObject(message["params"]) ? choose(message["params"]) : undefined
  const outcome = optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId }
  return { ...head, result: { outcome } }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
