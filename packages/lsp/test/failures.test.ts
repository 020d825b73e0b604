/** Language servers that don't work: each has words for people, and none leaves a process behind. */
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { join } from "node:path"
import { untilGone } from "../../process/test/support/Groups.ts"
import type * as LanguageServers from "../src/servers/LanguageServers.ts"
import { scripted, until } from "./support/Scripted.ts"
import type { Script } from "./support/scripted-server.ts"
import { patient, project, serversFor } from "./support/Servers.ts"

const at = (line: number, character: number) => ({ line, character })
const hovers = { hoverProvider: true, textDocumentSync: 1 }

type More = Omit<LanguageServers.Options, "folders" | "ledger" | "servers">

/** A folder with one file, and a scripted server for it. */
const begin = Effect.fnUntraced(function* (script: Script, more: More = {}) {
  const folder = yield* project({ "a.txt": "one\n" })
  const server = yield* scripted(script)
  const servers = yield* serversFor(folder, { servers: [server.definition], ...more })
  const path = join(folder, "a.txt")
  const hover = Effect.flatMap(servers.forFile(path), ([first]) => first?.hover(path, at(0, 0)) ?? Effect.die("none"))
  return { ...server, folder, path, servers, hover, state: Effect.map(servers.states, ([state]) => state) }
})

/** Each of its processes has ended when the scope of the servers has. */
const leavesNothing = Effect.fnUntraced(function* (script: Script, limits: More["limits"] = {}) {
  const scope = yield* Scope.make()
  const { hover, pids } = yield* begin(script, { limits }).pipe(Effect.provideService(Scope.Scope, scope))
  yield* Effect.exit(hover)
  yield* until(() => pids().length > 0)
  yield* Scope.close(scope, Exit.void)
  yield* Effect.forEach(pids(), untilGone, { discard: true })
})

