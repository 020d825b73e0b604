import { assert, describe, it } from "@effect/vitest"
import { type Issue, RpcError } from "@signalbox/acp/JsonRpc"
import * as Transport from "@signalbox/acp/Transport"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { InitializeParams, InitializeResult, LogMessageParams } from "vscode-languageserver-protocol"
import type * as FramedTransport from "../src/FramedTransport.ts"
import * as Framing from "../src/Framing.ts"
import * as LspPeer from "../src/LspPeer.ts"
import * as Frames from "./support/Frames.ts"

/** An end of a pair in memory, whose transport carries bytes only. */
const bytesOf = ({ input, output }: Transport.Transport<never>): FramedTransport.Bytes<never> => ({
  input: Stream.map(input, (chunk) => (typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk)),
  output
})

const none: LspPeer.Handlers<never> = { requests: new Map(), notifications: new Map() }

/** A peer, and the other end by hand: what it receives, parsed, and a way to write bytes to it. */
const byHand = Effect.fnUntraced(function* (handlers: LspPeer.Handlers<never> = none, options?: LspPeer.Options) {
  const [near, far] = yield* Transport.pair()
  const received = yield* Queue.unbounded<unknown>()
  const toNear = yield* Queue.unbounded<Uint8Array>()
  const issues = yield* Queue.unbounded<Issue>()
  const unframer = Framing.unframer({ maxBodyBytes: 1 << 20 })
  yield* Effect.forkScoped(
    Stream.runForEach(bytesOf(far).input, (chunk) =>
      Queue.offerAll(
        received,
        unframer.push(chunk).texts.map((text): unknown => JSON.parse(text))
      )
    )
  )
  yield* Effect.forkScoped(Stream.run(Stream.fromQueue(toNear), far.output))
  const onIssue = (issue: Issue) => Queue.offerUnsafe(issues, issue)
  const peer = yield* LspPeer.make(bytesOf(near), () => ({ ...handlers, onIssue }), options)
  const write = (text: string) => Queue.offer(toNear, new TextEncoder().encode(text))
  const send = (...messages: ReadonlyArray<object>) =>
    Queue.offer(toNear, Frames.frame(messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }))))
  return { peer, send, write, issues, next: Queue.take(received) }
})

/** Two peers that talk to each other. */
const two = Effect.fnUntraced(function* (left: LspPeer.Handlers<never>, right: LspPeer.Handlers<never>) {
  const [near, far] = yield* Transport.pair()
  const other = yield* LspPeer.make(bytesOf(far), () => right)
  const peer = yield* LspPeer.make(bytesOf(near), () => left)
  return { peer, other }
})

