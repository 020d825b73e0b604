/**
 * A conversation with an agent, line by line: says what a client must not say, and keeps what comes back as it came. For probes only;
 * whoever wants an agent to work uses `AcpClient`, which refuses most of this.
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
 * A line of the agent's. `message` is undefined where it is not JSON, and null where it is nested deeper than any client reads. `at` is in
 * milliseconds of the clock. `number` counts all lines, those that are not kept included.
 */
export interface Line {
  readonly number: number
  readonly text: string
  readonly message: unknown
  readonly at: number
}

/** What became of a request: `gone` when the connection ended before the answer, `silence` when none came in time. */
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

/** Given the parameters of `session/request_permission`: the id of an option, or none. */
export type Choose = (params: Readonly<Record<string, unknown>>) => string | undefined

export interface Wire {
  /** Writes a line as it is. */
  readonly say: (line: string) => Effect.Effect<void>
  readonly notify: (method: string, params: unknown) => Effect.Effect<void>
  readonly ask: (method: string, params: unknown, within?: Duration.Input) => Effect.Effect<Answer>
  /** The first line from `since` on that fits, now or later; none when the time is over or the agent is gone. */
  readonly next: (
    fits: (line: Line) => boolean,
    within: Duration.Input,
    since?: number
  ) => Effect.Effect<Option.Option<Line>>
  /** All that it has said, oldest first, as far as it is kept. */
  readonly lines: () => ReadonlyArray<Line>
  /** Lines that nobody has looked at: those that are not kept, and those that are nested too deep. */
  readonly unread: () => { readonly left: number; readonly tooDeep: number }
  /** What it was asked, with the number of lines that had come before. */
  readonly asked: () => ReadonlyArray<Asked>
  /** The characters of its longest line; more than any client reads, where one was left out. */
  readonly longest: () => number
  /** Chooses an option for what it asks permission for; nothing is permitted unless chosen. */
  readonly permit: (choose: Choose) => void
  /** The end of its input. */
  readonly end: Effect.Effect<void>
}

/** Nobody looks at what an agent says beyond that; one that never stops must not fill the memory. */
const maxLines = 20_000
/** Characters of the lines that are kept. */
const maxKept = 64 * 1024 * 1024
/** Replies that wait for an agent which does not read them. Beyond that, nothing more of it is read. */
const maxWaiting = 1000

/** `patience`: how long `ask` waits unless it is told, as of that moment. */
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
  /** Replies that are not handed on yet. */
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
    // What we say ourselves counts too: it is little.
    waitingReplies = Math.max(0, waitingReplies - lines.length)
    if (waitingReplies < maxWaiting) room.openUnsafe()
    return lines
  })
  yield* Stream.run(handingOn, transport.output).pipe(
    Effect.exit,
    // Nobody takes replies any more: all of it is read to its end.
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

  const ask: Wire["ask"] = Effect.fnUntraced(function* (method, params, within = patience()) {
    nextId += 1
    const id = nextId
    const since = lines.length
    asked.push({ method, sessionId: Predicate.isObject(params) ? params["sessionId"] : undefined, since })
    yield* say(JSON.stringify({ jsonrpc: "2.0", id, method, params }))
    const line = yield* next(answers(id), within, since)
    if (Option.isSome(line)) return answerOf(line.value)
    return gone ? { type: "gone" } : { type: "silence", waitedMs: Duration.toMillis(within) }
  })

  return {
    say,
    notify: (method, params) => say(JSON.stringify({ jsonrpc: "2.0", method, params })),
    ask,
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

/** Nobody is there to be asked: a permission is given as a probe has chosen, or not at all. Anything else is not ours to do. */
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
