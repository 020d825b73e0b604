/** Both ends of suggestions against the official SDK: its types, its schemas, and its connections as the other end. */
import * as sdk from "@agentclientprotocol/sdk/experimental/nes"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import * as AcpClient from "../src/AcpClient.ts"
import * as Nes from "../src/Nes.ts"
import * as NesAgent from "../src/NesAgent.ts"
import type * as NesSchema from "../src/NesSchema.ts"
import type { Transport } from "../src/Transport.ts"
import { clientInfo } from "./ClientSide.ts"
import { at, everyEvent, everyKind, range, uri } from "./NesSide.ts"

const { agent: to } = sdk.methods

/** Two connected ends: one for the SDK, one for us. */
const pipes = () => {
  const [toUs, toThem] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()]
  const writer = toThem.writable.getWriter()
  const ours: Transport = {
    input: Stream.fromReadableStream({ evaluate: () => toUs.readable, onError: (error) => error }),
    output: Sink.forEach((chunk: Uint8Array) => Effect.promise(() => writer.write(chunk)))
  }
  return { ours, theirs: sdk.ndJsonStream(toUs.writable, toThem.readable) }
}

const everyContext = {
  recentFiles: { maxCount: 2 },
  relatedSnippets: {},
  editHistory: {},
  userActions: {},
  openFiles: {},
  diagnostics: {}
}

const context: NesSchema.Context = {
  recentFiles: [{ uri: "file:///b.ts", languageId: "ts", text: "b" }],
  relatedSnippets: [{ uri: "file:///c.ts", excerpts: [{ startLine: 1, endLine: 2, text: "c" }] }],
  editHistory: [{ uri, diff: "--- a\n+++ b\n" }],
  userActions: [{ action: "insertChar", uri, position: at(0, 1), timestampMs: 1_719_400_000_000 }],
  openFiles: [{ uri, languageId: "ts", visibleRange: range(0, 0, 1), lastFocusedMs: 1 }],
  diagnostics: [{ uri, range: range(0, 0, 1), severity: "information", message: "m" }]
}

const suggestions: ReadonlyArray<sdk.NesSuggestion> = [
  {
    kind: "edit",
    id: "e",
    uri,
    edits: [{ range: range(0, 4, 5), newText: "x" }],
    cursorPosition: at(0, 1),
    _meta: { any: 1 }
  },
  { kind: "jump", id: "j", uri, position: at(0, 0) },
  { kind: "rename", id: "r", uri, position: at(0, 0), newName: "n" },
  { kind: "searchAndReplace", id: "s", uri: "file:///", search: "a", replace: "b", isRegex: null }
]

