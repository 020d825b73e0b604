/** Findings of servers: those that they publish, those that they are asked for, and the bounds of what is kept. */
import { assert, describe, it } from "@effect/vitest"
import * as Lenient from "@signalbox/acp/Lenient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as FileUri from "../src/FileUri.ts"
import { scripted, until } from "./support/Scripted.ts"
import { project, serversFor } from "./support/Servers.ts"

const at = (line: number, character: number) => ({ line, character })
const hovers = { hoverProvider: true, textDocumentSync: 1 }

describe("findings of language servers", () => {
  it.live("are asked for, about one file, and come with those of others in the folders", () =>
    Effect.gen(function* () {
      const finding = (message: string) => ({ range: { start: at(0, 0), end: at(0, 1) }, message })
      const folder = yield* project({ "a.txt": "one\n", "b.txt": "two\n" })
      const [path, other] = [join(folder, "a.txt"), join(folder, "b.txt")]
      const related = { kind: "full", items: [finding("three")] }
      const refresh = { id: 1, method: "workspace/diagnostic/refresh" }
      const { definition } = yield* scripted({
        capabilities: {
          hoverProvider: true,
          diagnosticProvider: { identifier: "lint", interFileDependencies: true, workspaceDiagnostics: false }
        },
        on: {
          "textDocument/hover": [{ do: "send", messages: [refresh], result: null }],
          "textDocument/diagnostic": [
            {
              do: "answer",
              result: {
                kind: "full",
                items: [finding("one"), finding("two")],
                relatedDocuments: { [FileUri.of(other)]: related, [FileUri.of("/elsewhere.txt")]: related }
              }
            }
          ]
        }
      })
      const servers = yield* serversFor(folder, { servers: [definition] })
      const { found, waitingFor } = yield* servers.diagnostics.of(path)
      assert.deepStrictEqual(waitingFor, [])
      assert.deepStrictEqual(
        found.flatMap(({ items }) => items.map(({ message, severity }) => `${severity} ${message}`)),
        ["error one", "error two"]
      )
      assert.deepStrictEqual(
        (yield* servers.diagnostics.all).map(({ isCurrent, items, path }) => [path, items.length, isCurrent]),
        [
          [path, 2, true],
          [other, 1, true]
        ]
      )
      // It wants to be asked anew.
      const [server] = yield* servers.forFile(path)
      yield* server?.hover(path, at(0, 0)) ?? Effect.void
      yield* until(() => servers.diagnostics.known(path).every(({ isCurrent }) => !isCurrent))
      assert.isFalse(servers.diagnostics.known(other)[0]?.isCurrent)
      assert.isTrue((yield* servers.diagnostics.of(path)).found[0]?.isCurrent)
    })
  )

  it.live("are asked for as soon as a server offers it, while somebody waits", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.txt": "one\n" })
      const registrations = [{ id: "late", method: "textDocument/diagnostic", registerOptions: {} }]
      const offering = { id: 1, method: "client/registerCapability", params: { registrations } }
      const items = [{ range: { start: at(0, 0), end: at(0, 1) }, message: "wrong" }]
      const { definition } = yield* scripted({
        capabilities: { textDocumentSync: 1 },
        on: {
          "textDocument/didOpen": [{ do: "send", messages: [offering] }],
          "textDocument/diagnostic": [{ do: "answer", result: { kind: "full", items } }]
        }
      })
      const servers = yield* serversFor(folder, { servers: [definition] })
      const { found, waitingFor } = yield* servers.diagnostics.of(join(folder, "a.txt"), { within: "1 minute" })
      assert.deepStrictEqual([waitingFor, found.length], [[], 1])
    })
  )

  it.live("in all files are about what is on the disk now", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.txt": "one\n", "b.txt": "one\n" })
      const [path, other] = [join(folder, "a.txt"), join(folder, "b.txt")]
      const wrong = { range: { start: at(0, 0), end: at(0, 1) }, message: "wrong" }
      const report = (...items: ReadonlyArray<object>) => ({ do: "answer", result: { kind: "full", items } }) as const
      const { definition } = yield* scripted({
        capabilities: {
          textDocumentSync: 1,
          diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false }
        },
        on: { "textDocument/diagnostic": [report(wrong), report(wrong), report()] }
      })
      const servers = yield* serversFor(folder, { servers: [definition] })
      yield* servers.diagnostics.of(path)
      yield* servers.diagnostics.of(other)
      writeFileSync(path, "mended\n")
      rmSync(other)
      const found = yield* servers.diagnostics.everywhere({ within: "1 minute" })
      assert.deepStrictEqual(
        found.map(({ isCurrent, items, path }) => [path, isCurrent, items.length]),
        [[path, true, 0]]
      )
    })
  )

  it.live("are asked for anew when something changes that an editor has open, and may be unchanged", () =>
    Effect.gen(function* () {
      const finding = (message: string) => ({ range: { start: at(0, 0), end: at(0, 1) }, message })
      const folder = yield* project({ "a.txt": "", "b.txt": "" })
      const [path, other] = [join(folder, "a.txt"), join(folder, "b.txt")]
      const refresh = { id: 1, method: "workspace/diagnostic/refresh" }
      const { definition, received } = yield* scripted({
        capabilities: {
          textDocumentSync: 1,
          hoverProvider: true,
          diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: true }
        },
        on: {
          "textDocument/hover": [{ do: "send", messages: [refresh], result: null }],
          "textDocument/diagnostic": [
            { do: "answer", result: { kind: "full", resultId: "1", items: [finding("one")] } },
            { do: "answer", result: { kind: "unchanged", resultId: "2" } },
            { do: "answer", result: { kind: "full", items: [] } },
            { do: "error", code: -32603, message: "broken" },
            { do: "answer", result: { kind: "full", resultId: "3", items: [finding("two")] } }
          ],
          "workspace/diagnostic": [
            {
              do: "answer",
              result: {
                items: [
                  { kind: "full", uri: FileUri.of(other), version: null, items: [finding("three")] },
                  { kind: "unchanged", uri: FileUri.of(path), version: 4, resultId: "4" }
                ]
              }
            }
          ]
        }
      })
      const servers = yield* serversFor(folder, { servers: [definition] })
      const asked = () =>
        received().flatMap(({ method, params }) =>
          method === "textDocument/diagnostic" && params !== undefined && "previousResultId" in params
            ? [params.previousResultId]
            : method === "textDocument/diagnostic"
              ? [undefined]
              : []
        )
      const known = () =>
        servers.diagnostics
          .known(path)
          .map(({ isCurrent, items, version }) => [version, isCurrent, ...items.map(({ message }) => message)])
      const becomes = (...expected: ReadonlyArray<unknown>) =>
        until(() => JSON.stringify(known()) === JSON.stringify([expected]))
      // Nobody asks: an editor has it open.
      yield* servers.documents.open({ path, version: 1, text: "one" })
      const [server] = yield* servers.forFile(path)
      if (server === undefined) return assert.fail("no server")
      yield* becomes(1, true, "one")
      yield* servers.documents.change(path, 2, [{ text: "two" }])
      yield* becomes(2, true, "one")
      // The server reads another file, which this one may depend on.
      yield* server.request({
        method: "textDocument/hover",
        params: {},
        path: other,
        reader: Lenient.reader(Schema.Unknown)
      })
      yield* becomes(2, true)
      // It fails, and is asked again after the next change only.
      yield* servers.documents.change(path, 3, [{ text: "three" }])
      yield* until(() => asked().length === 4)
      yield* servers.documents.change(path, 4, [{ text: "four" }])
      yield* becomes(4, true, "two")
      assert.deepStrictEqual(asked(), [undefined, "1", "2", undefined, undefined])
      const everywhere = yield* servers.diagnostics.everywhere()
      assert.deepStrictEqual(
        everywhere.map(({ items, path }) => [path, ...items.map(({ message }) => message)]),
        [
          [path, "two"],
          [other, "three"]
        ]
      )
      const [params] = received().flatMap((each) => (each.method === "workspace/diagnostic" ? [each.params] : []))
      assert.deepStrictEqual(params, { previousResultIds: [{ uri: FileUri.of(path), value: "3" }] })
    })
  )

  it.live("of two servers about one file stand side by side, and each takes back only its own", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.txt": "" })
      const path = join(folder, "a.txt")
      const uri = FileUri.of(path)
      const publishing = (id: string, name: string, ...counts: ReadonlyArray<number>) =>
        scripted(
          {
            capabilities: hovers,
            on: { "textDocument/hover": counts.map((count) => ({ do: "publish", uri, count, length: 10 })) }
          },
          { id, name }
        )
      const one = yield* publishing("one", "One", 1, 0)
      const two = yield* publishing("two", "Two", 2)
      const servers = yield* serversFor(folder, { servers: [one.definition, two.definition] })
      const counted = () => servers.diagnostics.known(path).map(({ items, server }) => `${server}: ${items.length}`)
      const ask = Effect.flatMap(servers.forFile(path), (all) =>
        Effect.forEach(all, (server) => server.hover(path, at(0, 0)))
      )
      const are = (...wanted: ReadonlyArray<string>) => until(() => counted().join() === wanted.join())
      yield* ask
      yield* are("one: 1", "two: 2")
      yield* ask
      yield* are("one: 0", "two: 2")
      // The end of one takes nothing of the other along.
      const [pid = assert.fail("it runs")] = two.pids()
      process.kill(pid, "SIGKILL")
      yield* are("one: 0")
    })
  )

  it.live("about files outside of the folders are not kept", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.txt": "" })
      const path = join(folder, "a.txt")
      const { definition } = yield* scripted({
        capabilities: hovers,
        on: {
          "textDocument/hover": [
            { do: "publish", uri: "file:///elsewhere.txt", count: 1 },
            { do: "publish", uri: FileUri.of(`${folder}-beside/a.txt`), count: 1 },
            { do: "publish", uri: FileUri.of(join(folder, "b.txt")), count: 1 }
          ]
        }
      })
      const servers = yield* serversFor(folder, { servers: [definition] })
      const [server] = yield* servers.forFile(path)
      if (server === undefined) return assert.fail("no server")
      for (let count = 0; count < 3; count++) yield* server.hover(path, at(0, 0))
      assert.deepStrictEqual(
        (yield* servers.diagnostics.all).map(({ path }) => path),
        [join(folder, "b.txt")]
      )
    })
  )

  it.live("that are too many are counted, and the first ones stay", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.txt": "" })
      const path = join(folder, "a.txt")
      const uri = FileUri.of(path)
      const { definition } = yield* scripted({
        capabilities: hovers,
        on: {
          "textDocument/hover": [
            { do: "publish", uri, count: 300, version: 1, length: 8192 },
            { do: "publish", uri, count: 20_003, version: 1, length: 10 },
            { do: "publish", uri, count: 1, version: 1, length: 10_000 }
          ]
        }
      })
      const servers = yield* serversFor(folder, { servers: [definition] })
      const [server] = yield* servers.forFile(path)
      if (server === undefined) return assert.fail("no server")
      const published = Effect.map(server.hover(path, at(0, 0)), () =>
        servers.diagnostics.known(path).map(({ items, leftOut }) => [items.length, leftOut])
      )
      // 256 messages of 8192 characters are 2 MiB.
      assert.deepStrictEqual(yield* published, [[256, 44]])
      assert.deepStrictEqual(yield* published, [[20_000, 3]])
      assert.deepStrictEqual(yield* published, [[1, 0]])
      assert.strictEqual(servers.diagnostics.known(path)[0]?.items[0]?.message.length, 8193)
    })
  )
})
