/** What goes over the wire between us and a server: questions, settings, registrations, files that change, and edits. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as FileUri from "../src/FileUri.ts"
import type { EditWish } from "../src/running/Incoming.ts"
import type * as LanguageServers from "../src/servers/LanguageServers.ts"
import { scripted, until } from "./support/Scripted.ts"
import type { Script } from "./support/scripted-server.ts"
import { project, serversFor } from "./support/Servers.ts"

const at = (line: number, character: number) => ({ line, character })
const hello = [{ do: "answer", result: { contents: "hello" } }] as const

type More = Omit<LanguageServers.Options, "folders" | "ledger" | "servers"> & { readonly settings?: unknown }

/** A server that is ready, for a folder with two files. */
const begin = Effect.fnUntraced(function* (script: Script, { settings, ...more }: More = {}) {
  const folder = yield* project({ "a.txt": "é😀one\n", "b.txt": "two\n" })
  const noted = yield* scripted(
    { ...script, capabilities: { textDocumentSync: 2, hoverProvider: true, ...script.capabilities } },
    { settings }
  )
  const servers = yield* serversFor(folder, { servers: [noted.definition], ...more })
  const path = join(folder, "a.txt")
  const [server] = yield* servers.forFile(path)
  if (server === undefined) return yield* Effect.die("no server")
  const paramsOf = (method: string) => noted.received().flatMap((each) => (each.method === method ? [each.params] : []))
  const answerOf = (id: number) => noted.received().find((each) => each.id === id && each.method === undefined)
  return { ...noted, folder, path, other: join(folder, "b.txt"), server, servers, paramsOf, answerOf }
})

describe("a server that begins", () => {
  it.live("learns our process id, so that it ends with us, and may be as old as version 3.15", () =>
    Effect.gen(function* () {
      // Old servers say how they take documents in a number, and nothing of positions.
      const { folder, paramsOf, path, server } = yield* begin({ on: { "textDocument/hover": hello } })
      assert.deepInclude(paramsOf("initialize")[0], { processId: process.pid, rootUri: FileUri.of(folder) })
      assert.strictEqual((yield* server.hover(path, at(0, 0)))?.contents.value, "hello")
    })
  )
})

describe("a question to a language server", () => {
  it.live("is cancelled when nobody waits for its answer any more", () =>
    Effect.gen(function* () {
      const { paramsOf, path, server } = yield* begin({ on: { "textDocument/hover": [{ do: "nothing" }] } })
      const asked = yield* Effect.forkChild(server.hover(path, at(0, 0)))
      yield* until(() => paramsOf("textDocument/hover").length === 1)
      yield* Fiber.interrupt(asked)
      yield* until(() => paramsOf("$/cancelRequest").length === 1)
    })
  )

  it.live("counts places as the server does, and its answer counts them in UTF-16 again", () =>
    Effect.gen(function* () {
      const range = (from: number, to: number) => ({ start: at(0, from), end: at(0, to) })
      const { paramsOf, path, server, servers } = yield* begin({
        capabilities: { positionEncoding: "utf-8" },
        on: { "textDocument/hover": [{ do: "answer", result: { contents: "x", range: range(2, 6) } }] }
      })
      const hover = yield* server.hover(path, at(0, 3))
      assert.deepInclude(paramsOf("textDocument/hover")[0], { position: at(0, 6) })
      assert.deepStrictEqual(hover?.range, range(1, 3))
      yield* servers.documents.open({ path, version: 1, text: "é😀one\n" })
      yield* servers.documents.change(path, 2, [{ range: range(3, 6), text: "two" }])
      yield* until(() => paramsOf("textDocument/didChange").length === 1)
      assert.deepInclude(paramsOf("textDocument/didChange")[0], {
        contentChanges: [{ range: range(6, 9), text: "two" }]
      })
    })
  )

  it.live("is asked about every open file as it is on the disk now", () =>
    Effect.gen(function* () {
      const { other, paramsOf, path, server } = yield* begin({ on: { "textDocument/hover": hello } })
      yield* server.hover(path, at(0, 0))
      yield* server.hover(other, at(0, 0))
      writeFileSync(path, "changed\n")
      rmSync(other)
      yield* server.hover(path, at(0, 0))
      const textOf = (params: object | undefined) => JSON.stringify(params)
      assert.include(textOf(paramsOf("textDocument/didOpen").at(-1)), "changed")
      assert.include(textOf(paramsOf("textDocument/didClose").map(textOf)), FileUri.of(other))
      const { message } = yield* Effect.flip(server.hover(other, at(0, 0)))
      assert.include(message, "b.txt does not exist")
    })
  )
})

