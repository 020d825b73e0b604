import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as AcpAgent from "../src/AcpAgent.ts"
import type { SessionConfigOption } from "../src/AcpSchema.ts"
import { ErrorCode, RpcError } from "../src/JsonRpc.ts"
import * as NesAgent from "../src/NesAgent.ts"
import { begin, connect, uri } from "./AgentSide.ts"
import * as OtherSide from "./OtherSide.ts"
import { notification, request } from "./OtherSide.ts"

const at = (line: number, character: number) => ({ line, character })
const range = (line: number, start: number, end: number) => ({ start: at(line, start), end: at(line, end) })
const none: NesAgent.NesAgent = { start: () => Effect.succeed({ suggest: () => Effect.succeed([]) }) }
const option: SessionConfigOption = {
  type: "select",
  id: "model",
  name: "Model",
  currentValue: "fast",
  options: [{ value: "fast", name: "Fast" }]
}

describe("NesAgent", () => {
  it.effect("advertises documents with every change, and takes the encoding that the client likes best", () =>
    Effect.gen(function* () {
      const { initialized } = yield* connect(none, { clientCapabilities: { positionEncodings: ["utf-9", "utf-32"] } })
      assert.deepStrictEqual(initialized.result, {
        protocolVersion: 1,
        agentCapabilities: {
          nes: { events: { document: { didOpen: {}, didChange: { syncKind: "incremental" }, didClose: {} } } },
          positionEncoding: "utf-32"
        }
      })
      const wants = { context: { diagnostics: {} } }
      for (const [positionEncodings, encodings] of [
        [undefined, undefined],
        [["utf-8"], ["utf-16"]],
        [[], undefined]
      ] as const) {
        const own = { ...none, wants, ...(encodings && { encodings }), agentInfo: { name: "n", version: "1" } }
        const { initialized } = yield* connect(own, { clientCapabilities: { positionEncodings } })
        assert.deepStrictEqual(initialized.result, {
          protocolVersion: 1,
          agentInfo: { name: "n", version: "1" },
          agentCapabilities: { nes: wants }
        })
      }
    })
  )

  it.effect("has no chats unless they are given to it, and keeps what these advertise", () =>
    Effect.gen(function* () {
      const { ask } = yield* connect(none)
      assert.strictEqual(
        (yield* ask("session/new", { cwd: "/", mcpServers: [] })).error?.code,
        ErrorCode.MethodNotFound
      )
      assert.strictEqual((yield* ask("_other", {})).error?.code, ErrorCode.MethodNotFound)
      const other = yield* OtherSide.make
      const handlers = yield* NesAgent.handlers(none)
      yield* AcpAgent.make(other.transport, (client) =>
        handlers(client, {
          initialize: () => Effect.succeed({ protocolVersion: 1, agentCapabilities: { loadSession: true } }),
          newSession: () => Effect.succeed({ sessionId: "chat" }),
          extRequest: (method) => Effect.succeed(method)
        })
      )
      const answerTo = Effect.fnUntraced(function* (method: string, params: unknown) {
        yield* other.send(request(0, method, params))
        return (yield* other.next).result
      })
      const initialized = yield* answerTo("initialize", { protocolVersion: 1 })
      assert.deepNestedInclude(initialized, { "agentCapabilities.loadSession": true })
      assert.deepNestedInclude(initialized, { "agentCapabilities.nes.events.document.didOpen": {} })
      assert.deepStrictEqual(yield* answerTo("session/new", { cwd: "/", mcpServers: [] }), { sessionId: "chat" })
      assert.strictEqual(yield* answerTo("_other", {}), "_other")
      assert.deepStrictEqual(yield* answerTo("nes/start", {}), { sessionId: "nes-1" })
    })
  )

  it.effect("keeps documents with incremental changes, and shows them as they were when it was asked", () =>
    Effect.gen(function* () {
      const seen = yield* Queue.unbounded<NesAgent.SuggestRequest>()
      const gate = yield* Deferred.make<void>()
      const { didOpen, other, send } = yield* begin({
        suggest: (request) => Effect.as(Effect.andThen(Queue.offer(seen, request), Deferred.await(gate)), [])
      })
      yield* didOpen("one\r\ntwo")
      yield* send("document/didChange", {
        uri,
        version: 4,
        contentChanges: [
          { range: range(1, 0, 3), text: "2\n3" },
          { range: range(2, 1, 9), text: "!" }
        ]
      })
      const asked = { sessionId: "nes-1", uri, version: 4, position: at(1, 1), triggerKind: "from the moon" }
      yield* other.send(request("first", "nes/suggest", asked))
      yield* send("document/didChange", { uri, version: 5, contentChanges: [{ text: "all", range: null }] })
      yield* other.send(request("second", "nes/suggest", { ...asked, version: 5, selection: range(0, 0, 3) }))
      const first = yield* Queue.take(seen)
      const second = yield* Queue.take(seen)
      assert.strictEqual(first.document?.lines.text, "one\r\n2\n3!")
      assert.deepInclude(first, { version: 4, triggerKind: "automatic", selection: undefined })
      assert.strictEqual(second.document?.lines.text, "all")
      assert.deepInclude(second, { version: 5, selection: range(0, 0, 3) })
      assert.deepInclude(second.document, { uri, languageId: "ts", version: 5 })
      yield* Deferred.succeed(gate, undefined)
      assert.deepInclude(yield* other.next, { id: "first", result: { suggestions: [] } })
      assert.deepInclude(yield* other.next, { id: "second", result: { suggestions: [] } })
    })
  )

  it.effect("reports events in order, with their documents", () =>
    Effect.gen(function* () {
      const events: Array<unknown> = []
      const onEvent = (event: NesAgent.Event) =>
        Effect.sync(() => events.push([event.type, event.document?.version, event.document?.lines.text]))
      const { didOpen, send, sessions, suggest } = yield* begin({ onEvent: (event) => Effect.asVoid(onEvent(event)) })
      yield* didOpen("a")
      yield* send("document/didFocus", { uri, version: 1, position: at(0, 1), visibleRange: range(0, 0, 1) })
      yield* send("document/didChange", { uri, version: 2, contentChanges: [{ range: range(0, 0, 1), text: "b" }] })
      yield* send("document/didSave", { uri })
      yield* send("document/didClose", { uri })
      yield* send("document/didSave", { uri })
      yield* suggest()
      assert.deepStrictEqual(events, [
        ["didOpen", 1, "a"],
        ["didFocus", 1, "a"],
        ["didChange", 2, "b"],
        ["didSave", 2, "b"],
        ["didClose", 2, "b"],
        ["didSave", undefined, undefined]
      ])
      assert.strictEqual(sessions[0]?.documents.size, 0)
    })
  )

  it.effect(
    "drops its copy when a version does not rise, and makes no suggestion for a text that it does not have",
    () =>
      Effect.gen(function* () {
        const { didOpen, problems, send, suggest } = yield* begin(
          {},
          { clientCapabilities: { positionEncodings: ["utf-8"] } }
        )
        yield* didOpen("a", 3)
        assert.strictEqual((yield* suggest({ version: 4 })).error?.code, ErrorCode.InvalidParams)
        assert.deepInclude(yield* suggest({ version: 3 }), { result: { suggestions: [] } })
        const change = (version: number, text: string) =>
          send("document/didChange", { uri, version, contentChanges: [{ range: range(0, 0, 0), text }] })
        yield* change(3, "b")
        assert.deepInclude((yield* suggest({ version: 3 })).error, { message: `The text of ${uri} is not known` })
        yield* change(4, "c")
        yield* send("document/didChange", { uri, version: 5, contentChanges: [{ text: "whole again" }] })
        assert.deepInclude(yield* suggest({ version: 5 }), { result: { suggestions: [] } })
        assert.deepStrictEqual(problems, [`Version 3 of ${uri} is not after 3`, `${uri} is not open`])
      })
  )

  it.effect("counts in UTF-16 here, and on the wire as was agreed", () =>
    Effect.gen(function* () {
      const requests: Array<NesAgent.SuggestRequest> = []
      const other = "file:///b.ts"
      const recent = "file:///c.ts"
      const { didOpen, send, suggest } = yield* begin(
        {
          textOf: (uri) => Effect.succeed(uri === other ? "é!" : undefined),
          suggest: (request) => {
            requests.push(request)
            if (request.document === undefined) return Effect.succeed([])
            const edits = [{ from: 3, to: 4, newText: "ö" }]
            return Effect.succeed([
              NesAgent.edit(request.document, edits, 4),
              { kind: "jump", uri: other, position: at(0, 1) },
              { kind: "rename", uri: recent, position: at(0, 2), newName: "n" },
              { kind: "jump", uri: "file:///unknown", position: at(0, 1) },
              { kind: "searchAndReplace", uri: "file:///", search: "a", replace: "b" }
            ])
          }
        },
        { clientCapabilities: { nes: { jump: {}, rename: {}, searchAndReplace: {} }, positionEncodings: ["utf-8"] } }
      )
      yield* didOpen("éx")
      yield* send("document/didChange", {
        uri,
        version: 2,
        contentChanges: [
          { range: range(0, 2, 2), text: "😀" },
          { range: range(0, 0, 2), text: "e" }
        ]
      })
      const context = {
        recentFiles: [{ uri: recent, languageId: "ts", text: "😀" }, "no file"],
        userActions: [
          { action: "typed", uri, position: at(0, 5), timestampMs: 1 },
          { action: "typed", uri: other, position: at(0, 5), timestampMs: 2 }
        ],
        openFiles: [
          { uri, languageId: "ts", visibleRange: range(0, 0, 5) },
          { uri: other, languageId: "ts", visibleRange: range(0, 0, 5), lastFocusedMs: null }
        ],
        diagnostics: [{ uri, range: range(0, 1, 5), severity: "error", message: "m" }],
        editHistory: null
      }
      const { result } = yield* suggest({ version: 2, position: at(0, 6), selection: range(0, 1, 6), context })
      const [request] = requests
      assert.deepInclude(request, { position: at(0, 4), selection: range(0, 1, 4) })
      assert.deepStrictEqual(request?.context, {
        recentFiles: [{ uri: recent, languageId: "ts", text: "😀" }],
        relatedSnippets: [],
        editHistory: [],
        userActions: [{ action: "typed", uri, position: at(0, 3), timestampMs: 1 }],
        openFiles: [
          { uri, languageId: "ts", visibleRange: range(0, 0, 3) },
          { uri: other, languageId: "ts", lastFocusedMs: null }
        ],
        diagnostics: [{ uri, range: range(0, 1, 3), severity: "error", message: "m" }]
      })
      assert.strictEqual(request?.document?.lines.text, "e😀x")
      const edits = [{ range: range(0, 5, 6), newText: "ö" }]
      assert.deepStrictEqual(result, {
        suggestions: [
          { kind: "edit", id: "nes-1-1", uri, edits, cursorPosition: at(0, 7) },
          { kind: "jump", id: "nes-1-2", uri: other, position: at(0, 2) },
          { kind: "rename", id: "nes-1-3", uri: recent, position: at(0, 4), newName: "n" },
          { kind: "searchAndReplace", id: "nes-1-4", uri: "file:///", search: "a", replace: "b" }
        ]
      })
    })
  )

  it.effect("takes a text of the context for the document where it gets no events", () =>
    Effect.gen(function* () {
      const texts: Array<unknown> = []
      const { suggest } = yield* begin({
        suggest: ({ document }) => {
          texts.push([document?.lines.text, document?.version])
          return Effect.succeed([])
        }
      })
      yield* suggest({ version: 7, context: { recentFiles: [{ uri, languageId: "ts", text: "recent" }] } })
      yield* suggest({ version: 8, context: "none" })
      assert.deepStrictEqual(texts, [
        ["recent", 7],
        [undefined, undefined]
      ])
    })
  )

  it.effect("takes a text of the context for the document where no event has brought its version", () =>
    Effect.gen(function* () {
      const texts: Array<unknown> = []
      const { didOpen, suggest } = yield* begin({
        suggest: ({ document }) => {
          texts.push([document?.lines.text, document?.version])
          return Effect.succeed([])
        }
      })
      yield* didOpen("opened")
      const context = { recentFiles: [{ uri, languageId: "ts", text: "recent" }] }
      yield* suggest({ version: 1, context })
      yield* suggest({ version: 2, context })
      assert.deepStrictEqual(texts, [
        ["opened", 1],
        ["recent", 2]
      ])
    })
  )

  it.effect("sends no kind that the client can't show", () =>
    Effect.gen(function* () {
      const { problems, sessions, suggest } = yield* begin(
        {
          suggest: () =>
            Effect.succeed([
              { kind: "rename", uri, position: at(0, 0), newName: "n" },
              { kind: "jump", id: "mine", uri, position: at(0, 0) }
            ])
        },
        { clientCapabilities: { nes: { jump: {}, rename: null, more: {} } } }
      )
      assert.deepStrictEqual([...(sessions[0]?.kinds ?? [])], ["edit", "jump"])
      assert.deepStrictEqual((yield* suggest()).result, {
        suggestions: [{ kind: "jump", id: "mine", uri, position: at(0, 0) }]
      })
      assert.deepStrictEqual(problems, ["The client can't show suggestions of the kind rename"])
    })
  )

  it.effect("learns the end of each suggestion once, with its reason", () =>
    Effect.gen(function* () {
      const ends: Array<unknown> = []
      const { send, suggest } = yield* begin({
        suggest: () => Effect.succeed(["a", "b", "c"].map((id) => ({ kind: "jump", id, uri, position: at(0, 0) }))),
        onEnd: ({ id, outcome, reason }) => Effect.sync(() => ends.push([id, outcome, reason]))
      })
      yield* suggest()
      yield* send("nes/accept", { id: "a" })
      yield* send("nes/reject", { id: "b", reason: "ignored" })
      yield* send("nes/reject", { id: "c", reason: "for fun" })
      yield* send("nes/reject", { id: "a", reason: "rejected" })
      yield* send("nes/accept", { id: "never" })
      yield* suggest()
      assert.deepStrictEqual(ends, [
        ["a", "accepted", undefined],
        ["b", "rejected", "ignored"],
        ["c", "rejected", undefined]
      ])
    })
  )

  it.effect("ends what runs when a session is closed or a request is cancelled", () =>
    Effect.gen(function* () {
      const interrupted: Array<string> = []
      const started = yield* Queue.unbounded<string>()
      const { ask, other, sessions } = yield* begin({
        suggest: ({ uri }) =>
          Effect.andThen(Queue.offer(started, uri), Effect.never).pipe(
            Effect.onInterrupt(() => Effect.sync(() => interrupted.push(uri)))
          )
      })
      const [session] = sessions
      if (session === undefined) return assert.fail("No session")
      yield* Effect.forkIn(
        Effect.onInterrupt(Effect.never, () => Effect.sync(() => interrupted.push("background"))),
        session.scope,
        { startImmediately: true }
      )
      const suggest = (id: string) =>
        request(id, "nes/suggest", {
          sessionId: "nes-1",
          uri: id,
          version: 1,
          position: at(0, 0),
          triggerKind: "manual"
        })
      yield* other.send(suggest("one"), suggest("two"))
      yield* Queue.take(started)
      yield* Queue.take(started)
      yield* other.send(notification("$/cancel_request", { requestId: "one" }))
      assert.deepNestedInclude(yield* other.next, { id: "one", "error.code": ErrorCode.RequestCancelled })
      yield* other.send(request("close", "nes/close", { sessionId: "nes-1" }))
      const answers = [yield* other.next, yield* other.next]
      assert.deepNestedInclude(
        answers.find(({ id }) => id === "two"),
        { "error.code": ErrorCode.RequestCancelled }
      )
      assert.deepInclude(
        answers.find(({ id }) => id === "close"),
        { result: {} }
      )
      assert.sameMembers(interrupted, ["one", "two", "background"])
      assert.strictEqual((yield* ask("nes/close", { sessionId: "nes-1" })).error?.code, ErrorCode.ResourceNotFound)
      assert.strictEqual((yield* ask("nes/suggest", suggest("x").params)).error?.code, ErrorCode.ResourceNotFound)
    })
  )

  it.effect("keeps sessions apart", () =>
    Effect.gen(function* () {
      const { ask, other } = yield* connect({
        start: ({ id }) =>
          Effect.succeed({
            suggest: ({ document }) =>
              Effect.succeed([{ kind: "searchAndReplace", uri, search: id, replace: document?.lines.text ?? "" }])
          })
      })
      for (const sessionId of ["nes-1", "nes-2"]) {
        assert.deepStrictEqual((yield* ask("nes/start", {})).result, { sessionId })
        const opened = { sessionId, uri, languageId: "ts", version: 1, text: `text of ${sessionId}` }
        yield* other.send(notification("document/didOpen", opened))
      }
      yield* ask("nes/close", { sessionId: "nes-1" })
      const asked = { sessionId: "nes-2", uri, version: 1, position: at(0, 0), triggerKind: "manual" }
      assert.deepNestedInclude(yield* ask("nes/suggest", asked), {
        "result.suggestions[0].search": "nes-2",
        "result.suggestions[0].replace": "text of nes-2"
      })
    })
  )

  it.effect("refuses a session too many, and keeps no document too many", () =>
    Effect.gen(function* () {
      const { ask, didOpen, problems, send, sessions, suggest } = yield* begin()
      for (let i = 0; i < 1000; i++) {
        yield* send("document/didOpen", { uri: `file:///${i}`, languageId: "ts", version: 1, text: "" })
      }
      yield* didOpen("one too many")
      assert.deepInclude(yield* suggest(), { result: { suggestions: [] } })
      yield* send("document/didChange", { uri, version: 2, contentChanges: [{ text: "whole" }] })
      assert.deepInclude(yield* suggest({ version: 2 }), { result: { suggestions: [] } })
      const problem = `${uri} is not kept: 1000 documents are open`
      assert.deepStrictEqual(problems, [problem, problem])
      assert.isFalse(sessions[0]?.documents.has(uri))
      for (let i = 1; i < 100; i++) yield* ask("nes/start", {})
      assert.strictEqual((yield* ask("nes/start", {})).error?.code, ErrorCode.InternalError)
      yield* ask("nes/close", { sessionId: "nes-1" })
      assert.deepNestedInclude(yield* ask("nes/start", {}), { "result.sessionId": "nes-101" })
    })
  )

  it.effect("asks for a sign-in before a session, and keeps none of a start that failed", () =>
    Effect.gen(function* () {
      let isSignedIn = false
      const scopes: Array<NesAgent.Session["scope"]> = []
      const closed: Array<number> = []
      const { ask } = yield* connect({
        start: (session) =>
          Effect.gen(function* () {
            const number = scopes.push(session.scope)
            yield* Effect.acquireRelease(Effect.void, () => Effect.sync(() => closed.push(number))).pipe(
              Effect.provideService(Scope.Scope, session.scope)
            )
            if (isSignedIn) return { suggest: () => Effect.succeed([]) }
            return yield* new RpcError({ code: ErrorCode.AuthRequired, message: "Sign in" })
          })
      })
      assert.strictEqual((yield* ask("nes/start", {})).error?.code, ErrorCode.AuthRequired)
      assert.deepStrictEqual(closed, [1])
      isSignedIn = true
      assert.deepStrictEqual((yield* ask("nes/start", {})).result, { sessionId: "nes-2" })
      assert.deepStrictEqual(closed, [1])
    })
  )

  it.effect("offers options for a session, changes them, and reports its own changes with the session's id", () =>
    Effect.gen(function* () {
      const { ask, other, sessions, started } = yield* begin({
        configOptions: [option],
        setConfigOption: ({ value }) => Effect.succeed([{ ...option, description: String(value) }])
      })
      assert.deepStrictEqual(started.result, { sessionId: "nes-1", configOptions: [option] })
      const setting = { sessionId: "nes-1", configId: "model", value: "fast" }
      assert.deepStrictEqual((yield* ask("session/set_config_option", setting)).result, {
        configOptions: [{ ...option, description: "fast" }]
      })
      const foreign = yield* ask("session/set_config_option", { ...setting, sessionId: "chat" })
      assert.strictEqual(foreign.error?.code, ErrorCode.ResourceNotFound)
      yield* sessions[0]?.sendConfigOptions([]) ?? Effect.void
      assert.deepInclude(yield* other.next, {
        method: "session/update",
        params: { sessionId: "nes-1", update: { sessionUpdate: "config_option_update", configOptions: [] } }
      })
    })
  )

  it.effect("reads what is malformed as far as it can, and goes on", () =>
    Effect.gen(function* () {
      const { ask, didOpen, send, suggest } = yield* begin()
      yield* send("document/didOpen", { uri, text: 7 })
      yield* send("document/didChange", { uri, version: 2, contentChanges: "all" })
      yield* send("nes/accept", {})
      assert.strictEqual((yield* ask("nes/suggest", { sessionId: "nes-1" })).error?.code, ErrorCode.InvalidParams)
      yield* didOpen("a")
      const context = { recentFiles: "many", diagnostics: [{ uri }, 4], openFiles: {} }
      assert.deepStrictEqual((yield* suggest({ context, selection: "all", triggerKind: 4 })).result, {
        suggestions: []
      })
    })
  )
})