describe("LspPeer", () => {
  it.effect("calls, answers and notifications carry the protocol's messages", () =>
    Effect.gen(function* () {
      const logged = yield* Queue.unbounded<unknown>()
      const result = { capabilities: { positionEncoding: "utf-16" } } satisfies InitializeResult
      const params = { processId: null, rootUri: null, capabilities: {} } satisfies InitializeParams
      const seen: Array<unknown> = []
      const { other, peer } = yield* two(
        { ...none, notifications: new Map([["window/logMessage", (given) => Queue.offer(logged, given)]]) },
        {
          ...none,
          requests: new Map([["initialize", (given) => Effect.sync(() => (seen.push(given), result))]])
        }
      )
      assert.deepStrictEqual(yield* peer.call("initialize", params), result)
      assert.deepStrictEqual(seen, [params])
      const log = { type: 3, message: "é🚦" } satisfies LogMessageParams
      yield* other.notify("window/logMessage", log)
      assert.deepStrictEqual(yield* Queue.take(logged), log)
    })
  )

  it.effect("both sides call each other at once, and answers come in any order", () =>
    Effect.gen(function* () {
      const gate = yield* Latch.make(false)
      const echo: LspPeer.Handlers<never> = {
        ...none,
        requests: new Map([
          ["slow", (params: unknown) => Effect.as(gate.await, params)],
          ["fast", (params: unknown) => Effect.succeed(params)]
        ])
      }
      const { other, peer } = yield* two(echo, echo)
      const slow = yield* Effect.forkChild(
        Effect.all([peer.call("slow", 1), other.call("slow", 2)], { concurrency: 2 }),
        {
          startImmediately: true
        }
      )
      assert.deepStrictEqual(yield* Effect.all([peer.call("fast", [3]), other.call("fast", [4])]), [[3], [4]])
      yield* gate.open
      assert.deepStrictEqual(yield* Fiber.join(slow), [1, 2])
    })
  )

  it.effect("an error answer is a typed failure with its code and data", () =>
    Effect.gen(function* () {
      const error = new RpcError({ code: -32803, message: "No", data: { a: 1 } })
      const { peer } = yield* two(none, { ...none, requests: new Map([["x", () => Effect.fail(error)]]) })
      assert.deepStrictEqual(yield* Effect.flip(peer.call("x", {})), error)
    })
  )

  it.effect("unknown requests are answered -32601, and unknown notifications are ignored", () =>
    Effect.gen(function* () {
      const { issues, next, send } = yield* byHand()
      yield* send({ method: "$/setTrace", params: { value: "off" } }, { method: "x/y" }, { id: "a", method: "$/z" })
      assert.deepStrictEqual(yield* next, {
        jsonrpc: "2.0",
        id: "a",
        error: { code: -32601, message: "Method not found: $/z" }
      })
      assert.strictEqual(yield* Queue.size(issues), 0)
    })
  )

  it.effect("a refused request never reaches its handler", () =>
    Effect.gen(function* () {
      const refusal = new RpcError({ code: -32002, message: "Not yet" })
      const { next, send } = yield* byHand({
        ...none,
        requests: new Map([["a", () => Effect.die("reached")]]),
        refuse: (method) => (method === "a" ? refusal : undefined)
      })
      yield* send({ id: 1, method: "a" })
      assert.deepStrictEqual(yield* next, { jsonrpc: "2.0", id: 1, error: { code: -32002, message: "Not yet" } })
    })
  )

  it.effect("the other side cancels a request by $/cancelRequest, with the digits of its id", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const { next, send, write } = yield* byHand({
        ...none,
        requests: new Map([["slow", () => Effect.andThen(Deferred.succeed(started, undefined), Effect.never)]])
      })
      const digits = "12345678901234567890"
      const request = `{"jsonrpc":"2.0","id":${digits},"method":"slow"}`
      yield* write(`Content-Length: ${request.length}\r\n\r\n${request}`)
      yield* Deferred.await(started)
      // ACP's own cancellation means nothing here.
      yield* send({ method: "$/cancel_request", params: { requestId: 1 } })
      const cancel = `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":${digits}}}`
      yield* write(`Content-Length: ${cancel.length}\r\n\r\n${cancel}`)
      assert.deepInclude(yield* next, { error: { code: -32800, message: "Request cancelled" } })
    })
  )

  it.effect("interrupting a call cancels it by $/cancelRequest", () =>
    Effect.gen(function* () {
      const { next, peer } = yield* byHand()
      const call = yield* Effect.forkChild(peer.call("slow", {}), { startImmediately: true })
      assert.deepStrictEqual(yield* next, { jsonrpc: "2.0", id: 0, method: "slow", params: {} })
      yield* Fiber.interrupt(call)
      assert.deepStrictEqual(yield* next, { jsonrpc: "2.0", method: "$/cancelRequest", params: { id: 0 } })
    })
  )

  it.effect("progress reaches who asks for it, and nobody else", () =>
    Effect.gen(function* () {
      const { next, peer, send } = yield* byHand()
      const progress = (token: string | number, value: unknown) => ({
        method: "$/progress",
        params: { token, value }
      })
      const values: Array<unknown> = []
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* peer.progress(7, (value) => Effect.sync(() => values.push(value)))
          yield* send(progress(7, "a"), progress("7", "other"), progress(7, "b"), { method: "$/progress" })
          yield* send({ id: 1, method: "probe" })
          yield* next
        })
      )
      yield* send(progress(7, "after"), { id: 2, method: "probe" })
      yield* next
      assert.deepStrictEqual(values, ["a", "b"])
    })
  )

  it.effect("text that is not JSON is answered -32700, and the conversation goes on", () =>
    Effect.gen(function* () {
      const { next, send, write } = yield* byHand()
      yield* write("Content-Length: 3\r\n\r\n{a}")
      assert.deepStrictEqual(yield* next, { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } })
      yield* send({ id: 1, method: "x" })
      assert.deepInclude(yield* next, { id: 1 })
    })
  )

  it.effect("a broken header ends the connection, after what came before it", () =>
    Effect.gen(function* () {
      const heard: Array<unknown> = []
      const { peer, send, write } = yield* byHand({
        ...none,
        notifications: new Map([["a", (params: unknown) => Effect.sync(() => heard.push(params))]])
      })
      const call = yield* Effect.forkChild(Effect.exit(peer.call("x", {})), { startImmediately: true })
      yield* send({ method: "a", params: 1 })
      yield* write("Debugger attached.\r\n\r\n")
      const closed = yield* peer.closed
      assert.strictEqual(closed.reason, "ReadFailed")
      assert.include(closed.message, "Debugger attached.")
      assert.deepStrictEqual(heard, [1])
      assert.deepStrictEqual(yield* Fiber.join(call), Exit.fail(closed))
    })
  )

  it.effect("a message above the limit ends the connection and says so", () =>
    Effect.gen(function* () {
      const { peer, send } = yield* byHand(none, { maxBodyBytes: 100 })
      yield* send({ method: "a", params: "x".repeat(100) })
      assert.include((yield* peer.closed).message, "above the limit of 100")
    })
  )

  it.effect("closing fails what waits, and the other side sees the end", () =>
    Effect.gen(function* () {
      const { other, peer } = yield* two(none, { ...none, requests: new Map([["never", () => Effect.never]]) })
      const call = yield* Effect.forkChild(Effect.flip(peer.call("never", {})), { startImmediately: true })
      yield* peer.close
      assert.strictEqual((yield* Fiber.join(call))._tag, "ConnectionClosed")
      assert.strictEqual((yield* other.closed).reason, "InputEnded")
    })
  )
})