describe("a language server", () => {
  it.live("that is missing is named, with the next step, and is looked for again by the next question", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.txt": "" })
      const { definition } = yield* scripted({}, { command: "no-such-language-server" })
      const { forFile, states } = yield* serversFor(folder, { servers: [definition] })
      const asked = Effect.flip(forFile(join(folder, "a.txt")))
      const { message, reason } = yield* asked
      assert.strictEqual(reason, "NotFound")
      assert.include(message, "Scripted server can't be started")
      assert.include(message, "no-such-language-server")
      assert.include(message, "name its program in the settings")
      const [state] = yield* states
      assert.deepInclude(state, { phase: "given-up", problem: message })
      assert.strictEqual((yield* asked).reason, "NotFound")
    })
  )

  it.live("that exits at its start is started again, and answers then", () =>
    Effect.gen(function* () {
      const { hover, pids, servers } = yield* begin({
        capabilities: hovers,
        exitsAtStart: { code: 3, words: "no licence", until: 1 },
        on: { "textDocument/hover": [{ do: "answer", result: { contents: "hello" } }] }
      })
      assert.strictEqual((yield* hover)?.contents.value, "hello")
      assert.strictEqual(pids().length, 2)
      const [state] = yield* servers.states
      assert.deepInclude(state, { phase: "ready", restarts: 1 })
      assert.include(state?.problem, "exited with code 3")
      assert.include(state?.problem, "no licence")
    })
  )

  it.live("that ends in the middle of a question is started again and asked again", () =>
    Effect.gen(function* () {
      const { hover, pids, received, servers, path, state } = yield* begin({
        capabilities: hovers,
        on: { "textDocument/hover": [{ do: "exit", code: 9, words: "out of memory" }] }
      })
      yield* servers.documents.open({ path, version: 7, text: "of the editor\n" })
      const { message, reason } = yield* Effect.flip(hover)
      // It ended twice: the question was asked once more, and failed then.
      assert.strictEqual(reason, "Ended")
      assert.include(message, "exited with code 9")
      assert.include(message, "out of memory")
      assert.strictEqual(pids().length, 2)
      yield* until(() => received().filter(({ method }) => method === "textDocument/didOpen").length >= 2)
      const opened = received().filter(({ method }) => method === "textDocument/didOpen")
      for (const { params } of opened)
        assert.deepInclude(params?.textDocument, { version: 7, text: "of the editor\n", languageId: "plaintext" })
      assert.include((yield* state)?.problem, "out of memory")
    })
  )

  it.live("that prints text between messages is ended, and its text is shown", () =>
    Effect.gen(function* () {
      const { hover, pids } = yield* begin({
        capabilities: hovers,
        on: { "textDocument/hover": [{ do: "write", text: "Debug: got a hover\n\r\n\r\n" }] }
      })
      const { message, reason } = yield* Effect.flip(hover)
      assert.strictEqual(reason, "Ended")
      assert.include(message, "Debug: got a hover")
      const [first] = pids()
      if (first !== undefined) yield* untilGone(first)
    })
  )

  it.live("that answers initialize with an error, or without capabilities, is no language server", () =>
    Effect.gen(function* () {
      const limits = { ready: Duration.millis(1) }
      const error = { do: "error", code: -32603, message: "no workspace" } as const
      for (const [action, words] of [
        [error, "answered initialize with an error: no workspace (-32603)"],
        [{ do: "answer", result: {} } as const, "answered initialize without capabilities"]
      ] as const) {
        const { folder, servers, state } = yield* begin({ on: { initialize: [action] } }, { limits })
        yield* Effect.exit(servers.forFile(join(folder, "a.txt")))
        let problem: string | undefined
        yield* Effect.repeat(
          Effect.map(state, (now) => (problem = now?.problem)),
          { until: (known) => known !== undefined }
        )
        assert.include(problem, words)
      }
    })
  )

  it.live("that never answers says what it waits for, and is cancelled in time", () =>
    Effect.gen(function* () {
      const silent = yield* begin(
        { on: { initialize: [{ do: "nothing" }] } },
        { limits: { ready: Duration.millis(1) } }
      )
      const waiting = yield* Effect.flip(silent.hover)
      assert.strictEqual(waiting.reason, "NotReady")
      assert.include(waiting.message, "Its program has not answered yet. Ask again soon.")
      const slow = yield* begin(
        { capabilities: hovers, on: { "textDocument/hover": [{ do: "nothing" }] } },
        { limits: { ready: Duration.minutes(1), answer: Duration.millis(1) } }
      )
      yield* slow.servers.forFile(slow.path)
      const late = yield* Effect.flip(slow.hover)
      assert.strictEqual(late.reason, "TimedOut")
      assert.include(late.message, "did not answer textDocument/hover within 0.001 s")
      yield* until(() => slow.received().some(({ method }) => method === "$/cancelRequest"))
    })
  )

  it.live("that reports work is waited for, and its progress is shown", () =>
    Effect.gen(function* () {
      const progress = (value: object) => ({ method: "$/progress", params: { token: 1, value } })
      const begun = progress({ kind: "begin", title: "Indexing", message: "src", percentage: 40 })
      const { folder, servers } = yield* begin(
        { capabilities: hovers, on: { initialized: [{ do: "send", messages: [begun] }] } },
        { limits: { ready: Duration.millis(50) } }
      )
      // The answer to `initialize` may be handled before the progress begins.
      const asked = Effect.match(servers.forFile(join(folder, "a.txt")), {
        onFailure: ({ message, reason }) => `${reason}: ${message}`,
        onSuccess: () => "ready"
      })
      const message = yield* Effect.repeat(asked, { until: (words) => words.includes("reads its project") })
      assert.include(message, "NotReady")
      assert.include(message, "It still reads its project: Indexing src (40 %)")
    })
  )

  it.live("that answers in wrong shapes has words, and what is malformed in a list is left out and counted", () =>
    Effect.gen(function* () {
      const range = { start: at(0, 0), end: at(0, 3) }
      const { path, servers, state } = yield* begin({
        capabilities: { hoverProvider: true, definitionProvider: {}, renameProvider: true, textDocumentSync: 1 },
        on: {
          "textDocument/hover": [{ do: "answer", result: { contents: 7 } }],
          "textDocument/definition": [
            {
              do: "answer",
              result: [{ uri: "file:///x", range }, { uri: 1 }, null, { uri: "file:///y", range: { start: -1 } }]
            },
            { do: "answer", result: "nowhere" }
          ],
          "textDocument/rename": [
            {
              do: "answer",
              result: { documentChanges: [{ textDocument: { uri: "file:///x", version: null }, edits: [{ range }] }] }
            }
          ]
        }
      })
      const [server] = yield* servers.forFile(path)
      if (server === undefined) return assert.fail("no server")
      const hover = yield* Effect.flip(server.hover(path, at(0, 0)))
      assert.strictEqual(hover.reason, "Malformed")
      assert.include(hover.message, "its contents are no text")
      const found = yield* server.definition(path, at(0, 0))
      assert.deepStrictEqual(
        found.map(({ path }) => path),
        ["/x"]
      )
      assert.deepInclude(yield* state, { malformed: 3 })
      assert.include((yield* state)?.malformedSample, "textDocument/definition [1]")
      assert.strictEqual((yield* Effect.flip(server.definition(path, at(0, 0)))).reason, "Malformed")
      // Of a change nothing is left out: a part of it would do harm.
      assert.strictEqual((yield* Effect.flip(server.rename(path, at(0, 0), "two"))).reason, "Malformed")
      assert.strictEqual((yield* Effect.flip(server.completion(path, at(0, 0)))).reason, "Unsupported")
    })
  )

  it.live("that answers what nobody asked, and registers nonsense, goes on answering", () =>
    Effect.gen(function* () {
      const nonsense = (id: number, method: string, params: unknown) => ({ id, method, params })
      const { hover, received, state } = yield* begin({
        capabilities: hovers,
        on: {
          "textDocument/hover": [
            {
              do: "send",
              messages: [
                { id: 4711, result: "nobody asked" },
                nonsense(1, "client/registerCapability", { registrations: [null, { id: 1 }, "x"] }),
                nonsense(2, "client/unregisterCapability", { unregisterations: [{ id: "never", method: "x" }] }),
                nonsense(3, "workspace/applyEdit", { edit: { changes: {} } }),
                nonsense(4, "workspace/configuration", { items: [{ section: "a" }, {}] }),
                nonsense(5, "window/workDoneProgress/create", { token: 1 }),
                nonsense(6, "window/showMessageRequest", { type: 1, message: "Restart?", actions: [{ title: "Yes" }] }),
                nonsense(7, "$/whatever", {}),
                nonsense(8, "workspace/workspaceFolders", null),
                { method: "$/unknown", params: {} },
                { method: "textDocument/publishDiagnostics", params: { uri: 1 } }
              ],
              result: { contents: "still here" }
            }
          ]
        }
      })
      assert.strictEqual((yield* hover)?.contents.value, "still here")
      // Every request has an answer.
      const answers = () =>
        new Map(received().flatMap((message) => (message.method === undefined ? [[message.id, message]] : [])))
      yield* until(() => answers().size === 8)
      const all = answers()
      const resultOf = (id: number) => all.get(id)?.result
      assert.deepStrictEqual([resultOf(1), resultOf(2), resultOf(5), resultOf(6)], [null, null, null, null])
      assert.strictEqual(resultOf(3)?.applied, false)
      assert.include(resultOf(3)?.failureReason, "applies no edits")
      assert.deepStrictEqual(resultOf(4), [null, null])
      assert.strictEqual(all.get(7)?.error?.code, -32601)
      assert.strictEqual(resultOf(8)?.length, 1)
      const known = yield* state
      assert.deepStrictEqual(known?.messages, ["error: Restart?"])
      assert.strictEqual(known?.malformed, 5)
    })
  )

  it.live("whose answer is overtaken by a change is asked again", () =>
    Effect.gen(function* () {
      const { hover } = yield* begin({
        capabilities: hovers,
        on: {
          "textDocument/hover": [
            { do: "error", code: -32801, message: "content modified" },
            { do: "error", code: -32802, message: "cancelled", data: { retriggerRequest: true } },
            { do: "answer", result: { contents: "third" } }
          ]
        }
      })
      assert.strictEqual((yield* hover)?.contents.value, "third")
    })
  )

  it.live("does not let a question wait for its limit when all are ended", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.txt": "" })
      const path = join(folder, "a.txt")
      const { definition, received } = yield* scripted({
        capabilities: { hoverProvider: true },
        on: { "textDocument/hover": [{ do: "nothing" }], shutdown: [{ do: "nothing" }] }
      })
      const scope = yield* Scope.make()
      const servers = yield* Scope.provide(
        serversFor(folder, { servers: [definition], limits: { ...patient, shutdown: Duration.millis(500) } }),
        scope
      )
      const [server] = yield* servers.forFile(path)
      if (server === undefined) return assert.fail("no server")
      const asked = yield* Effect.forkChild(Effect.flip(server.hover(path, { line: 0, character: 0 })))
      yield* until(() => received().some(({ method }) => method === "textDocument/hover"))
      const ending = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      // The server takes its time to end. Nobody who asks waits for that.
      const { message, reason } = yield* Fiber.join(asked)
      assert.deepStrictEqual(
        [reason, message],
        ["Ended", "The language servers were ended, as when their settings change. Ask again."]
      )
      assert.strictEqual((yield* Effect.flip(servers.forFile(path))).reason, "Ended")
      yield* Fiber.join(ending)
    })
  )

  it.live("leaves no process, also if it refuses to shut down, crashed, or never began", () =>
    Effect.gen(function* () {
      const limits = { shutdown: Duration.millis(50) }
      const hello = [{ do: "answer", result: { contents: "hello" } }] as const
      yield* leavesNothing({ capabilities: hovers, on: { "textDocument/hover": hello } })
      yield* leavesNothing({ capabilities: hovers, isDeaf: true, on: { "textDocument/hover": hello } }, limits)
      yield* leavesNothing(
        { isDeaf: true, on: { initialize: [{ do: "nothing" }] } },
        { ...limits, ready: Duration.millis(1) }
      )
    })
  )
})
