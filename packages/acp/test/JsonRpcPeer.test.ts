import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as Sink from "effect/Sink"
import * as TestClock from "effect/testing/TestClock"
import {
  type CallFailure,
  ConnectionClosed,
  ErrorCode,
  type Issue,
  type Notification,
  type Request,
  RpcError
} from "../src/JsonRpc.ts"
import * as JsonRpcPeer from "../src/JsonRpcPeer.ts"
import * as RunningRequests from "../src/internal/rpc/RunningRequests.ts"
import * as OtherSide from "./OtherSide.ts"
import { notification, request, result } from "./OtherSide.ts"

/** A peer over a hand-driven other side, with everything that it reports and receives at hand. */
const connect = Effect.fnUntraced(function* (
  given: {
    readonly onRequest?: (request: Request) => Effect.Effect<unknown, RpcError>
    readonly onNotifications?: (batch: ReadonlyArray<Notification>) => Effect.Effect<void>
    readonly options?: JsonRpcPeer.Options
    readonly brokenOutput?: string
  } = {}
) {
  const other = yield* OtherSide.make
  const issues = yield* Queue.unbounded<Issue>()
  const notified = yield* Queue.unbounded<Notification>()
  const transport =
    given.brokenOutput === undefined ? other.transport : OtherSide.failingOutput(other.transport, given.brokenOutput)
  const peer = yield* JsonRpcPeer.make(
    transport,
    () => ({
      onRequest: given.onRequest ?? ((incoming) => Effect.succeed({ echo: incoming.params })),
      onNotifications: given.onNotifications ?? ((batch) => Effect.asVoid(Queue.offerAll(notified, batch))),
      onIssue: (issue) => Queue.offerUnsafe(issues, issue)
    }),
    given.options
  )
  return { peer, other, issues, notified }
})

const start = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })

/** Completes with the reason as soon as the peer takes no more messages. */
const untilRefused = (peer: JsonRpcPeer.JsonRpcPeer) =>
  peer.notify("probe", {}).pipe(Effect.andThen(Effect.yieldNow), Effect.forever, Effect.flip)

