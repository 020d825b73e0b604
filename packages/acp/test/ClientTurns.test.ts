import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as TestClock from "effect/testing/TestClock"
import type * as Acp from "../src/AcpSchema.ts"
import { connect, connected, start, text } from "./ClientSide.ts"
import { request, result } from "./OtherSide.ts"

const sessionId = "s"
const hello = { sessionId, prompt: [text("hello")] }
const permission = {
  sessionId,
  toolCall: { toolCallId: "t" },
  options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }]
}
const ask = (id: string) => request(id, "session/request_permission", permission)
const cancelled = { outcome: { outcome: "cancelled" } }

describe("AcpClient, a turn", () => {
  it.effect("[56][79] a session has one prompt at a time, until its answer is there; another session has its own", () =>
    Effect.gen(function* () {
      const { answered, client, other } = yield* connected()
      const turn = yield* start(client.prompt(hello))
      const { id } = yield* other.next
      assert.strictEqual((yield* Effect.flip(client.prompt(hello)))._tag, "InvalidRequest")
      yield* answered(client.prompt({ ...hello, sessionId: "other" }), { stopReason: "end_turn" })
      yield* client.cancel({ sessionId })
      yield* other.next
      assert.strictEqual((yield* Effect.flip(client.prompt(hello)))._tag, "InvalidRequest")
      // Who waits no longer does not end the turn.
      yield* Fiber.interrupt(turn)
      assert.strictEqual((yield* Effect.flip(client.prompt(hello)))._tag, "InvalidRequest")
      yield* other.send(result(id, { stopReason: "cancelled" }))
      // The reader has seen the answer once it answers what came behind it.
      yield* other.send(request("marker", "_x"))
      yield* other.next
      const { value } = yield* answered(client.prompt(hello), { stopReason: "end_turn" })
      assert.deepStrictEqual(value, { stopReason: "end_turn" })
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("[56] a prompt that could not be sent, or that failed, holds up no other", () =>
    Effect.gen(function* () {
      const { answered, client, failed, initialize } = yield* connect()
      yield* initialize({ protocolVersion: 1 })
      const image: Acp.ContentBlock = { type: "image", data: "", mimeType: "image/png" }
      assert.strictEqual((yield* Effect.flip(client.prompt({ sessionId, prompt: [image] })))._tag, "CapabilityMissing")
      assert.isTrue(Exit.isFailure(yield* failed(client.prompt(hello), -32603)))
      yield* answered(client.prompt(hello), { stopReason: "end_turn" })
    })
  )

  it.effect("[58] silence is no end: a turn may take as long as it takes", () =>
    Effect.gen(function* () {
      const { client, other } = yield* connected()
      const turn = yield* start(client.prompt(hello))
      const { id } = yield* other.next
      yield* TestClock.adjust("7 days")
      assert.isUndefined(turn.pollUnsafe())
      assert.strictEqual(yield* other.waiting, 0, "nothing was sent about it either")
      yield* other.send(result(id, { stopReason: "end_turn" }))
      assert.deepStrictEqual(yield* Fiber.join(turn), { stopReason: "end_turn" })
    })
  )

  it.effect("[59] every stop reason ends the turn, one that nobody knows too", () =>
    Effect.gen(function* () {
      const { answered, client } = yield* connected()
      for (const stopReason of ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled", "_bored"]) {
        const { value } = yield* answered(client.prompt(hello), { stopReason })
        assert.strictEqual<string>(value.stopReason, stopReason)
      }
    })
  )

  it.effect("[76] cancelling answers every open permission with cancelled, once and behind the notification", () =>
    Effect.gen(function* () {
      const asked = yield* Queue.unbounded<void>()
      const interrupted = yield* Queue.unbounded<void>()
      const { client, other } = yield* connected({
        requestPermission: () =>
          Queue.offer(asked, undefined).pipe(
            Effect.andThen(Effect.never),
            Effect.onInterrupt(() => Queue.offer(interrupted, undefined))
          )
      })
      const turn = yield* start(client.prompt(hello))
      const { id } = yield* other.next
      yield* other.send(ask("a"), ask("b"))
      yield* Queue.take(asked)
      yield* Queue.take(asked)
      yield* client.cancel({ sessionId })
      assert.strictEqual((yield* other.next).method, "session/cancel")
      assert.sameDeepMembers([yield* other.next, yield* other.next], [result("a", cancelled), result("b", cancelled)])
      yield* Queue.take(interrupted)
      yield* Queue.take(interrupted)
      yield* client.cancel({ sessionId })
      assert.strictEqual((yield* other.next).method, "session/cancel")
      yield* other.send(result(id, { stopReason: "cancelled" }))
      assert.deepStrictEqual(yield* Fiber.join(turn), { stopReason: "cancelled" })
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect(
    "[77] a permission that is asked for after the cancel is answered at once; after the turn people decide",
    () =>
      Effect.gen(function* () {
        const decided = yield* Deferred.make<void>()
        const { client, other } = yield* connected({
          requestPermission: () =>
            Effect.as(Deferred.await(decided), { outcome: { outcome: "selected", optionId: "yes" } })
        })
        const turn = yield* start(client.prompt(hello))
        const { id } = yield* other.next
        yield* client.cancel({ sessionId })
        yield* other.next
        yield* other.send(ask("late"))
        assert.deepStrictEqual(yield* other.next, result("late", cancelled))
        yield* other.send(result(id, { stopReason: "cancelled" }))
        yield* Fiber.join(turn)
        // It waits for people: what was asked behind it is answered before it.
        yield* other.send(ask("next"), request("behind", "_x"))
        assert.strictEqual((yield* other.next).id, "behind")
        yield* Deferred.succeed(decided, undefined)
        assert.deepStrictEqual(yield* other.next, result("next", { outcome: { outcome: "selected", optionId: "yes" } }))
      })
  )

  it.effect("[76] cancelling where nothing runs takes back what is open, and no more", () =>
    Effect.gen(function* () {
      const asked = yield* Queue.unbounded<void>()
      const { client, other } = yield* connected({
        requestPermission: () => Effect.andThen(Queue.offer(asked, undefined), Effect.never)
      })
      yield* other.send(ask("open"))
      yield* Queue.take(asked)
      yield* client.cancel({ sessionId })
      assert.strictEqual((yield* other.next).method, "session/cancel")
      assert.deepStrictEqual(yield* other.next, result("open", cancelled))
      yield* other.send(ask("next"), request("behind", "_x"))
      assert.strictEqual((yield* other.next).id, "behind")
    })
  )

  it.effect("[76] a close that fails leaves a cancelled turn cancelled, and a turn that ends leaves a close", () =>
    Effect.gen(function* () {
      const chosen = { outcome: { outcome: "selected" as const, optionId: "yes" } }
      const { client, failed, other } = yield* connected({ requestPermission: () => Effect.succeed(chosen) })
      const answerTo = (id: string) => Effect.andThen(other.send(ask(id)), other.next)
      const turn = yield* start(client.prompt(hello))
      const prompt = yield* other.next
      yield* client.cancel({ sessionId })
      yield* other.next
      yield* failed(client.closeSession({ sessionId }), -32603)
      assert.deepStrictEqual(yield* answerTo("after the close"), result("after the close", cancelled))
      const closing = yield* start(client.closeSession({ sessionId }))
      const close = yield* other.next
      yield* other.send(result(prompt.id, { stopReason: "cancelled" }))
      yield* Fiber.join(turn)
      assert.deepStrictEqual(yield* answerTo("after the turn"), result("after the turn", cancelled))
      yield* other.send(result(close.id, {}))
      yield* Fiber.join(closing)
      assert.deepStrictEqual(yield* answerTo("after both"), result("after both", chosen))
    })
  )

  it.effect("[81] cancelling answers a form and an address with cancel, and leaves other sessions alone", () =>
    Effect.gen(function* () {
      const asked = yield* Queue.unbounded<Acp.CreateElicitationRequest>()
      const { client, other } = yield* connected({
        elicitation: {
          modes: ["form", "url"],
          create: (params) => Effect.andThen(Queue.offer(asked, params), Effect.never)
        }
      })
      yield* start(client.prompt(hello))
      yield* other.next
      const form = { mode: "form", message: "m", requestedSchema: { type: "object", properties: {} } }
      const url = { mode: "url", message: "m", elicitationId: "e", url: "https://x.example" }
      yield* other.send(
        request("form", "elicitation/create", { ...form, sessionId }),
        request("url", "elicitation/create", { ...url, sessionId }),
        request("other", "elicitation/create", { ...form, sessionId: "other" }),
        request("login", "elicitation/create", { ...form, requestId: 7 })
      )
      for (let i = 0; i < 4; i++) yield* Queue.take(asked)
      yield* client.cancel({ sessionId })
      yield* other.next
      assert.sameDeepMembers(
        [yield* other.next, yield* other.next],
        [result("form", { action: "cancel" }), result("url", { action: "cancel" })]
      )
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("[82] a permission that the agent takes back itself is answered as cancelled by it", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const { other } = yield* connected({
        requestPermission: () => Effect.andThen(Deferred.succeed(asked, undefined), Effect.never)
      })
      yield* other.send(ask("a"))
      yield* Deferred.await(asked)
      yield* other.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "a" } })
      assert.deepInclude(yield* other.next, {
        id: "a",
        error: { code: -32800, message: "Request cancelled" }
      })
    })
  )

  it.effect("[105] a page that was visited is reported as done, once, and only if somebody was sent there", () =>
    Effect.gen(function* () {
      const done = yield* Queue.unbounded<string>()
      let action: "accept" | "decline" = "accept"
      const { other } = yield* connected({
        elicitation: {
          modes: ["url"],
          create: () => Effect.sync(() => ({ action })),
          onComplete: ({ elicitationId }) => Effect.asVoid(Queue.offer(done, elicitationId))
        }
      })
      const visit = (id: string) =>
        request(id, "elicitation/create", { mode: "url", message: "m", sessionId, elicitationId: id, url: "https://x" })
      const complete = (id: string) => ({ method: "elicitation/complete", params: { elicitationId: id } })
      yield* other.send(visit("yes"))
      assert.deepStrictEqual((yield* other.next).result, { action: "accept" })
      action = "decline"
      yield* other.send(visit("no"))
      assert.deepStrictEqual((yield* other.next).result, { action: "decline" })
      action = "accept"
      yield* other.send(complete("no"), complete("stranger"), complete("yes"), complete("yes"), visit("last"))
      yield* other.next
      yield* other.send(complete("last"))
      assert.deepStrictEqual([yield* Queue.take(done), yield* Queue.take(done)], ["yes", "last"])
    })
  )
})
