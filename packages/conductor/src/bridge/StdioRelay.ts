/**
 * MCP as a program of the agent speaks it on its standard streams: lines of JSON-RPC, both ways in one request over HTTP. The program itself
 * passes them on and knows nothing of MCP.
 */
import * as LineSplitter from "@signalbox/acp/LineSplitter"
import { ErrorCode } from "@signalbox/acp/JsonRpc"
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as RawMessage from "@signalbox/acp/RawMessage"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Backend } from "./Backend.ts"
import type * as ClassicSession from "./ClassicSession.ts"
import * as RunningRequests from "./RunningRequests.ts"
import * as StatelessRequests from "./StatelessRequests.ts"
import * as Translation from "./Translation.ts"
import * as Wire from "./Wire.ts"

export const contentType = "application/x-ndjson"

/** Characters that wait for a program which does not read. No more is read from it then. */
const highWaterMark = 1024 * 1024

/** Longest line that is read, in bytes. */
const maxLineBytes = 1024 * 1024

/** How long answers may take when the program has closed its input. */
const lastWordsGrace = "1 second"

/** The lines for the program, until it has ended its own. */
export const make = Effect.fnUntraced(function* <E>(
  input: Stream.Stream<Uint8Array, E>,
  { begin, caller }: Backend,
  server: ClassicSession.Server
): Effect.fn.Return<Stream.Stream<Uint8Array>, never, Scope.Scope> {
  const lines = yield* Queue.unbounded<string, Cause.Done>()
  const room = Latch.makeUnsafe(true)
  const fibers = yield* FiberSet.make<void>()
  const run = yield* FiberSet.runtime(fibers)()
  const session = yield* begin(server)
  const stateless = RunningRequests.make()
  let waiting = 0
  let active = 0

  const say = (line: string) => {
    waiting += line.length
    if (waiting >= highWaterMark) room.closeUnsafe()
    Queue.offerUnsafe(lines, line)
  }
  /** Whoever has sent what is no message gets an error, under its id if that can be found. A question waits for no better answer. */
  const refuse = ({ answer, settles }: RawMessage.Unreadable, code: number, words: string) => {
    if (settles !== undefined && session.answered(settles.id, settles.answer)) return
    if (answer !== undefined)
      say(RawMessage.write({ _tag: "Response", id: answer.id, answer: RawMessage.failed(answer.error) }, "proxy"))
    else if (settles === undefined) say(Wire.problem(code, words))
  }
  const splitter = LineSplitter.make({
    maxLineBytes,
    onSkipped: (head, tail) =>
      refuse(RawMessage.tooLong(head, tail), ErrorCode.InvalidRequest, "The message is too long")
  })

  const request = ({ id, method, params: text }: RawMessage.RawRequest) => {
    if (active >= McpOverAcp.defaultMostActive)
      return say(
        Wire.answer(
          id,
          Translation.failed({ code: McpOverAcp.ErrorCode.LimitReached, message: "Too many requests are under way" })
        )
      )
    const params = Wire.paramsOf(text)
    const hear: Wire.Say = (said) => {
      // What is said on the way may be left out; answers and questions may not.
      if (said.id !== undefined || waiting < highWaterMark) say(Wire.said(said))
    }
    const answered =
      StatelessRequests.revisionIn(params) === undefined
        ? session.request(id, method, params, hear)
        : stateless.run(id, StatelessRequests.request(caller, server.serverId, id, method, params, hear))
    active += 1
    run(
      answered.pipe(
        Effect.catchCause(() => Effect.succeed(Translation.brokenDown)),
        Effect.map((outcome) => say(Wire.answer(id, outcome))),
        Effect.ensuring(Effect.sync(() => (active -= 1)))
      )
    )
  }

  const take = (line: string) => {
    const message = RawMessage.read(line)
    if (message._tag === "Request") return request(message)
    if (message._tag === "Notification")
      return [session, stateless].forEach(({ notified }) => notified(message.method, Wire.paramsOf(message.params)))
    if (message._tag === "Response") session.answered(message.id, message.answer)
    if (message._tag === "Unreadable") refuse(message, ErrorCode.ParseError, "The line is no message")
  }

  yield* Effect.forkScoped(
    Effect.forever(
      Effect.map(Queue.take(session.said), (line) => {
        if (waiting < highWaterMark) say(line)
      })
    )
  )
  yield* session.hearing
  yield* Effect.addFinalizer(() => Effect.sync(session.end))
  yield* Effect.forkScoped(
    input.pipe(
      Stream.runForEach((chunk) => {
        for (const line of splitter.push(chunk)) take(line)
        return room.await
      }),
      Effect.andThen(Effect.sync(() => splitter.end().forEach(take))),
      Effect.ignoreCause,
      // What was asked before the end is still answered.
      Effect.andThen(Effect.timeoutOption(FiberSet.awaitEmpty(fibers), lastWordsGrace)),
      Effect.ensuring(Queue.end(lines))
    )
  )
  const encoder = new TextEncoder()
  return Stream.fromQueue(lines).pipe(
    Stream.map((line) => {
      waiting -= line.length
      if (waiting < highWaterMark) room.openUnsafe()
      return encoder.encode(`${line}\n`)
    })
  )
})