describe("JsonRpcPeer, calling", () => {
  it.effect("[1] every message is one line of UTF-8 with its newline, whatever it holds", () =>
    Effect.gen(function* () {
      const written = yield* Queue.unbounded<Uint8Array>()
      const other = yield* OtherSide.make
      const output = Sink.forEach((chunk: Uint8Array) => Queue.offer(written, chunk))
      const peer = yield* JsonRpcPeer.make({ input: other.transport.input, output }, () => ({
        onRequest: () => Effect.succeed("a\nb"),
        onNotifications: () => Effect.void
      }))
      const params = { text: "one\ntwo\r\n\u2028 é 🚦 \ud800" }
      yield* peer.notify("n", params)
      const [first] = [yield* Queue.take(written)]
      assert.strictEqual(
        new TextDecoder("utf-8", { fatal: true }).decode(first),
        `${JSON.stringify({ jsonrpc: "2.0", method: "n", params })}\n`
      )
      assert.deepStrictEqual(
        [...first].filter((byte) => byte === 10 || byte === 13),
        [10]
      )
      yield* other.send(request("r", "m"))
      const answer = new TextDecoder().decode(yield* Queue.take(written))
      assert.strictEqual(answer, '{"jsonrpc":"2.0","id":"r","result":"a\\nb"}\n')
    })
  )

  it.effect("[8] responses are matched in whatever order they come", () =>
    Effect.gen(function* () {
      const { other, peer } = yield* connect()
      const first = yield* start(peer.call("a", {}))
      const second = yield* start(peer.call("b", {}))
      const [a, b] = [yield* other.next, yield* other.next]
      assert.notStrictEqual(a.id, b.id)
      yield* other.send(result(b.id, "for b"), result(a.id, "for a"))
      assert.strictEqual(yield* Fiber.join(first), "for a")
      assert.strictEqual(yield* Fiber.join(second), "for b")
    })
  )

  it.effect("an error keeps its code, message and data", () =>
    Effect.gen(function* () {
      const { other, peer } = yield* connect()
      const fiber = yield* start(Effect.flip(peer.call("a", {})))
      const { id } = yield* other.next
      yield* other.send({ jsonrpc: "2.0", id, error: { code: -32002, message: "gone", data: { sessionId: "s" } } })
      const error = yield* Fiber.join(fiber)
      assert.deepStrictEqual(error, new RpcError({ code: -32002, message: "gone", data: { sessionId: "s" } }))
    })
  )

  it.effect("an error that is null beside a result is no error", () =>
    Effect.gen(function* () {
      const { other, peer } = yield* connect()
      const fiber = yield* start(peer.call("a", {}))
      const { id } = yield* other.next
      yield* other.send({ jsonrpc: "2.0", id, result: 1, error: null })
      assert.strictEqual(yield* Fiber.join(fiber), 1)
    })
  )

  it.effect("[9] an id of ours does not match the same id as a string, nor an answer given before", () =>
    Effect.gen(function* () {
      const { issues, other, peer } = yield* connect()
      const fiber = yield* start(peer.call("a", {}))
      const { id } = yield* other.next
      yield* other.send(result(String(id), "wrong"), result(id, "right"), result(id, "again"))
      assert.strictEqual(yield* Fiber.join(fiber), "right")
      assert.deepInclude(yield* Queue.take(issues), { _tag: "StrayResponse", message: result(String(id), "wrong") })
      assert.deepInclude(yield* Queue.take(issues), { _tag: "StrayResponse", message: result(id, "again") })
    })
  )

  it.effect("[84] interrupting a call cancels the request, and its late answer is no stray", () =>
    Effect.gen(function* () {
      const { issues, other, peer } = yield* connect()
      const fiber = yield* start(peer.call("slow", {}))
      const { id } = yield* other.next
      yield* Fiber.interrupt(fiber)
      const cancel = yield* other.next
      assert.deepStrictEqual(cancel, { jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: id } })
      yield* other.send(result(id, "late"), result("marker", null))
      assert.deepInclude(yield* Queue.take(issues), { message: result("marker", null) })
    })
  )

  it.effect("a call that is not to be cancelled is left alone", () =>
    Effect.gen(function* () {
      const { other, peer } = yield* connect()
      const fiber = yield* start(peer.call("session/prompt", {}, { cancelOnInterrupt: false }))
      yield* other.next
      yield* Fiber.interrupt(fiber)
      yield* peer.notify("marker", {})
      assert.strictEqual((yield* other.next).method, "marker")
    })
  )

  it.effect("[17] the end of the input fails what is waiting and what comes after", () =>
    Effect.gen(function* () {
      const { other, peer } = yield* connect()
      const fiber = yield* start(Effect.flip(peer.call("a", {})))
      yield* other.next
      yield* other.end
      const error = yield* Fiber.join(fiber)
      assert.instanceOf(error, ConnectionClosed)
      assert.strictEqual(error.reason, "InputEnded")
      assert.strictEqual(yield* peer.closed, error)
      assert.strictEqual(yield* Effect.flip(peer.call("b", {})), error)
      assert.strictEqual(yield* Effect.flip(peer.notify("c", {})), error)
    })
  )

  it.effect("a broken input is distinguished from an ended one", () =>
    Effect.gen(function* () {
      const { other, peer } = yield* connect()
      yield* other.breakInput("pipe broke")
      assert.deepStrictEqual(yield* peer.closed, new ConnectionClosed({ reason: "ReadFailed", message: "pipe broke" }))
    })
  )

  it.effect("when writing fails, calls are refused at once and the input is read to its end", () =>
    Effect.gen(function* () {
      const { notified, other, peer } = yield* connect({ brokenOutput: "EPIPE" })
      const waiting = yield* start(Effect.flip(peer.call("a", {})))
      const failure = new ConnectionClosed({ reason: "WriteFailed", message: "EPIPE" })
      assert.deepStrictEqual(yield* untilRefused(peer), failure)
      yield* other.send(notification("last words", {}))
      yield* other.end
      assert.deepStrictEqual(yield* Fiber.join(waiting), failure)
      assert.deepStrictEqual(yield* peer.closed, failure)
      assert.strictEqual((yield* Queue.take(notified)).method, "last words")
    })
  )

  it.effect("when writing fails and the input never ends, the connection closes after the grace", () =>
    Effect.gen(function* () {
      const { peer } = yield* connect({ brokenOutput: "EPIPE" })
      const waiting = yield* start(Effect.flip(peer.call("a", {})))
      const failure = yield* untilRefused(peer)
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust(JsonRpcPeer.lastWordsGrace)
      assert.strictEqual(yield* Fiber.join(waiting), failure)
    })
  )

  it.effect("what was sent before the scope closes is written", () =>
    Effect.gen(function* () {
      const other = yield* OtherSide.make
      yield* Effect.scoped(
        Effect.gen(function* () {
          const peer = yield* JsonRpcPeer.make(other.transport, () => ({
            onRequest: () => Effect.succeed(null),
            onNotifications: () => Effect.void
          }))
          yield* peer.notify("bye", {})
        })
      )
      assert.strictEqual((yield* other.next).method, "bye")
    })
  )
})

