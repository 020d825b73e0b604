/** A question may suppose another text of a file. Nothing else of the server is about that text. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { join } from "node:path"
import * as FileUri from "../src/FileUri.ts"
import { scripted, until } from "./support/Scripted.ts"
import { project, serversFor } from "./support/Servers.ts"

const at = (line: number, character: number) => ({ line, character })

describe("a supposed text", () => {
  it.live("is seen by no other question, has no findings, and is never saved", () =>
    Effect.gen(function* () {
      const folder = yield* project({ "a.txt": "one\n" })
      const path = join(folder, "a.txt")
      const diagnostics = [{ range: { start: at(0, 0), end: at(0, 1) }, message: "supposed" }]
      const found = {
        method: "textDocument/publishDiagnostics",
        params: { uri: FileUri.of(path), version: 4, diagnostics }
      }
      const { definition, received } = yield* scripted({
        capabilities: {
          hoverProvider: true,
          textDocumentSync: { openClose: true, change: 1, save: { includeText: true } }
        },
        on: {
          "textDocument/didOpen": [{ do: "nothing" }, { do: "send", messages: [found] }, { do: "nothing" }],
          "textDocument/hover": [{ do: "nothing" }, { do: "answer", result: null }]
        }
      })
      const servers = yield* serversFor(folder, { servers: [definition] })
      yield* servers.documents.open({ path, version: 5, text: "one\n" })
      const [server] = yield* servers.forFile(path)
      if (server === undefined) return assert.fail("no server")
      const questions = () => received().filter(({ method }) => method === "textDocument/hover").length
      const supposing = yield* Effect.forkScoped(server.supposing(path, "two\n").hover(path, at(0, 0)))
      yield* until(() => questions() === 1)
      const other = yield* Effect.forkScoped(server.hover(path, at(0, 0)))
      yield* servers.documents.save(path)
      yield* until(() => received().some(({ method }) => method === "textDocument/didSave"))
      assert.strictEqual(questions(), 1)
      yield* Fiber.interrupt(supposing)
      yield* Fiber.join(other)
      assert.deepStrictEqual(servers.diagnostics.known(path), [])
      const texts = received().flatMap(({ method, params }) => {
        const { text, textDocument } = { text: undefined, ...params }
        const opened = textDocument !== undefined && "text" in textDocument ? textDocument.text : undefined
        return method?.startsWith("textDocument/did") === true ? [[method.slice(13), text ?? opened]] : []
      })
      assert.deepStrictEqual(texts, [
        ["didOpen", "one\n"],
        ["didClose", undefined],
        ["didOpen", "two\n"],
        ["didClose", undefined],
        ["didOpen", "one\n"],
        ["didSave", "one\n"]
      ])
    })
  )
})
