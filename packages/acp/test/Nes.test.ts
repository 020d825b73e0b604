import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { AuthRequired } from "../src/AcpError.ts"
import { ErrorCode } from "../src/JsonRpc.ts"
import * as Nes from "../src/Nes.ts"
import type * as NesSchema from "../src/NesSchema.ts"
import { connect, start } from "./ClientSide.ts"
import { result } from "./OtherSide.ts"

const offer: NesSchema.Offer = { nes: { jump: {} }, positionEncodings: ["utf-8", "utf-16"] }
const uri = "file:///a.ts"
const position = { line: 1, character: 2 }
const range = { start: position, end: position }
const suggestion = (id: string, kind = "edit") => ({
  kind,
  id,
  uri,
  ...(kind === "edit" ? { edits: [{ range, newText: "x" }] } : { position, newName: "n" })
})

/** A session with an agent that advertises this. */
const begin = Effect.fnUntraced(function* (nes: unknown, more: object = {}) {
  const side = yield* connect()
  const { message } = yield* side.initialize(
    { protocolVersion: 1, agentCapabilities: { nes, ...more } },
    { capabilities: offer }
  )
  assert.deepNestedInclude(message.params, {
    "clientCapabilities.nes": { jump: {} },
    "clientCapabilities.positionEncodings": ["utf-8", "utf-16"]
  })
  const scope = yield* Scope.make()
  const { message: asked, value: nesSession } = yield* side.answered(
    Scope.provide(Nes.start(side.client, offer, { workspaceUri: "file:///" }), scope),
    { sessionId: "n" }
  )
  assert.deepInclude(asked, { method: "nes/start", params: { workspaceUri: "file:///" } })
  return { ...side, nes: nesSession, scope }
})

const everything = {
  events: {
    document: { didOpen: {}, didChange: { syncKind: "incremental" }, didClose: {}, didSave: {}, didFocus: {} }
  },
  context: { recentFiles: { maxCount: 1 }, relatedSnippets: {}, editHistory: {}, diagnostics: null }
}
const document = { uri, languageId: "ts", version: 1, text: "one" }
const changes = [{ range, text: "w" }]