describe("suggestions with the official SDK", () => {
  it("[128] an agent on the SDK, which checks every message, gets all that our client sends, and is understood", async () => {
    const got: Array<unknown> = []
    const { promise: hasAll, resolve: hasThemAll } = Promise.withResolvers<void>()
    const note =
      (method: string) =>
      ({ params }: { readonly params: unknown }) => {
        got.push([method, params])
        if (got.length === 13) hasThemAll()
      }
    const { ours, theirs } = pipes()
    const connection = sdk
      .agent({ name: "sdk" })
      .onRequest(to.initialize, ({ params }) => {
        assert.deepStrictEqual(params.clientCapabilities?.nes, everyKind.nes)
        assert.deepEqual(params.clientCapabilities?.positionEncodings, [...everyKind.positionEncodings])
        note("initialize")({ params })
        return {
          protocolVersion: 1,
          agentCapabilities: { nes: { events: everyEvent, context: everyContext }, positionEncoding: "utf-8" }
        }
      })
      .onRequest(to.nes.start, (request) => {
        note("start")(request)
        return { sessionId: "sdk-1" }
      })
      .onRequest(to.nes.suggest, (request) => {
        note("suggest")(request)
        return { suggestions: [...suggestions] }
      })
      .onRequest(to.nes.close, (request) => {
        note("close")(request)
        return {}
      })
      .onNotification(to.document.didOpen, note("didOpen"))
      .onNotification(to.document.didChange, note("didChange"))
      .onNotification(to.document.didFocus, note("didFocus"))
      .onNotification(to.document.didSave, note("didSave"))
      .onNotification(to.document.didClose, note("didClose"))
      .onNotification(to.nes.accept, note("accept"))
      .onNotification(to.nes.reject, note("reject"))
      .connect(theirs)
    const about = { sessionId: "sdk-1", uri }
    await Effect.gen(function* () {
      const client = yield* AcpClient.make(ours, {
        onUpdates: () => Effect.void,
        requestPermission: () => Effect.succeed({ outcome: { outcome: "cancelled" } })
      })
      yield* client.initialize({ clientInfo, capabilities: everyKind })
      const scope = yield* Scope.make()
      const workspace = {
        workspaceUri: "file:///p",
        workspaceFolders: [{ uri: "file:///p", name: "p" }],
        repository: { name: "p", owner: "o", remoteUrl: "https://host/o/p" }
      }
      const session = yield* Scope.provide(Nes.start(client, everyKind, workspace), scope)
      yield* session.didOpen({ uri, languageId: "ts", version: 1, text: "😀" })
      yield* session.didChange({ uri, version: 2, changes: [{ range: range(0, 2, 2), text: "z" }] })
      yield* session.didFocus({ uri, position: at(0, 2), visibleRange: range(0, 0, 3) })
      yield* session.didSave(uri)
      const request = {
        uri,
        position: at(0, 2),
        selection: range(0, 0, 2),
        triggerKind: "diagnostic",
        context
      } as const
      const shown = yield* session.suggest(request)
      assert.deepEqual(
        shown.map(({ id, kind }) => [id, kind]),
        [
          ["e", "edit"],
          ["j", "jump"],
          ["r", "rename"],
          ["s", "searchAndReplace"]
        ]
      )
      assert.deepInclude(shown[0], { edits: [{ range: range(0, 2, 3), newText: "x" }], cursorPosition: at(0, 0) })
      yield* session.accept("e")
      yield* session.reject("j", "replaced")
      yield* session.didClose(uri)
      yield* Scope.close(scope, Exit.void)
      // The SDK does not handle messages one after the other.
      yield* Effect.promise(() => hasAll)
      assert.sameDeepMembers(got.slice(1), [
        ["start", workspace],
        ["didOpen", { ...about, languageId: "ts", version: 1, text: "😀" }],
        ["didChange", { ...about, version: 2, contentChanges: [{ range: range(0, 4, 4), text: "z" }] }],
        ["didFocus", { ...about, version: 2, position: at(0, 4), visibleRange: range(0, 0, 5) }],
        ["didSave", about],
        [
          "suggest",
          {
            ...about,
            version: 2,
            position: at(0, 4),
            selection: range(0, 0, 4),
            triggerKind: "diagnostic",
            context: {
              ...context,
              userActions: [{ action: "insertChar", uri, position: at(0, 0), timestampMs: 1_719_400_000_000 }],
              openFiles: [{ uri, languageId: "ts", visibleRange: range(0, 0, 0), lastFocusedMs: 1 }],
              diagnostics: [{ uri, range: range(0, 0, 0), severity: "information", message: "m" }]
            }
          }
        ],
        ["accept", { sessionId: "sdk-1", id: "e" }],
        ["reject", { sessionId: "sdk-1", id: "j", reason: "replaced" }],
        ["reject", { sessionId: "sdk-1", id: "r", reason: "ignored" }],
        ["didClose", about],
        ["reject", { sessionId: "sdk-1", id: "s", reason: "ignored" }],
        ["close", { sessionId: "sdk-1" }]
      ])
    }).pipe(Effect.scoped, Effect.runPromise)
    connection.close()
  })

  it("our agent is understood by a client on the SDK, and its messages pass the SDK's schemas", async () => {
    const ends: Array<unknown> = []
    const { ours, theirs } = pipes()
    const made = Effect.gen(function* () {
      const scope = yield* Scope.make()
      const agent = NesAgent.make(ours, {
        wants: { events: everyEvent, context: everyContext },
        start: ({ workspace }) =>
          Effect.succeed({
            suggest: ({ document, position }) =>
              Effect.succeed([
                { kind: "jump", uri, position },
                {
                  kind: "searchAndReplace",
                  uri,
                  search: workspace.workspaceUri ?? "",
                  replace: document?.lines.text ?? ""
                },
                ...(document === undefined ? [] : [NesAgent.edit(document, [{ from: 2, to: 3, newText: "x" }], 1)])
              ]),
            onEnd: ({ id, outcome, reason }) => Effect.sync(() => ends.push([id, outcome, reason]))
          })
      })
      yield* Scope.provide(agent, scope)
      return scope
    })
    const scope = await Effect.runPromise(made)
    await sdk.client({ name: "sdk" }).connectWith(theirs, async (agent) => {
      const { agentCapabilities } = await agent.request(to.initialize, {
        protocolVersion: 1,
        clientCapabilities: { nes: { jump: {} }, positionEncodings: ["utf-8"] }
      })
      assert.deepStrictEqual(sdk.validate.zNesCapabilities.parse(agentCapabilities?.nes), {
        events: everyEvent,
        context: everyContext
      })
      assert.strictEqual(agentCapabilities?.positionEncoding, "utf-8")
      const started = await agent.request(to.nes.start, { workspaceUri: "file:///p" })
      const { sessionId } = sdk.validate.zStartNesResponse.parse(started)
      await agent.notify(to.document.didOpen, { sessionId, uri, languageId: "ts", version: 1, text: "😀" })
      await agent.notify(to.document.didChange, {
        sessionId,
        uri,
        version: 2,
        contentChanges: [{ range: range(0, 4, 4), text: "z" }]
      })
      const answer = await agent.request(to.nes.suggest, {
        sessionId,
        uri,
        version: 2,
        position: at(0, 5),
        selection: null,
        triggerKind: "manual",
        context: null
      })
      const expected: Array<sdk.NesSuggestion> = [
        { kind: "jump", id: "nes-1-1", uri, position: at(0, 5) },
        {
          kind: "edit",
          id: "nes-1-2",
          uri,
          edits: [{ range: range(0, 4, 5), newText: "x" }],
          cursorPosition: at(0, 0)
        }
      ]
      assert.deepStrictEqual(sdk.validate.zSuggestNesResponse.parse(answer), { suggestions: expected })
      await agent.notify(to.nes.accept, { sessionId, id: "nes-1-1" })
      await agent.notify(to.nes.reject, { sessionId, id: "nes-1-2", reason: null })
      assert.deepStrictEqual(await agent.request(to.nes.close, { sessionId }), {})
    })
    assert.deepStrictEqual(ends, [
      ["nes-1-1", "accepted", undefined],
      ["nes-1-2", "rejected", undefined]
    ])
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
})