describe("JsonRpcPeer, closing", () => {
  const silent = () => ({ onRequest: () => Effect.succeed(null), onNotifications: () => Effect.void })

  it.effect("closing the scope fails what is waiting, as closed by this side", () =>
    Effect.gen(function* () {
      const other = yield* OtherSide.make
      const scope = yield* Scope.make()
      const peer = yield* Scope.provide(JsonRpcPeer.make(other.transport, silent), scope)
      const call = yield* start(Effect.flip(peer.call("a", {})))
      yield* other.next
      yield* Scope.close(scope, Exit.void)
      assert.deepInclude(yield* Fiber.join(call), { _tag: "ConnectionClosed", reason: "Closed" })
      assert.deepInclude(yield* Effect.flip(peer.call("b", {})), { reason: "Closed" })
    })
  )

  it.effect("a reader that does not read holds up closing for the grace only", () =>
    Effect.gen(function* () {
      const other = yield* OtherSide.make
      const scope = yield* Scope.make()
      const stuck = { input: other.transport.input, output: Sink.forEach(() => Effect.never) }
      const peer = yield* Scope.provide(JsonRpcPeer.make(stuck, silent), scope)
      yield* peer.notify("a", {})
      const closing = yield* start(Scope.close(scope, Exit.void))
      yield* TestClock.adjust(JsonRpcPeer.lastWordsGrace)
      yield* Fiber.join(closing)
    })
  )
})