describe("Nes", () => {
  it.effect("[128] is asked of an agent that offers it alone, and wants a login where the agent does", () =>
    Effect.gen(function* () {
      for (const agentCapabilities of [{}, { nes: null }, { nes: "yes" }]) {
        const { client, initialize, other } = yield* connect()
        yield* initialize({ protocolVersion: 1, agentCapabilities })
        const error = yield* Effect.flip(Effect.scoped(Nes.start(client, offer)))
        assert.deepInclude(error, { _tag: "CapabilityMissing", capability: "nes" })
        assert.strictEqual(yield* other.waiting, 0)
      }
      const { client, failed, initialize } = yield* connect()
      yield* initialize({ protocolVersion: 1, agentCapabilities: { nes: {} } })
      const exit = yield* failed(Effect.flip(Effect.scoped(Nes.start(client, offer))), ErrorCode.AuthRequired)
      assert.isTrue(Exit.isSuccess(exit) && exit.value instanceof AuthRequired)
    })
  )

  it.effect("[128] positions count in what was agreed on: utf-16 unless the agent takes another that was offered", () =>
    Effect.gen(function* () {
      for (const [asked, agreed] of [
        [undefined, "utf-16"],
        [null, "utf-16"],
        ["utf-16", "utf-16"],
        ["utf-8", "utf-8"]
      ]) {
        const { nes } = yield* begin({}, asked === undefined ? {} : { positionEncoding: asked })
        assert.strictEqual(nes.encoding, agreed)
      }
      for (const positionEncoding of ["utf-32", "latin-1", 8]) {
        const { client, initialize, other } = yield* connect()
        yield* initialize({ protocolVersion: 1, agentCapabilities: { nes: {}, positionEncoding } })
        assert.strictEqual((yield* Effect.flip(Effect.scoped(Nes.start(client, offer))))._tag, "MalformedResult")
        assert.strictEqual(yield* other.waiting, 0)
      }
    })
  )

  it.effect("[128] an event is sent when the agent asked for it, about documents that are open, in order", () =>
    Effect.gen(function* () {
      const { nes, other } = yield* begin(everything)
      assert.strictEqual((yield* Effect.flip(nes.didSave(uri)))._tag, "InvalidRequest")
      yield* nes.didOpen(document)
      yield* nes.didChange({ uri, version: 2, text: "two", changes })
      for (const version of [2, 1]) {
        assert.strictEqual(
          (yield* Effect.flip(nes.didChange({ uri, version, text: "", changes })))._tag,
          "InvalidRequest"
        )
      }
      yield* nes.didFocus({ uri, position, visibleRange: range })
      yield* nes.didSave(uri)
      yield* nes.didClose(uri)
      assert.strictEqual(
        (yield* Effect.flip(nes.didFocus({ uri, position, visibleRange: range })))._tag,
        "InvalidRequest"
      )
      const sent: Array<unknown> = []
      for (let i = 0; i < 5; i++) {
        const { method, params } = yield* other.next
        sent.push([method, params])
      }
      const about = { sessionId: "n", uri }
      assert.deepStrictEqual(sent, [
        ["document/didOpen", { ...about, languageId: "ts", version: 1, text: "one" }],
        ["document/didChange", { ...about, version: 2, contentChanges: changes }],
        ["document/didFocus", { ...about, version: 2, position, visibleRange: range }],
        ["document/didSave", about],
        ["document/didClose", about]
      ])
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("[128] an agent that wants whole texts gets those, and of other events nothing", () =>
    Effect.gen(function* () {
      const { nes, other } = yield* begin({ events: { document: { didChange: { syncKind: "full" }, didSave: null } } })
      yield* nes.didOpen(document)
      yield* nes.didChange({ uri, version: 5, text: "whole", changes })
      yield* nes.didSave(uri)
      yield* nes.didClose(uri)
      assert.deepInclude(yield* other.next, {
        method: "document/didChange",
        params: { sessionId: "n", uri, version: 5, contentChanges: [{ text: "whole" }] }
      })
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("[128] the context holds what the agent wants, as much of it as it wants", () =>
    Effect.gen(function* () {
      const { answered, nes, other } = yield* begin(everything)
      yield* nes.didOpen(document)
      yield* other.next
      const file = (text: string) => ({ uri, languageId: "ts", text })
      const context: NesSchema.Context = {
        recentFiles: [file("a"), file("b")],
        editHistory: [
          { uri, diff: "1" },
          { uri, diff: "2" }
        ],
        userActions: [{ action: "typed", uri, position, timestampMs: 0 }],
        diagnostics: [{ uri, range, severity: "error", message: "m" }]
      }
      const asked = nes.suggest({ uri, position, triggerKind: "manual", context })
      const { message } = yield* answered(asked, { suggestions: [] })
      assert.deepStrictEqual(message.params, {
        sessionId: "n",
        uri,
        position,
        triggerKind: "manual",
        version: 1,
        context: { recentFiles: [file("a")], editHistory: context.editHistory }
      })
    })
  )

  it.effect("[128] suggestions are of the kinds that can be shown, and each ends once", () =>
    Effect.gen(function* () {
      const { answered, nes, other } = yield* begin({})
      yield* nes.didOpen(document)
      const { value } = yield* answered(nes.suggest({ uri, position, triggerKind: "automatic" }), {
        suggestions: [suggestion("a"), suggestion("b", "jump"), suggestion("c", "rename"), suggestion("d", "dream"), 7]
      })
      assert.deepStrictEqual(
        value.map(({ id }) => id),
        ["a", "b"]
      )
      yield* nes.accept("a")
      yield* nes.reject("b", "ignored")
      assert.deepInclude(yield* other.next, { method: "nes/accept", params: { sessionId: "n", id: "a" } })
      assert.deepInclude(yield* other.next, {
        method: "nes/reject",
        params: { sessionId: "n", id: "b", reason: "ignored" }
      })
      for (const again of [nes.accept("a"), nes.reject("a", "rejected"), nes.accept("b"), nes.accept("c")]) {
        assert.strictEqual((yield* Effect.flip(again))._tag, "InvalidRequest")
      }
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("[128] what comes too late is not shown: the agent is told so; who does not wait cancels", () =>
    Effect.gen(function* () {
      const { nes, other, scope } = yield* begin({})
      yield* nes.didOpen(document)
      const late = yield* start(nes.suggest({ uri, position, triggerKind: "automatic" }))
      const { id } = yield* other.next
      yield* nes.didChange({ uri, version: 2, text: "two", changes })
      yield* other.send(result(id, { suggestions: [suggestion("a")] }))
      assert.deepStrictEqual(yield* Fiber.join(late), [])
      assert.deepInclude(yield* other.next, {
        method: "nes/reject",
        params: { sessionId: "n", id: "a", reason: "cancelled" }
      })
      const given = yield* start(nes.suggest({ uri, position, triggerKind: "automatic" }))
      const second = yield* other.next
      yield* Fiber.interrupt(given)
      assert.deepInclude(yield* other.next, { method: "$/cancel_request", params: { requestId: second.id } })
      const closing = yield* start(Scope.close(scope, Exit.void))
      const close = yield* other.next
      assert.deepInclude(close, { method: "nes/close", params: { sessionId: "n" } })
      yield* other.send(result(close.id, {}))
      yield* Fiber.join(closing)
    })
  )
})
