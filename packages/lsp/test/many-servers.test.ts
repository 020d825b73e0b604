/** Several servers: limits, idle ones, those that are given up, floods, and the ways to reach one. */
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { join } from "node:path"
import { groupExists, untilGone } from "../../process/test/support/Groups.ts"
import * as FileUri from "../src/FileUri.ts"
import { scripted, until } from "./support/Scripted.ts"
import { project, serversFor } from "./support/Servers.ts"

const at = (line: number, character: number) => ({ line, character })
const hovers = { hoverProvider: true, textDocumentSync: 1 }
const hello = [{ do: "answer", result: { contents: "hello" } }] as const

describe("language servers", () => {
  it.live("that run are no more than the limit, and the one that was asked longest ago ends first", () =>
    Effect.gen(function* () {
      const folder = yield* project({
        "a/mark": "",
        "a/a.txt": "",
        "b/mark": "",
        "b/b.txt": "",
        "c/mark": "",
        "c/c.txt": ""
      })
      const { definition, pids } = yield* scripted(
        { capabilities: hovers, on: { "textDocument/hover": hello } },
        { rootMarkers: ["mark"] }
      )
      const servers = yield* serversFor(folder, { servers: [definition], mostServers: 2 })
      const [a, b, c] = [join(folder, "a/a.txt"), join(folder, "b/b.txt"), join(folder, "c/c.txt")]
      const [first] = yield* servers.forFile(a)
      yield* servers.forFile(b)
      yield* servers.forFile(a)
      assert.strictEqual(pids().length, 2)
      yield* servers.forFile(c)
      const states = yield* servers.states
      assert.deepStrictEqual(
        states.map(({ root }) => root),
        [join(folder, "a"), join(folder, "c")]
      )
      assert.deepStrictEqual(pids().map(groupExists), [true, false, true])
      // What was handed out before still works: it starts its server again, and another one ends.
      assert.strictEqual((yield* first?.hover(a, at(0, 0)) ?? Effect.undefined)?.contents.value, "hello")
      yield* servers.forFile(b)
      assert.strictEqual(pids().filter(groupExists).length, 2)
    })
  )

  it.live("hear of their own root, and of no other folder", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a/mark": "", "a/a.txt": "" })
      const messages = [{ id: 1, method: "workspace/workspaceFolders" }]
      const { definition, received } = yield* scripted(
        { capabilities: hovers, on: { "textDocument/hover": [{ do: "send", messages, result: null }] } },
        { rootMarkers: ["mark"] }
      )
      const servers = yield* serversFor(folder, { servers: [definition] })
      const [server] = yield* servers.forFile(join(folder, "a/a.txt"))
      if (server === undefined) return assert.fail("no server")
      yield* server.hover(join(folder, "a/a.txt"), at(0, 0))
      const answer = () => received().find(({ id, method }) => id === 1 && method === undefined)
      yield* until(() => answer() !== undefined)
      const own = [{ uri: FileUri.of(join(folder, "a")), name: "a" }]
      assert.deepStrictEqual(answer()?.result, own)
      assert.deepInclude(received()[0]?.params, { workspaceFolders: own })
    })
  )

  it.live("that nobody asks are ended after a while", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.txt": "" })
      const { definition, pids, received } = yield* scripted({ capabilities: hovers })
      const servers = yield* serversFor(folder, { servers: [definition], idle: Duration.millis(1) })
      yield* servers.forFile(join(folder, "a.txt"))
      const [pid] = pids()
      if (pid === undefined) return assert.fail("not started")
      yield* untilGone(pid)
      // It was ended politely.
      assert.deepStrictEqual(
        received()
          .slice(-2)
          .map(({ method }) => method),
        ["shutdown", "exit"]
      )
      assert.deepStrictEqual(yield* servers.states, [])
    })
  )

  it.effect("stay while somebody types, and are ended when nobody does so any more", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.txt": "" })
      const path = join(folder, "a.txt")
      const { definition } = yield* scripted({ capabilities: hovers })
      const servers = yield* serversFor(folder, { servers: [definition], idle: Duration.minutes(10) })
      yield* servers.forFile(path)
      const phases = Effect.map(servers.states, (states) => states.map(({ phase }) => phase))
      yield* TestClock.adjust("9 minutes")
      yield* servers.documents.open({ path, version: 1, text: "one" })
      yield* TestClock.adjust("9 minutes")
      assert.deepStrictEqual(yield* phases, ["ready"])
      yield* servers.documents.change(path, 2, [{ text: "two" }])
      yield* TestClock.adjust("9 minutes")
      assert.deepStrictEqual(yield* phases, ["ready"])
      // A file of another language is nothing to it, and what happens on the disk is nobody who types.
      yield* servers.documents.open({ path: join(folder, "b.ts"), version: 1, text: "" })
      yield* servers.documents.changedOnDisk([{ path, kind: "changed" }])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* phases, [])
    })
  )

  it.effect("that end again and again are given up, with words, and tried again later", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.txt": "" })
      const { definition, pids } = yield* scripted({
        exitsAtStart: { code: 4, words: "broken", until: 5 },
        capabilities: hovers
      })
      const servers = yield* serversFor(folder, {
        servers: [definition],
        limits: { ready: Duration.days(1), start: Duration.days(1) }
      })
      const asked = yield* Effect.forkChild(Effect.flip(servers.forFile(join(folder, "a.txt"))))
      // The clock goes on only while the server waits to be started again.
      yield* servers.changes.pipe(
        Stream.tap(({ phase }) => (phase === "restarting" ? TestClock.adjust("31 seconds") : Effect.void)),
        Stream.takeUntil(({ phase }) => phase === "given-up"),
        Stream.runDrain
      )
      assert.strictEqual(pids().length, 5)
      const [state] = yield* servers.states
      assert.deepInclude(state, { phase: "given-up", restarts: 4 })
      assert.include(state?.problem, "broken")
      assert.include(state?.problem, "It ended 5 times in a short time")
      const { reason } = yield* Effect.flip(servers.forFile(join(folder, "a.txt")))
      assert.strictEqual(reason, "GivenUp")
      yield* TestClock.adjust("5 minutes")
      const [server] = yield* servers.forFile(join(folder, "a.txt"))
      assert.strictEqual(server?.id, "scripted")
      assert.strictEqual((yield* Fiber.join(asked)).reason, "GivenUp")
    })
  )

  it.live("that flood us with notifications, findings and long answers are read to their end", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.txt": "one\n" })
      const path = join(folder, "a.txt")
      const message = { method: "window/showMessage", params: { type: 3, message: "x".repeat(100) } }
      const { definition } = yield* scripted({
        capabilities: hovers,
        on: {
          "textDocument/hover": [
            { do: "flood", message, count: 100_000 },
            { do: "publish", uri: FileUri.of(path), count: 10_000, version: 1 },
            { do: "long", length: 5_000_000 },
            ...hello
          ]
        }
      })
      const servers = yield* serversFor(folder, { servers: [definition] })
      const [server] = yield* servers.forFile(path)
      if (server === undefined) return assert.fail("no server")
      assert.isUndefined(yield* server.hover(path, at(0, 0)))
      const [state] = yield* servers.states
      assert.strictEqual(state?.messages.length, 20)
      assert.isUndefined(yield* server.hover(path, at(0, 0)))
      yield* until(() => servers.diagnostics.known(path).length > 0)
      const [findings] = servers.diagnostics.known(path)
      assert.strictEqual(findings?.items.length, 10_000)
      assert.isTrue(findings?.isCurrent)
      assert.match(findings?.items[9_999]?.message ?? "", /^finding 9999/)
      const long = yield* server.hover(path, at(0, 0))
      assert.isBelow(long?.contents.value.length ?? Infinity, 70_000)
      assert.strictEqual((yield* server.hover(path, at(0, 0)))?.contents.value, "hello")
    })
  )

  it.live("publish about versions: an older one is left out, and one that was never sent is counted", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.txt": "" })
      const path = join(folder, "a.txt")
      const uri = FileUri.of(path)
      const { definition } = yield* scripted({
        capabilities: hovers,
        on: {
          "textDocument/hover": [
            { do: "publish", uri, count: 1, version: 3 },
            { do: "publish", uri, count: 2, version: 2 },
            { do: "publish", uri, count: 3, version: 99 },
            ...hello
          ]
        }
      })
      const servers = yield* serversFor(folder, { servers: [definition] })
      yield* servers.documents.open({ path, version: 3, text: "one\n" })
      const [server] = yield* servers.forFile(path)
      if (server === undefined) return assert.fail("no server")
      for (let count = 0; count < 4; count++) yield* server.hover(path, at(0, 0))
      assert.deepStrictEqual(
        servers.diagnostics.known(path).map(({ isCurrent, items, version }) => [items.length, version, isCurrent]),
        [[1, 3, true]]
      )
      assert.deepInclude((yield* servers.states)[0], { malformed: 1 })
      yield* servers.documents.change(path, 4, [{ text: "two\n" }])
      assert.deepStrictEqual(
        servers.diagnostics.known(path).map(({ isCurrent }) => isCurrent),
        [false]
      )
    })
  )

  for (const transport of ["pipe", "tcp"] as const)
    it.live(`are reached over ${transport}, whatever they print`, () =>
      Effect.gen(function* () {
        const folder = yield* project({ "a.txt": "" })
        const { definition, received } = yield* scripted(
          { capabilities: hovers, on: { "textDocument/hover": hello } },
          { transport }
        )
        const servers = yield* serversFor(folder, { servers: [definition] })
        const path = join(folder, "a.txt")
        const [server] = yield* servers.forFile(path)
        assert.strictEqual((yield* server?.hover(path, at(0, 0)) ?? Effect.undefined)?.contents.value, "hello")
        assert.strictEqual(received()[0]?.method, "initialize")
      })
    )
})