describe("a language server", () => {
  const registration = (id: string, method: string, registerOptions?: object) => ({ id, method, registerOptions })

  it.live("gets its settings by section, as many values as it asks for", () =>
    Effect.gen(function* () {
      const items = [{ section: "tool.deep" }, { section: "tool" }, { section: "none" }, { section: "dotted.name" }, {}]
      const settings = { tool: { deep: 1 }, "dotted.name": true }
      const { answerOf, paramsOf, path, server } = yield* begin(
        {
          on: {
            "textDocument/hover": [
              { do: "send", messages: [{ id: 1, method: "workspace/configuration", params: { items } }], result: null }
            ]
          }
        },
        { settings }
      )
      yield* server.hover(path, at(0, 0))
      yield* until(() => answerOf(1) !== undefined)
      assert.deepStrictEqual(answerOf(1)?.result, [1, { deep: 1 }, null, true, settings] as object)
      assert.deepInclude(paramsOf("workspace/didChangeConfiguration")[0], { settings })
    })
  )

  it.live("offers later what it registers, for the documents that it names, until it takes that back", () =>
    Effect.gen(function* () {
      const documentSelector = [{ language: "plaintext", pattern: "**/a.*" }]
      const register = { registrations: [registration("1", "textDocument/definition", { documentSelector })] }
      const unregister = { unregisterations: [{ id: "1", method: "textDocument/definition" }] }
      const { answerOf, other, path, server } = yield* begin({
        on: {
          "textDocument/hover": [
            { do: "send", messages: [{ id: 1, method: "client/registerCapability", params: register }], result: null },
            {
              do: "send",
              messages: [{ id: 2, method: "client/unregisterCapability", params: unregister }],
              result: null
            }
          ],
          "textDocument/definition": [{ do: "answer", result: null }]
        }
      })
      const asked = (file: string) =>
        Effect.match(server.definition(file, at(0, 0)), {
          onFailure: ({ reason }) => reason,
          onSuccess: () => "answered"
        })
      assert.strictEqual(yield* asked(path), "Unsupported")
      yield* server.hover(path, at(0, 0))
      yield* until(() => answerOf(1) !== undefined)
      assert.strictEqual(yield* asked(path), "answered")
      assert.strictEqual(yield* asked(other), "Unsupported")
      yield* server.hover(path, at(0, 0))
      yield* until(() => answerOf(2) !== undefined)
      assert.strictEqual(yield* asked(path), "Unsupported")
    })
  )

  it.live("hears of files that change on the disk, by the globs that it has registered", () =>
    Effect.gen(function* () {
      const watchers = [{ globPattern: "**/*.{toml,txt}", kind: 6 }]
      const register = { registrations: [registration("w", "workspace/didChangeWatchedFiles", { watchers })] }
      const { answerOf, folder, other, paramsOf, path, server, servers } = yield* begin({
        on: {
          "textDocument/hover": [
            { do: "send", messages: [{ id: 1, method: "client/registerCapability", params: register }], result: null }
          ]
        }
      })
      yield* server.hover(path, at(0, 0))
      yield* until(() => answerOf(1) !== undefined)
      yield* servers.documents.changedOnDisk([
        { path, kind: "changed" },
        { path: other, kind: "deleted" },
        { path: join(folder, "x.ts"), kind: "changed" },
        { path: join(folder, "new.txt"), kind: "created" },
        { path: join(`${folder}-beside`, "a.txt"), kind: "changed" }
      ])
      const method = "workspace/didChangeWatchedFiles"
      yield* until(() => paramsOf(method).length === 1)
      const changes = [
        { uri: FileUri.of(path), type: 2 },
        { uri: FileUri.of(other), type: 3 }
      ]
      assert.deepStrictEqual(paramsOf(method)[0], { changes })
    })
  )

  it.live("that wants to change files is refused, unless somebody decides about it", () =>
    Effect.gen(function* () {
      const wishes: Array<EditWish> = []
      const edit = { changes: { "file:///x": [] } }
      const script: Script = {
        capabilities: { executeCommandProvider: { commands: ["fix"] } },
        on: {
          "workspace/executeCommand": [
            {
              do: "send",
              messages: [{ id: 1, method: "workspace/applyEdit", params: { label: "Fix", edit } }],
              result: 7
            }
          ]
        }
      }
      const refusing = yield* begin(script)
      assert.strictEqual(yield* refusing.server.executeCommand("fix"), 7)
      yield* until(() => refusing.answerOf(1) !== undefined)
      assert.strictEqual(refusing.answerOf(1)?.result?.applied, false)
      const claimed = (params: unknown) => JSON.stringify(params).includes('"applyEdit":true')
      assert.isFalse(refusing.paramsOf("initialize").some(claimed))
      const asking = yield* begin(script, {
        onEdit: (wish) => Effect.sync(() => (wishes.push(wish), { applied: true }))
      })
      yield* asking.server.executeCommand("fix")
      yield* until(() => asking.answerOf(1) !== undefined)
      assert.strictEqual(asking.answerOf(1)?.result?.applied, true)
      assert.deepStrictEqual(
        wishes.map(({ edit, label, server }) => ({ edit, label, server })),
        [{ edit, label: "Fix", server: "scripted" }]
      )
    })
  )

  it.live("is asked before a file is saved if it wants that, and hears of the save", () =>
    Effect.gen(function* () {
      const edit = { range: { start: at(0, 0), end: at(0, 0) }, newText: "// " }
      const { paramsOf, path, server, servers } = yield* begin({
        capabilities: {
          textDocumentSync: {
            openClose: true,
            change: 1,
            willSave: true,
            willSaveWaitUntil: true,
            save: { includeText: true }
          }
        },
        on: { "textDocument/willSaveWaitUntil": [{ do: "answer", result: [edit] }] }
      })
      yield* servers.documents.open({ path, version: 1, text: "one" })
      yield* servers.documents.willSave(path)
      assert.deepStrictEqual(yield* server.beforeSave(path), [edit])
      yield* servers.documents.save(path)
      yield* until(() => paramsOf("textDocument/didSave").length === 1)
      assert.deepInclude(paramsOf("textDocument/didSave")[0], { text: "one" })
      assert.strictEqual(paramsOf("textDocument/willSave").length, 1)
      const plain = yield* begin({})
      assert.deepStrictEqual(yield* plain.server.beforeSave(plain.path), [])
    })
  )

  it.live("that has colours in numbers is read, also when only changes come", () =>
    Effect.gen(function* () {
      const legend = { tokenTypes: ["word", "number"], tokenModifiers: ["old", "new"] }
      const { path, server } = yield* begin({
        capabilities: { semanticTokensProvider: { legend, full: { delta: true } } },
        on: {
          "textDocument/semanticTokens/full": [
            { do: "answer", result: { resultId: "1", data: [0, 1, 2, 0, 2, 1, 3, 4, 1, 3] } }
          ],
          "textDocument/semanticTokens/full/delta": [
            { do: "answer", result: { resultId: "2", edits: [{ start: 5, deleteCount: 5, data: [2, 0, 1, 9, 0] }] } },
            { do: "answer", result: { resultId: "3", edits: [{ start: 9, deleteCount: 99 }] } }
          ]
        }
      })
      const first = yield* server.semanticTokens(path)
      const token = (line: number, from: number, to: number, type: string, ...modifiers: ReadonlyArray<string>) => ({
        range: { start: at(line, from), end: at(line, to) },
        type,
        modifiers
      })
      assert.deepStrictEqual(first.items, [token(0, 1, 3, "word", "new"), token(1, 3, 7, "number", "old", "new")])
      const second = yield* server.changedSemanticTokens(path, first)
      assert.deepStrictEqual(second.items, [token(0, 1, 3, "word", "new"), token(2, 0, 1, "unknown")])
      assert.strictEqual((yield* Effect.flip(server.changedSemanticTokens(path, second))).reason, "Malformed")
    })
  )

  it.live("is overheard by a tap, in both directions and in order", () =>
    Effect.gen(function* () {
      const heard: Array<string> = []
      const { path, server } = yield* begin(
        { on: { "textDocument/hover": hello } },
        {
          tap: ({ direction, server, text }) =>
            heard.push(`${server} ${direction} ${JSON.parse(text).method ?? "answer"}`)
        }
      )
      yield* server.hover(path, at(0, 0))
      assert.deepStrictEqual(heard.slice(0, 3), [
        "scripted out initialize",
        "scripted in answer",
        "scripted out initialized"
      ])
      assert.include(heard, "scripted out textDocument/hover")
    })
  )
})
