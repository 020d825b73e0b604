import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import { AuthRequired, NotServed } from "../src/AcpError.ts"
import * as Authentication from "../src/Authentication.ts"
import { ErrorCode } from "../src/JsonRpc.ts"
import * as Nes from "../src/Nes.ts"
import type * as NesSchema from "../src/NesSchema.ts"
import { connect, start, update } from "./ClientSide.ts"
import { at, begin, everyEvent, offer, range, uri } from "./NesSide.ts"
import { result } from "./OtherSide.ts"

const document = { uri, languageId: "ts", version: 1, text: "one\ntwo" }
const changes = [{ range: range(1, 2, 3), text: "w" }]
const about = { sessionId: "n", uri }
const error = (id: unknown, code: number) => ({ jsonrpc: "2.0", id, error: { code, message: "no" } })

describe("Nes", () => {
  it.effect("[128] nothing is asked of an agent that does not offer suggestions", () =>
    Effect.gen(function* () {
      for (const agentCapabilities of [{}, { nes: null }, { nes: "yes" }]) {
        const { client, initialize, other } = yield* connect()
        yield* initialize({ protocolVersion: 1, agentCapabilities })
        const error = yield* Effect.flip(Effect.scoped(Nes.start(client, offer)))
        assert.deepInclude(error, { _tag: "CapabilityMissing", capability: "nes" })
        assert.strictEqual(yield* other.waiting, 0)
      }
    })
  )

  it.effect("[128] a start that needs a sign-in is made once more after it, and no more than once", () =>
    Effect.gen(function* () {
      const { client, initialize, other } = yield* connect()
      const authMethods = [{ id: "login", name: "Log in" }]
      yield* initialize({ protocolVersion: 1, agentCapabilities: { nes: {} }, authMethods })
      const signIns: Array<unknown> = []
      const begun = Authentication.retryOnce(Nes.start(client, offer), ({ authMethods }) =>
        Effect.sync(() => signIns.push(authMethods))
      )
      const scope = yield* Scope.make()
      const first = yield* start(Scope.provide(begun, scope))
      yield* other.send(error((yield* other.next).id, ErrorCode.AuthRequired))
      const again = yield* other.next
      assert.deepInclude(again, { method: "nes/start" })
      yield* other.send(result(again.id, { sessionId: "n" }))
      assert.strictEqual((yield* Fiber.join(first)).id, "n")
      assert.deepEqual(signIns, [authMethods])

      const second = yield* start(Effect.flip(Scope.provide(begun, scope)))
      yield* other.send(error((yield* other.next).id, ErrorCode.AuthRequired))
      yield* other.send(error((yield* other.next).id, ErrorCode.AuthRequired))
      assert.instanceOf(yield* Fiber.join(second), AuthRequired)
      assert.strictEqual(signIns.length, 2)
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("[128] an agent that claims suggestions and does not know the method is told apart from others", () =>
    Effect.gen(function* () {
      const { client, initialize, other } = yield* connect()
      yield* initialize({ protocolVersion: 1, agentCapabilities: { nes: {} } })
      const failing = yield* start(Effect.flip(Effect.scoped(Nes.start(client, offer))))
      yield* other.send(error((yield* other.next).id, ErrorCode.MethodNotFound))
      const failure = yield* Fiber.join(failing)
      assert.instanceOf(failure, NotServed)
      assert.deepInclude(failure, { method: "nes/start", capability: "nes", code: ErrorCode.MethodNotFound })
      assert.strictEqual(failure.message, "The agent advertises nes, but does not know nes/start")

      const { asked, other: agent } = yield* begin({ text: "a" })
      const { fiber, id } = yield* asked
      yield* agent.send(error(id, ErrorCode.MethodNotFound))
      const suggesting = yield* Effect.flip(Fiber.join(fiber))
      assert.instanceOf(suggesting, NotServed)
      assert.deepInclude(suggesting, { method: "nes/suggest" })
    })
  )

  it.effect("[128] a session that begins after its caller has gone is closed", () =>
    Effect.gen(function* () {
      const { client, initialize, other } = yield* connect()
      yield* initialize({ protocolVersion: 1, agentCapabilities: { nes: {} } })
      const fiber = yield* start(Effect.scoped(Nes.start(client, offer)))
      const { id } = yield* other.next
      yield* Fiber.interrupt(fiber)
      assert.deepInclude(yield* other.next, { method: "$/cancel_request", params: { requestId: id } })
      yield* other.send(result(id, { sessionId: "late" }))
      const closing = yield* other.next
      assert.deepInclude(closing, { method: "nes/close", params: { sessionId: "late" } })
      yield* other.send(result(closing.id, {}))
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
        const { session } = yield* begin(asked === undefined ? {} : { more: { positionEncoding: asked } })
        assert.strictEqual(session.encoding, agreed)
      }
      for (const positionEncoding of ["utf-32", "latin-1", 8]) {
        const { client, initialize, other } = yield* connect()
        yield* initialize({ protocolVersion: 1, agentCapabilities: { nes: {}, positionEncoding } })
        assert.strictEqual((yield* Effect.flip(Effect.scoped(Nes.start(client, offer))))._tag, "MalformedResult")
        assert.strictEqual(yield* other.waiting, 0)
      }
    })
  )

  it.effect("[128] credentials are cut out of the address of the repository", () =>
    Effect.gen(function* () {
      const sentFor = Effect.fnUntraced(function* (remoteUrl: string) {
        const { answered, client, initialize } = yield* connect()
        yield* initialize({ protocolVersion: 1, agentCapabilities: { nes: {} } })
        const scope = yield* Scope.make()
        const request = { workspaceUri: "file:///p", repository: { name: "p", owner: "o", remoteUrl } }
        const { message } = yield* answered(Scope.provide(Nes.start(client, offer, request), scope), { sessionId: "n" })
        assert.deepNestedInclude(message, { method: "nes/start", "params.workspaceUri": "file:///p" })
        return message.params
      })
      for (const [given, sent] of [
        ["https://github.com/o/p.git", "https://github.com/o/p.git"],
        ["https://alice:secret@github.com/o/p.git", "https://github.com/o/p.git"],
        ["https://secret@github.com:8443/o/p", "https://github.com:8443/o/p"],
        ["https://a:se@cret@[::1]:80/o/p?access_token=secret#secret", "https://[::1]:80/o/p"],
        ["ssh://git:secret@host/o/p", "ssh://host/o/p"],
        ["git@github.com:o/p.git", "git@github.com:o/p.git"],
        ["https://host/@o/p", "https://host/@o/p"],
        ["alice:secret@host:o/p.git", "host:o/p.git"],
        ["/home/alice/p", "/home/alice/p"]
      ] as const) {
        assert.deepNestedInclude(yield* sentFor(given), { "repository.remoteUrl": sent })
      }
      for (const unclear of [
        "https://alice:sec/ret@host/o/p",
        "https://mirror/https://alice:secret@host/o/p",
        "https://mirror/https://secret@host/o/p",
        "git@mirror:https://alice:secret@host/o/p",
        "alice:sec/ret@host:o",
        "alice:secret@host",
        "ext::ssh -i secret host %S /o/p"
      ]) {
        assert.deepStrictEqual(yield* sentFor(unclear), { workspaceUri: "file:///p" })
      }
    })
  )

  it.effect("[128] an event is sent when the agent asked for it, about documents that are open, in order", () =>
    Effect.gen(function* () {
      const { other, sent, session } = yield* begin({ nes: { events: everyEvent } })
      const isRefused = Effect.fnUntraced(function* (told: Effect.Effect<void, { readonly _tag: string }>) {
        assert.strictEqual((yield* Effect.flip(told))._tag, "InvalidRequest")
      })
      yield* isRefused(session.didSave(uri))
      yield* isRefused(session.didChange({ uri, version: 2, changes }))
      yield* session.didOpen(document)
      yield* session.didChange({ uri, version: 2, changes })
      for (const version of [2, 1]) yield* isRefused(session.didChange({ uri, version, changes }))
      yield* session.didFocus({ uri, position: at(1, 1), visibleRange: range(1, 0, 9) })
      yield* session.didSave(uri)
      yield* session.didClose(uri)
      yield* isRefused(session.didFocus({ uri, position: at(0, 0), visibleRange: range(0, 0, 0) }))
      assert.deepStrictEqual(yield* sent(5), [
        ["document/didOpen", { ...about, languageId: "ts", version: 1, text: document.text }],
        ["document/didChange", { ...about, version: 2, contentChanges: changes }],
        ["document/didFocus", { ...about, version: 2, position: at(1, 1), visibleRange: range(1, 0, 3) }],
        ["document/didSave", about],
        ["document/didClose", about]
      ])
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("[128] each event is sent only where its own key is advertised", () =>
    Effect.gen(function* () {
      const all = ["didOpen", "didChange", "didFocus", "didSave", "didClose"]
      for (const wanted of all) {
        const value = wanted === "didChange" ? { syncKind: "full" } : {}
        const { other, sent, session } = yield* begin({ nes: { events: { document: { [wanted]: value } } } })
        yield* session.didOpen(document)
        yield* session.didChange({ uri, version: 2, changes })
        yield* session.didFocus({ uri, position: at(0, 0), visibleRange: range(0, 0, 0) })
        yield* session.didSave(uri)
        yield* session.didClose(uri)
        assert.deepStrictEqual((yield* sent(1))[0]?.[0], `document/${wanted}`)
        assert.strictEqual(yield* other.waiting, 0)
      }
    })
  )

  it.effect("[128] an agent that wants whole texts gets each as one change without a range", () =>
    Effect.gen(function* () {
      const { other, sent, session } = yield* begin({
        nes: { events: { document: { didChange: { syncKind: "full" }, didSave: null } } }
      })
      yield* session.didOpen(document)
      yield* session.didChange({ uri, version: 5, changes: [...changes, { range: range(0, 0, 3), text: "1" }] })
      assert.deepStrictEqual(yield* sent(1), [
        ["document/didChange", { ...about, version: 5, contentChanges: [{ text: "1\ntww" }] }]
      ])
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("[128] an agent that wants changes and no opened documents gets the whole text first", () =>
    Effect.gen(function* () {
      const { sent, session } = yield* begin({
        nes: { events: { document: { didChange: { syncKind: "incremental" } } } }
      })
      yield* session.didOpen(document)
      yield* session.didChange({ uri, version: 2, changes })
      yield* session.didChange({ uri, version: 3, changes })
      assert.deepStrictEqual(yield* sent(2), [
        ["document/didChange", { ...about, version: 2, contentChanges: [{ text: "one\ntww" }] }],
        ["document/didChange", { ...about, version: 3, contentChanges: changes }]
      ])
    })
  )

  it.effect("[128] positions of events and requests are sent in the agent's encoding", () =>
    Effect.gen(function* () {
      const context: NesSchema.Context = {
        recentFiles: [{ uri: "file:///b.ts", languageId: "ts", text: "é!" }],
        userActions: [
          { action: "typed", uri: "file:///b.ts", position: at(0, 1), timestampMs: 0 },
          { action: "typed", uri: "file:///unknown", position: at(0, 1), timestampMs: 0 }
        ],
        openFiles: [{ uri: "file:///unknown", languageId: "ts", visibleRange: range(0, 0, 1) }],
        diagnostics: [{ uri, range: range(0, 0, 4), severity: "error", message: "m" }]
      }
      const { answered, sent, session } = yield* begin({
        more: { positionEncoding: "utf-8" },
        nes: {
          events: everyEvent,
          context: { recentFiles: {}, userActions: {}, openFiles: {}, diagnostics: {} }
        }
      })
      yield* session.didOpen({ ...document, text: "é😀z" })
      yield* session.didChange({
        uri,
        version: 2,
        changes: [
          { range: range(0, 1, 3), text: "€" },
          { range: range(0, 2, 2), text: "😀" }
        ]
      })
      yield* session.didFocus({ uri, position: at(0, 2), visibleRange: range(0, 0, 99) })
      assert.deepStrictEqual((yield* sent(3)).slice(1), [
        [
          "document/didChange",
          {
            ...about,
            version: 2,
            contentChanges: [
              { range: range(0, 2, 6), text: "€" },
              { range: range(0, 5, 5), text: "😀" }
            ]
          }
        ],
        ["document/didFocus", { ...about, version: 2, position: at(0, 5), visibleRange: range(0, 0, 10) }]
      ])
      const asking = session.suggest({
        uri,
        position: at(0, 4),
        selection: range(0, 3, 4),
        triggerKind: "diagnostic",
        context
      })
      const { message } = yield* answered(asking, { suggestions: [] })
      assert.deepStrictEqual(message.params, {
        ...about,
        version: 2,
        position: at(0, 9),
        selection: range(0, 5, 9),
        triggerKind: "diagnostic",
        context: {
          recentFiles: context.recentFiles,
          userActions: [{ action: "typed", uri: "file:///b.ts", position: at(0, 2), timestampMs: 0 }],
          openFiles: [{ uri: "file:///unknown", languageId: "ts" }],
          diagnostics: [{ uri, range: range(0, 0, 9), severity: "error", message: "m" }]
        }
      })
    })
  )

  it.effect("[128] the context holds what the agent wants, as much of it as it wants", () =>
    Effect.gen(function* () {
      const context = {
        recentFiles: { maxCount: 1 },
        relatedSnippets: {},
        editHistory: {},
        openFiles: {},
        diagnostics: null
      }
      const { answered, sent, session } = yield* begin({ nes: { events: everyEvent, context } })
      yield* session.didOpen(document)
      yield* sent(1)
      const file = (text: string) => ({ uri: "file:///b.ts", languageId: "ts", text })
      const given: NesSchema.Context = {
        recentFiles: [file("a"), file("b")],
        editHistory: [
          { uri, diff: "1" },
          { uri, diff: "2" }
        ],
        userActions: [{ action: "typed", uri, position: at(0, 0), timestampMs: 0 }],
        diagnostics: [{ uri, range: range(0, 0, 1), severity: "error", message: "m" }]
      }
      const asking = session.suggest({ uri, position: at(0, 1), triggerKind: "manual", context: given })
      const { message } = yield* answered(asking, { suggestions: [] })
      assert.deepStrictEqual(message.params, {
        ...about,
        position: at(0, 1),
        triggerKind: "manual",
        version: 1,
        context: { recentFiles: [file("a")], editHistory: given.editHistory }
      })
    })
  )

  it.effect("[128] every field of the context is left out unless its key is advertised, and cut at maxCount", () =>
    Effect.gen(function* () {
      const twice = <A>(one: A): ReadonlyArray<A> => [one, one]
      const given = {
        recentFiles: twice({ uri: "file:///b.ts", languageId: "ts", text: "" }),
        relatedSnippets: twice({ uri, excerpts: [{ startLine: 0, endLine: 0, text: "" }] }),
        editHistory: twice({ uri, diff: "" }),
        userActions: twice({ action: "typed", uri, position: at(0, 0), timestampMs: 0 }),
        openFiles: twice({ uri, languageId: "ts", visibleRange: range(0, 0, 0), lastFocusedMs: 0 }),
        diagnostics: twice({ uri, range: range(0, 0, 0), severity: "hint", message: "" } as const)
      } satisfies NesSchema.Context
      for (const [key, list] of Object.entries(given)) {
        for (const [wish, count] of [
          [{}, 2],
          [{ maxCount: null }, 2],
          [{ maxCount: 1 }, 1]
        ] as const) {
          const nes = { events: everyEvent, context: { [key]: wish } }
          const { answered, request, sent, session } = yield* begin({ nes, text: "" })
          yield* sent(1)
          const { message } = yield* answered(session.suggest({ ...request, context: given }), { suggestions: [] })
          const expected = list.slice(0, count)
          assert.deepNestedInclude(message, { "params.context": { [key]: expected } }, `${key} ${JSON.stringify(wish)}`)
        }
      }
    })
  )

  it.effect("[128] the text of the document comes with the question where no event has brought it", () =>
    Effect.gen(function* () {
      const [didOpen, didChange] = [{}, { syncKind: "incremental" }]
      const other = { uri: "file:///b.ts", languageId: "ts", text: "b" }
      const older = { uri, languageId: "ts", text: "older" }
      for (const [documentEvents, isSent] of [
        [{ didOpen, didChange }, [false, false]],
        [{ didOpen }, [false, true]],
        [{ didChange }, [true, false]],
        [{}, [true, true]]
      ] as const) {
        const nes = { events: { document: documentEvents }, context: { recentFiles: { maxCount: 2 } } }
        const { other: agent, request, sent, session } = yield* begin({ nes })
        const asked = Effect.fnUntraced(function* () {
          const fiber = yield* start(session.suggest({ ...request, context: { recentFiles: [other, older] } }))
          const { id, method, params } = yield* agent.next
          assert.strictEqual(method, "nes/suggest")
          yield* agent.send(result(id, { suggestions: [] }))
          yield* Fiber.join(fiber)
          return Object(params).context.recentFiles
        })
        yield* session.didOpen(document)
        yield* sent("didOpen" in documentEvents ? 1 : 0)
        const given = [yield* asked()]
        yield* session.didChange({ uri, version: 2, changes: [{ text: "new" }] })
        yield* sent("didChange" in documentEvents ? 1 : 0)
        given.push(yield* asked())
        const own = [document.text, "new"].map((text) => [{ uri, languageId: "ts", text }, other])
        assert.deepStrictEqual(
          given,
          isSent.map((is, index) => (is ? own[index] : [other, older])),
          JSON.stringify(documentEvents)
        )
      }
    })
  )

  it.effect("a text above the limit is not reported, and one that grows above it is closed", () =>
    Effect.gen(function* () {
      const { other, sent, session } = yield* begin({ nes: { events: everyEvent }, longestDocument: 10 })
      const tooLong = "file:///a.ts has more than 10 characters, and is not reported"
      assert.deepInclude(yield* Effect.flip(session.didOpen({ ...document, text: "x".repeat(11) })), {
        message: tooLong
      })
      yield* session.didOpen(document)
      const growing = session.didChange({ uri, version: 2, changes: [{ range: range(0, 0, 0), text: "more" }] })
      assert.deepInclude(yield* Effect.flip(growing), { message: tooLong })
      assert.deepStrictEqual((yield* sent(2))[1], ["document/didClose", about])
      assert.strictEqual((yield* Effect.flip(session.didSave(uri)))._tag, "InvalidRequest")
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect(
    "[128] options come with the start and by updates with the session's id, also in the words of the draft",
    () =>
      Effect.gen(function* () {
        const { answered, client, initialize, other, updates } = yield* connect()
        yield* initialize({ protocolVersion: 1, agentCapabilities: { nes: {} } })
        const draft = {
          id: "nes_model",
          name: "Prediction Model",
          category: "model",
          type: "enum",
          currentValue: "fast",
          options: [
            { value: "fast", label: "Fast" },
            { value: "accurate", label: "Accurate" }
          ]
        }
        const standard = {
          ...draft,
          type: "select",
          options: [
            { value: "fast", name: "Fast" },
            { value: "accurate", name: "Accurate" }
          ]
        }
        const scope = yield* Scope.make()
        const { value: session } = yield* answered(Scope.provide(Nes.start(client, offer), scope), {
          sessionId: "n",
          configOptions: [draft, { id: 7 }]
        })
        const plain = (options: unknown) => JSON.parse(JSON.stringify(options))
        const withoutLabels = (options: unknown) => {
          const all = plain(options)
          for (const { options } of all) for (const option of options ?? []) delete option.label
          return all
        }
        assert.deepStrictEqual(withoutLabels(session.configOptions()), [standard])
        const updated = {
          sessionUpdate: "config_option_update",
          configOptions: [{ ...draft, currentValue: "accurate" }]
        }
        yield* other.send(update("n", updated), update("chat", { ...updated, configOptions: [] }))
        assert.isTrue(session.take(yield* Queue.take(updates)))
        assert.isFalse(session.take(yield* Queue.take(updates)))
        assert.deepStrictEqual(withoutLabels(session.configOptions()), [{ ...standard, currentValue: "accurate" }])

        const { message, value } = yield* answered(session.setConfigOption("nes_model", "fast"), {
          configOptions: [draft]
        })
        assert.deepInclude(message, {
          method: "session/set_config_option",
          params: { sessionId: "n", configId: "nes_model", value: "fast" }
        })
        assert.deepStrictEqual(withoutLabels(value), [standard])
        const { message: toggled } = yield* answered(session.setConfigOption("on", true), { configOptions: [] })
        assert.deepInclude(toggled, { params: { sessionId: "n", configId: "on", type: "boolean", value: true } })
        assert.deepStrictEqual(session.configOptions(), [])
      })
  )

  it.effect("[128] the end of the scope ends what is open as ignored, and then the session", () =>
    Effect.gen(function* () {
      const { other, rejected, scope, sent, suggested } = yield* begin({ text: "one" })
      const range = { start: at(0, 0), end: at(0, 1) }
      yield* suggested({ kind: "edit", id: "a", uri, edits: [{ range, newText: "x" }] })
      const closing = yield* start(Scope.close(scope, Exit.void))
      assert.deepStrictEqual(yield* sent(1), [rejected("a", "ignored")])
      const close = yield* other.next
      assert.deepInclude(close, { method: "nes/close", params: { sessionId: "n" } })
      yield* other.send(result(close.id, {}))
      yield* Fiber.join(closing)
    })
  )
})
