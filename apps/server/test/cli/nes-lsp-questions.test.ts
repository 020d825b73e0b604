/** `signalbox nes lsp`: when the agent is asked, what it hears of suggestions that nobody accepts, and of texts. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type * as LspEditor from "./support/LspEditor.ts"
import { at, insertion, jump, opened, span, text } from "./support/LspWorkspace.ts"

describe("signalbox nes lsp, what was not accepted", () => {
  for (const { end, name } of [
    { name: "a closed document", end: (editor: LspEditor.LspEditor, uri: string) => editor.close(uri) },
    { name: "the end of the editor", end: () => Effect.void }
  ])
    it.live(`is reported as ignored at ${name}`, () =>
      Effect.gen(function* () {
        const { agent, editor, uri } = yield* opened({ answers: (uri) => [[insertion(uri), jump(uri)]] })
        yield* editor.complete(uri, at(2, 15))
        yield* end(editor, uri)
        yield* editor.leave
        assert.deepStrictEqual(agent.ends(), [
          ["nes/reject", "insertion", "ignored"],
          ["nes/reject", "jump", "ignored"],
          ["nes/close"]
        ])
      })
    )

  it.live("is reported as ignored when something else is typed, and its command does nothing then", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({ answers: (uri) => [[insertion(uri)]] })
      const [item] = yield* editor.complete(uri, at(2, 15))
      yield* editor.change(uri, [{ range: span(2, 15, 15), newText: "x" }])
      yield* editor.execute(item?.command)
      yield* editor.leave
      assert.deepStrictEqual(agent.ends(), [["nes/reject", "insertion", "ignored"], ["nes/close"]])
    })
  )

  it.live("is ignored where the editor applied it and never said that it was accepted", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({ answers: (uri) => [[insertion(uri)]] })
      yield* editor.complete(uri, at(2, 15))
      yield* editor.change(uri, [{ range: span(2, 15, 15), newText: "al + 1" }])
      yield* editor.close(uri)
      yield* editor.leave
      assert.deepStrictEqual(agent.ends(), [["nes/reject", "insertion", "ignored"], ["nes/close"]])
      assert.strictEqual(agent.textOf(uri), text.replace("= tot\n", "= total + 1\n"))
    })
  )
})

describe("signalbox nes lsp, questions", () => {
  it.live("typing makes a question useless, and the agent learns that", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({ answers: () => [[]], silent: ["nes/suggest"] })
      const asking = yield* Effect.forkChild(editor.complete(uri, at(2, 15)), { startImmediately: true })
      yield* agent.hears("nes/suggest")
      yield* editor.change(uri, [{ range: span(2, 15, 15), newText: "x" }])
      assert.deepStrictEqual(yield* Fiber.join(asking), [])
      yield* agent.hears("$/cancel_request")
      yield* editor.leave
    })
  )

  it.live("the editor cancels a question, and the agent learns that", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({ answers: () => [[]], silent: ["nes/suggest"] })
      const asking = yield* Effect.forkChild(editor.complete(uri, at(2, 15)), { startImmediately: true })
      yield* agent.hears("nes/suggest")
      yield* Fiber.interrupt(asking)
      yield* agent.hears("$/cancel_request")
      yield* editor.leave
    })
  )

  it.live("the agent has what the editor has after many edits", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({ answers: () => [[]] })
      yield* editor.complete(uri, at(0, 0))
      const pieces = ["a", "é", "🚦", "\n", "\r\n", "\r", "", "xyz"]
      let seed = 7
      const random = (below: number) => {
        seed = (seed * 48_271) % 2_147_483_647
        return seed % below
      }
      for (let step = 0; step < 500; step++) {
        const start = at(random(6), random(8))
        const end = random(2) === 0 ? start : at(start.line, start.character + random(4))
        yield* editor.change(uri, [{ range: { start, end }, newText: pieces[random(pieces.length)] ?? "" }])
      }
      yield* editor.leave
      assert.strictEqual(agent.textOf(uri), editor.textOf(uri))
      assert.strictEqual(agent.received("document/didChange").length, 500)
    })
  )

  it.live("the agent has the workspace by the name that the editor has for it", () =>
    Effect.gen(function* () {
      const other = (uri: string) => uri.replace("a.ts", "b.ts")
      const { agent, editor, folder, uri } = yield* opened({
        isLinked: true,
        answers: (uri) => [
          [
            { kind: "jump", id: "jump", uri: other(uri), position: at(1, 0) },
            { kind: "searchAndReplace", id: "all", uri: uri.replace("/a.ts", ""), search: "total", replace: "sum" }
          ]
        ]
      })
      writeFileSync(join(folder, "b.ts"), "one\ntwo\n")
      yield* editor.change(uri, [{ range: span(2, 15, 15), newText: "x" }])
      const actions = yield* editor.actions(uri, at(2, 16))
      assert.deepStrictEqual(
        actions.map(({ title }) => title),
        ["Go to line 2 of b.ts", "Replace “total” by “sum” in this file"]
      )
      yield* editor.leave
      const folderUri = pathToFileURL(folder).href
      assert.deepInclude(agent.received("nes/start")[0]?.params, {
        workspaceUri: folderUri,
        workspaceFolders: [{ uri: folderUri, name: "link" }]
      })
      const { editHistory } = Object(agent.received("nes/suggest")[0]?.params["context"])
      assert.match(editHistory[0].diff, /^--- a\/a\.ts\n/)
    })
  )

  it.live("a whole new text is a change", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({ answers: () => [[]] })
      yield* editor.complete(uri, at(0, 0))
      yield* editor.replace(uri, "all new\n")
      yield* editor.leave
      assert.strictEqual(agent.textOf(uri), "all new\n")
    })
  )

  it.live("a document of 3 MB is left alone, and its log says why", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened()
      const long = uri.replace("a.ts", "long.ts")
      yield* editor.open(long, "x = 1\n".repeat(500_000))
      assert.match(yield* Queue.take(editor.notes), /long\.ts: It is longer than 2 MiB/)
      assert.deepStrictEqual(yield* editor.complete(long, at(0, 3)), [])
      yield* editor.leave
      assert.deepStrictEqual(agent.pids(), [])
    })
  )

  it.live("one document too many has no suggestions until another is closed; its log says why and what to do", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened()
      // With the one that is open already they are one more than the engine takes.
      for (let number = 1; number <= 200; number++) yield* editor.open(`${uri}${number}`, "x\n")
      const last = `${uri}200`
      assert.strictEqual(
        yield* Queue.take(editor.notes),
        `There are no suggestions for ${last}: 200 files are open, and no more get suggestions. Close some of them, and write here again.`
      )
      yield* editor.change(last, [{ range: span(0, 1, 1), newText: "y" }])
      assert.deepStrictEqual(yield* editor.complete(last, at(0, 2)), [])
      assert.deepStrictEqual(agent.received("nes/suggest"), [])
      yield* editor.close(`${uri}1`)
      yield* editor.change(last, [{ range: span(0, 2, 2), newText: "z" }])
      yield* editor.complete(last, at(0, 3))
      assert.strictEqual(agent.received("nes/suggest")[0]?.params.uri, last)
      assert.strictEqual(agent.textOf(last), "xyz\n")
      assert.strictEqual(yield* Queue.size(editor.notes), 0)
      yield* editor.leave
    })
  )

  it.live("a file that is never sent stays with the editor, and its log says why", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({ answers: (uri) => [[insertion(uri)]] })
      const secret = uri.replace("a.ts", ".env")
      yield* editor.open(secret, "KEY=hidden-value\n")
      assert.match(yield* Queue.take(editor.notes), /There are no suggestions for .*\.env: It is on the list/)
      assert.deepStrictEqual(yield* editor.complete(secret, at(0, 3)), [])
      yield* editor.complete(uri, at(2, 15))
      yield* editor.leave
      assert.notInclude(JSON.stringify(agent.received("document/didOpen", "nes/suggest")), "hidden-value")
      assert.deepStrictEqual(
        agent.received("document/didOpen").map(({ params }) => params.uri),
        [uri]
      )
    })
  )
})