describe("JsonRpcPeer, answering", () => {
  it.effect("[7] ids come back with their type and value, 0, null and beyond 2^53 included", () =>
    Effect.gen(function* () {
      const other = yield* OtherSide.make
      const lines = yield* Queue.unbounded<string>()
      yield* JsonRpcPeer.make(
        other.transport,
        () => ({ onRequest: () => Effect.succeed("ok"), onNotifications: () => Effect.void }),
        { tap: { onLine: (direction, line) => direction === "out" && Queue.offerUnsafe(lines, line) } }
      )
      for (const id of ["0", "1", '"1"', "null", '""', "-7", "9007199254740993", "18446744073709551615"]) {
        yield* other.write(
          `{"jsonrpc":"2.0","id":${id},"method":"m","params":{"id":5,"nested":{"id":9007199254740995}}}\n`
        )
        assert.strictEqual(yield* Queue.take(lines), `{"jsonrpc":"2.0","id":${id},"result":"ok"}`)
      }
    })
  )

  it.effect("their ids and ours are spaces apart", () =>
    Effect.gen(function* () {
      const { other, peer } = yield* connect()
      const fiber = yield* start(peer.call("ours", {}))
      const { id } = yield* other.next
      assert.strictEqual(id, 0)
      yield* other.send(request(0, "theirs", "theirs"), result(0, "ours"))
      assert.strictEqual(yield* Fiber.join(fiber), "ours")
      assert.deepStrictEqual(yield* other.next, { jsonrpc: "2.0", id: 0, result: { echo: "theirs" } })
    })
  )

  it.effect("[13] reading goes on while a request waits, and answers go out as they come", () =>
    Effect.gen(function* () {
      const latch = yield* Latch.make()
      const { notified, other } = yield* connect({
        onRequest: ({ method }) => Effect.as(method === "slow" ? latch.await : Effect.void, method)
      })
      yield* other.send(request(1, "slow"), request(2, "quick"), notification("n", {}))
      assert.strictEqual((yield* other.next).id, 2)
      assert.strictEqual((yield* Queue.take(notified)).method, "n")
      yield* latch.open
      assert.strictEqual((yield* other.next).id, 1)
    })
  )

  it.effect("[10] failures are answered with what they say, defects as internal errors, each once", () =>
    Effect.gen(function* () {
      const { issues, other } = yield* connect({
        onRequest: ({ method }) => {
          if (method === "fail") return Effect.fail(new RpcError({ code: 7, message: "seven", data: [7] }))
          if (method === "die") return Effect.die(new Error("boom"))
          if (method === "throw") throw new Error("bang")
          if (method === "cycle") {
            const cycle: Record<string, unknown> = {}
            return Effect.succeed((cycle["self"] = cycle))
          }
          return Effect.void
        }
      })
      const answer = Effect.fnUntraced(function* (method: string) {
        yield* other.send(request(method, method))
        const message = yield* other.next
        assert.strictEqual(message.id, method)
        return message
      })
      assert.deepStrictEqual((yield* answer("fail")).error, { code: 7, message: "seven", data: [7] })
      assert.deepStrictEqual((yield* answer("die")).error, { code: -32603, message: "Internal error: boom" })
      assert.deepStrictEqual((yield* answer("throw")).error, { code: -32603, message: "Internal error: bang" })
      assert.strictEqual((yield* answer("cycle")).error?.code, ErrorCode.InternalError)
      assert.strictEqual((yield* answer("nothing")).result, null)
      assert.strictEqual(yield* other.waiting, 0)
      assert.deepInclude(yield* Queue.take(issues), { _tag: "HandlerDefect", method: "die", message: "boom" })
    })
  )

  it.effect("[82][83] a cancelled request is interrupted and answered once; unknown ids are ignored", () =>
    Effect.gen(function* () {
      const interrupted = yield* Deferred.make<void>()
      const { other } = yield* connect({
        onRequest: ({ method }) =>
          method === "wait"
            ? Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
            : Effect.succeed("ok")
      })
      const cancel = (requestId: unknown) => notification("$/cancel_request", { requestId })
      yield* other.send(request(1, "wait"), cancel("1"), cancel(99), cancel(1), cancel(1), request(2, "after"))
      const answers = [yield* other.next, yield* other.next].toSorted((a, b) => Number(a.id) - Number(b.id))
      yield* Deferred.await(interrupted)
      assert.strictEqual(answers[0]?.error?.code, ErrorCode.RequestCancelled)
      assert.strictEqual(answers[1]?.result, "ok")
      yield* other.send(cancel(1), request(3, "after"))
      assert.strictEqual((yield* other.next).id, 3)
    })
  )

  it.effect("[82] a handler may finish in spite of the cancellation", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const latch = yield* Latch.make()
      const { other } = yield* connect({
        onRequest: () =>
          Effect.uninterruptible(Effect.andThen(Deferred.succeed(started, undefined), Effect.as(latch.await, "done")))
      })
      yield* other.send(request(1, "wait"))
      yield* Deferred.await(started)
      yield* other.send(notification("$/cancel_request", { requestId: 1 }))
      yield* latch.open
      assert.deepStrictEqual(yield* other.next, result(1, "done"))
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("beyond a bound further requests are refused until one has ended, whatever their ids", () =>
    Effect.gen(function* () {
      const latch = yield* Latch.make()
      const { notified, other } = yield* connect({ onRequest: ({ id }) => Effect.as(latch.await, id) })
      const same = Array.from({ length: RunningRequests.maxRunning }, () => request("same", "wait"))
      yield* other.send(...same, request("more", "wait"), notification("n", {}))
      const refused = yield* other.next
      assert.deepStrictEqual([refused.id, refused.error?.code], ["more", ErrorCode.InternalError])
      assert.strictEqual((yield* Queue.take(notified)).method, "n")
      yield* latch.open
      for (const { id } of same) assert.deepStrictEqual(yield* other.next, result(id, id))
      yield* other.send(request("again", "wait"))
      assert.deepStrictEqual(yield* other.next, result("again", "again"))
    })
  )

  it.effect("requests of an other side that does not take its answers wait", () =>
    Effect.gen(function* () {
      const other = yield* OtherSide.make
      const reading = yield* Latch.make()
      const handled = yield* Queue.unbounded<number>()
      let started = 0
      yield* JsonRpcPeer.make({ input: other.transport.input, output: Sink.forEach(() => reading.await) }, () => ({
        onRequest: () =>
          Effect.sync(() => {
            started += 1
            return "x".repeat(100_000)
          }),
        onNotifications: () => Queue.offer(handled, started).pipe(Effect.asVoid)
      }))
      yield* other.send(...Array.from({ length: 50 }, (_, id) => request(id, "much")), notification("all", {}))
      yield* Effect.repeat(Effect.yieldNow, { times: 200 })
      assert.isAbove(started, 0)
      assert.isBelow(started, 20)
      yield* reading.open
      assert.strictEqual(yield* Queue.take(handled), 50)
    })
  )

  it.effect("handlers are interrupted when the other side is gone, and nothing is answered", () =>
    Effect.gen(function* () {
      const interrupted = yield* Deferred.make<void>()
      const { other, peer } = yield* connect({
        onRequest: () => Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
      })
      yield* other.send(request(1, "wait"))
      yield* other.end
      yield* peer.closed
      yield* Deferred.await(interrupted)
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("handlers are interrupted when writing has failed and the input never ends", () =>
    Effect.gen(function* () {
      const running = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<void>()
      const { other, peer } = yield* connect({
        brokenOutput: "EPIPE",
        onRequest: () =>
          Deferred.succeed(running, undefined).pipe(
            Effect.andThen(Effect.never),
            Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
          )
      })
      yield* other.send(request(1, "wait"))
      yield* Deferred.await(running)
      yield* untilRefused(peer)
      yield* TestClock.adjust(JsonRpcPeer.lastWordsGrace)
      yield* peer.closed
      yield* Deferred.await(interrupted)
    })
  )

  it.effect("in a pipe, running requests finish and may still speak when the input has ended", () =>
    Effect.gen(function* () {
      const other = yield* OtherSide.make
      const started = yield* Deferred.make<void>()
      const latch = yield* Latch.make()
      const peer = yield* JsonRpcPeer.make(
        other.transport,
        (self) => ({
          onRequest: ({ method }) =>
            method === "endless"
              ? Effect.never
              : Deferred.succeed(started, undefined).pipe(
                  Effect.andThen(latch.await),
                  Effect.andThen(self.notify("update", {})),
                  Effect.orDie,
                  Effect.as("done")
                ),
          onNotifications: () => Effect.void
        }),
        { finishRequestsWithin: "2 seconds" }
      )
      yield* other.send(request(1, "quick"), request(2, "endless"))
      yield* other.end
      yield* Deferred.await(started)
      const closed = yield* start(peer.closed)
      yield* latch.open
      assert.strictEqual((yield* other.next).method, "update")
      assert.deepStrictEqual(yield* other.next, result(1, "done"))
      assert.isUndefined(closed.pollUnsafe())
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* Fiber.join(closed)).reason, "InputEnded")
      assert.deepInclude(yield* other.next, { id: 2 })
    })
  )
})

describe("JsonRpcPeer, surviving", () => {
  it.effect("[5][16] noise is reported and skipped, and nobody is answered", () =>
    Effect.gen(function* () {
      const { issues, notified, other } = yield* connect()
      yield* other.write('Welcome to the agent!\n   \n{"level":"info"}\n42\n"text"\nnull\n{"broken":\n')
      yield* other.send(notification("after", {}))
      assert.deepInclude(yield* Queue.take(notified), { method: "after", line: 8 })
      const noise = ["Welcome to the agent!", '{"level":"info"}', "42", '"text"', "null", '{"broken":']
      for (const text of noise) assert.deepInclude(yield* Queue.take(issues), { _tag: "Noise", text })
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("[5] a line that is not JSON is answered with a parse error when that is wanted", () =>
    Effect.gen(function* () {
      const { other } = yield* connect({ options: { answerParseErrors: true } })
      yield* other.write("{nope\n")
      const { error, id } = yield* other.next
      assert.deepStrictEqual([id, error?.code], [null, ErrorCode.ParseError])
    })
  )

  it.effect("[6] a batch gets one error and none of it is carried out", () =>
    Effect.gen(function* () {
      const { issues, notified, other } = yield* connect()
      yield* other.send([request(1, "a"), notification("b", {})], notification("after", {}))
      const { error, id } = yield* other.next
      assert.deepStrictEqual([id, error?.code], [null, ErrorCode.InvalidRequest])
      assert.strictEqual((yield* Queue.take(notified)).method, "after")
      assert.deepInclude(yield* Queue.take(issues), { _tag: "InvalidMessage", answered: true })
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("an object with an id that is no message is answered, so that nobody waits for it", () =>
    Effect.gen(function* () {
      const { other } = yield* connect()
      yield* other.send({ jsonrpc: "2.0", id: "x" }, { jsonrpc: "2.0", id: { odd: 1 }, method: "m" })
      const [first, second] = [yield* other.next, yield* other.next]
      assert.deepStrictEqual([first.id, first.error?.code], ["x", ErrorCode.InvalidRequest])
      assert.deepStrictEqual([second.id, second.error?.code], [null, ErrorCode.InvalidRequest])
    })
  )

  it.effect("an error without an id is reported and fails no call", () =>
    Effect.gen(function* () {
      const { issues, other, peer } = yield* connect()
      const fiber = yield* start(peer.call("a", {}))
      const { id } = yield* other.next
      const error = { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } }
      yield* other.send(error, result(id, "ok"))
      assert.strictEqual(yield* Fiber.join(fiber), "ok")
      assert.deepInclude(yield* Queue.take(issues), { _tag: "StrayResponse", message: error })
    })
  )

  it.effect("[14] an oversized line is reported and the next one is read", () =>
    Effect.gen(function* () {
      const { issues, notified, other } = yield* connect({ options: { maxLineBytes: 100 } })
      yield* other.write(`{"method":"big","params":"${"x".repeat(200)}`)
      yield* other.write(`${"x".repeat(200)}"}\n`)
      yield* other.send(notification("after", {}))
      assert.deepInclude(yield* Queue.take(notified), { method: "after", line: 1 })
      const issue = yield* Queue.take(issues)
      assert.strictEqual(issue._tag, "OversizedLine")
    })
  )

  it.effect("[14] nobody is left waiting for a message that was too long", () =>
    Effect.gen(function* () {
      const { other, peer } = yield* connect({ options: { maxLineBytes: 300 } })
      const call = yield* start(Effect.flip(peer.call("a", {})))
      const { id } = yield* other.next
      const long = "x".repeat(300)
      yield* other.send(result(id, { id: 7, long }), request("theirs", "b", { long }), notification("c", { long }))
      const error = yield* Fiber.join(call)
      assert.deepInclude(error, { _tag: "RpcError", code: ErrorCode.InvalidRequest, unread: true })
      const answer = yield* other.next
      assert.deepStrictEqual([answer.id, answer.error?.code], ["theirs", ErrorCode.InvalidRequest])
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("a message that is nested too deeply is reported, and nobody is left waiting for it", () =>
    Effect.gen(function* () {
      const { issues, notified, other, peer } = yield* connect()
      const call = yield* start(Effect.flip(peer.call("a", {})))
      const { id } = yield* other.next
      const deep = `${"[".repeat(20_000)}"]"${"]".repeat(20_000)}`
      yield* other.write(`{"jsonrpc":"2.0","result":${deep},"id":${JSON.stringify(id)}}\n`)
      yield* other.write(`{"method":"b","params":${deep},"id":"theirs","jsonrpc":"2.0"}\n`)
      yield* other.write(`{"jsonrpc":"2.0","method":"c","params":${deep}}\n`)
      yield* other.write(`${deep}\n`)
      yield* other.send(notification("after", { text: "[".repeat(20_000), odd: `" ${"[".repeat(1000)} \\` }))
      assert.deepInclude(yield* Fiber.join(call), { _tag: "RpcError", unread: true })
      const answer = yield* other.next
      assert.deepStrictEqual([answer.id, answer.error?.code], ["theirs", ErrorCode.InvalidRequest])
      assert.match(answer.error?.message ?? "", /nested deeper than 512/)
      assert.deepInclude(yield* Queue.take(notified), { method: "after" })
      for (let round = 0; round < 4; round++) assert.strictEqual((yield* Queue.take(issues))._tag, "DeepMessage")
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("a message of the deepest nesting is read", () =>
    Effect.gen(function* () {
      const { notified, other } = yield* connect()
      const deep = `${"[".repeat(511)}${"]".repeat(511)}`
      yield* other.write(`{"jsonrpc":"2.0","method":"c","params":${deep}}\n`)
      assert.deepInclude(yield* Queue.take(notified), { method: "c" })
    })
  )

  it.effect("an error whose data is no JSON is answered as an internal error", () =>
    Effect.gen(function* () {
      const { other } = yield* connect({
        onRequest: () => Effect.fail(new RpcError({ code: 1, message: "m", data: 1n }))
      })
      yield* other.send(request(1, "a"))
      assert.strictEqual((yield* other.next).error?.code, ErrorCode.InternalError)
    })
  )

  it.effect("[3] a last line without a newline counts", () =>
    Effect.gen(function* () {
      const { notified, other, peer } = yield* connect()
      yield* other.write(JSON.stringify(notification("last", {})))
      yield* other.end
      yield* peer.closed
      assert.strictEqual((yield* Queue.take(notified)).method, "last")
    })
  )

  it.effect("a handler that throws does not end the connection", () =>
    Effect.gen(function* () {
      const seen = yield* Queue.unbounded<string>()
      const { issues, other } = yield* connect({
        onNotifications: (batch) => {
          if (batch[0]?.method === "bad") throw new Error("our bug")
          return Effect.asVoid(Queue.offer(seen, batch[0]?.method ?? ""))
        }
      })
      yield* other.send(notification("bad", {}))
      assert.deepInclude(yield* Queue.take(issues), { _tag: "HandlerDefect", method: "bad", message: "our bug" })
      yield* other.send(notification("good", {}))
      assert.strictEqual(yield* Queue.take(seen), "good")
    })
  )
})

describe("JsonRpcPeer, tap", () => {
  it.effect("sees every line both ways in order, with the numbers that messages carry", () =>
    Effect.gen(function* () {
      const tape: Array<readonly [number, string, string, unknown]> = []
      const numbers = yield* Queue.unbounded<number | undefined>()
      const { notified, other, peer } = yield* connect({
        onRequest: ({ line }) => Effect.succeed(line),
        options: {
          tap: { onLine: (direction, line, message, number) => tape.push([number, direction, line, message]) }
        }
      })
      const fiber = yield* start(
        peer.call("a", {}, { onResponse: (_, line) => Effect.asVoid(Queue.offer(numbers, line)) })
      )
      const { id } = yield* other.next
      yield* other.write(`noise\n${JSON.stringify(notification("n", {}))}\n`)
      assert.strictEqual((yield* Queue.take(notified)).line, 3)
      yield* other.send(request(9, "r"))
      assert.strictEqual((yield* other.next).result, 4)
      yield* other.send(result(id, "ok"))
      assert.strictEqual(yield* Fiber.join(fiber), "ok")
      assert.strictEqual(yield* Queue.take(numbers), 6)
      assert.deepStrictEqual(
        tape.map(([number, direction]) => [number, direction]),
        [
          [1, "out"],
          [2, "in"],
          [3, "in"],
          [4, "in"],
          [5, "out"],
          [6, "in"]
        ]
      )
      assert.deepStrictEqual(tape[1]?.slice(2), ["noise", undefined])
      assert.isTrue(tape.every(([, , line, message]) => line === "noise" || JSON.stringify(message) === line))
    })
  )

  it.effect("sees what came of a line before the lines behind it, however they arrived", () =>
    Effect.gen(function* () {
      const tape: Array<string> = []
      const nameOf = (line: string) => /"method":"(\w+)"|"result":"(\w+)"/.exec(line)?.slice(1).join("") ?? line
      const { notified, other, peer } = yield* connect({
        options: { tap: { onLine: (direction, line) => tape.push(`${direction} ${nameOf(line)}`) } }
      })
      const say = (method: string) => Effect.ignore(peer.notify(method, {}))
      const fiber = yield* start(peer.call("call", {}, { onResponse: () => say("heard") }))
      const { id } = yield* other.next
      const lines = [notification("a", {}), notification("b", {}), result(id, "answer"), notification("c", {})]
      yield* other.write(`${lines.map((line) => JSON.stringify(line)).join("\n")}\nnoise\n`)
      yield* Fiber.join(fiber)
      for (let i = 0; i < 3; i++) yield* Queue.take(notified)
      assert.strictEqual((yield* other.next).method, "heard")
      assert.deepStrictEqual(tape, ["out call", "in a", "in b", "in answer", "out heard", "in c", "in noise"])
    })
  )

  it.effect("onResponse runs for a caller that was interrupted, and when the connection closes", () =>
    Effect.gen(function* () {
      const exits = yield* Queue.unbounded<Exit.Exit<unknown, CallFailure>>()
      const { other, peer } = yield* connect()
      const options: JsonRpcPeer.CallOptions = {
        cancelOnInterrupt: false,
        onResponse: (exit) => Effect.asVoid(Queue.offer(exits, exit))
      }
      const fiber = yield* start(peer.call("a", {}, options))
      const { id } = yield* other.next
      yield* Fiber.interrupt(fiber)
      yield* other.send(result(id, "late"))
      assert.deepStrictEqual(yield* Queue.take(exits), Exit.succeed("late"))
      yield* start(Effect.exit(peer.call("b", {}, options)))
      yield* other.next
      yield* other.end
      const exit = yield* Queue.take(exits)
      assert.isTrue(Exit.isFailure(exit))
    })
  )
})
