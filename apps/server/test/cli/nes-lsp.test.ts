/** `signalbox nes lsp` as an editor starts it: what the editor gets, and what the agent receives. */
import { assert, describe, it } from "@effect/vitest"
import type { Suggestion } from "@signalbox/acp/NesSchema"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { ClientCapabilities } from "vscode-languageserver-protocol"
import * as LspEditor from "./support/LspEditor.ts"
import { at, elsewhere, insertion, jump, opened, span, text } from "./support/LspWorkspace.ts"

const rename = (uri: string): Suggestion => ({ kind: "rename", id: "rename", uri, position: at(1, 14), newName: "sum" })
const replacement = (uri: string): Suggestion => ({
  kind: "searchAndReplace",
  id: "replacement",
  uri,
  search: "const",
  replace: "let"
})

const actionsOnly = { editorCan: LspEditor.actionsOnly }

describe("signalbox nes lsp, completions in the line", () => {
  it.live("an accepted one is reported once, and the agent's text stays the editor's", () =>
    Effect.gen(function* () {
      const { agent, answer, editor, uri } = yield* opened({ answers: (uri) => [[insertion(uri)], []] })
      assert.deepInclude(answer.capabilities, {
        positionEncoding: "utf-16",
        inlineCompletionProvider: true,
        textDocumentSync: { openClose: true, change: 2, save: true }
      })
      yield* editor.change(uri, [{ range: span(0, 14, 15), newText: "20" }])
      const [item, ...more] = yield* editor.complete(uri, at(2, 15))
      assert.deepStrictEqual(more, [])
      assert.deepInclude(item, { insertText: "al + 1", range: span(2, 15, 15) })
      yield* editor.accept(uri, item)
      assert.strictEqual(editor.textOf(uri), "const total = 20\nconsole.log(total)\nconst é🚦 = total + 1\n")
      yield* editor.change(uri, [{ range: span(2, 21, 21), newText: "1" }])
      assert.deepStrictEqual(yield* editor.complete(uri, at(2, 22)), [])
      assert.strictEqual((yield* editor.leave).code, 0)
      assert.strictEqual(agent.textOf(uri), editor.textOf(uri))
      assert.deepStrictEqual(agent.ends(), [["nes/accept", "insertion"], ["nes/close"]])
    })
  )

  it.live("the rest is accepted after its beginning was typed", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({ answers: (uri) => [[insertion(uri)]] })
      const [item] = yield* editor.complete(uri, at(2, 15))
      yield* editor.change(uri, [{ range: span(2, 15, 15), newText: "a" }])
      assert.isDefined(item)
      yield* editor.accept(uri, { ...item, insertText: "l + 1", range: span(2, 16, 16) })
      yield* editor.leave
      assert.deepStrictEqual(agent.ends(), [["nes/accept", "insertion"], ["nes/close"]])
    })
  )

  it.live("one that begins before the caret reaches it", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({
        answers: (uri) => [[{ kind: "edit", id: "a", uri, edits: [{ range: span(2, 6, 7), newText: "e" }] }]]
      })
      const [item] = yield* editor.complete(uri, at(2, 15))
      assert.deepInclude(item, { insertText: "e🚦 = tot", range: span(2, 6, 15) })
      yield* editor.accept(uri, item)
      yield* editor.leave
      assert.deepStrictEqual(agent.ends(), [["nes/accept", "a"], ["nes/close"]])
      assert.strictEqual(agent.textOf(uri), text.replace("é", "e"))
    })
  )

  it.live("the caret goes where the agent says", () =>
    Effect.gen(function* () {
      const { editor, uri } = yield* opened({
        answers: (uri) => [
          [
            {
              ...insertion(uri),
              kind: "edit",
              edits: [{ range: span(2, 15, 15), newText: "al()" }],
              cursorPosition: at(2, 18)
            }
          ]
        ]
      })
      const [item] = yield* editor.complete(uri, at(2, 15))
      yield* editor.accept(uri, item)
      assert.deepStrictEqual(yield* Queue.take(editor.shown), { uri, takeFocus: true, selection: span(2, 18, 18) })
      yield* editor.leave
    })
  )

  it.live("other places and other kinds are code actions", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({
        answers: (uri) => [[elsewhere(uri), jump(uri)]]
      })
      assert.deepStrictEqual(yield* editor.complete(uri, at(2, 15)), [])
      const actions = yield* editor.actions(uri, at(2, 15), { triggerKind: 2 })
      assert.deepStrictEqual(
        actions.map(({ title }) => title),
        ["Replace “total” by “sum” on line 1, and 1 more", "Look at line 1", "Go to line 2"]
      )
      const [apply, look, go] = actions
      yield* editor.choose(look)
      assert.deepStrictEqual(yield* Queue.take(editor.shown), { uri, takeFocus: true, selection: span(0, 6, 6) })
      yield* editor.choose(go)
      assert.deepStrictEqual(yield* Queue.take(editor.shown), { uri, takeFocus: true, selection: span(1, 4, 4) })
      yield* editor.choose(apply)
      assert.deepStrictEqual(yield* Queue.take(editor.shown), { uri, takeFocus: true, selection: span(1, 15, 15) })
      assert.strictEqual(editor.textOf(uri), "const sum = 1\nconsole.log(sum)\nconst é🚦 = tot\n")
      yield* editor.leave
      assert.strictEqual(agent.textOf(uri), editor.textOf(uri))
      assert.deepStrictEqual(agent.ends(), [["nes/accept", "jump"], ["nes/accept", "elsewhere"], ["nes/close"]])
      assert.strictEqual(agent.received("nes/suggest").length, 1)
    })
  )

  it.live("a person who asks on another line gets other code actions", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({ answers: (uri) => [[elsewhere(uri)], [jump(uri)]] })
      yield* editor.complete(uri, at(2, 15))
      const titles = Effect.map(editor.actions(uri, at(1, 0)), (actions) => actions.map(({ title }) => title))
      assert.deepStrictEqual(yield* titles, ["Go to line 2"])
      assert.deepStrictEqual(yield* titles, ["Go to line 2"])
      assert.deepStrictEqual(
        yield* editor.actions(uri, at(0, 0), { triggerKind: 2 }),
        yield* editor.actions(uri, at(1, 0))
      )
      yield* editor.leave
      assert.strictEqual(agent.received("nes/suggest").length, 2)
      assert.deepStrictEqual(agent.ends(), [
        ["nes/reject", "elsewhere", "replaced"],
        ["nes/reject", "jump", "ignored"],
        ["nes/close"]
      ])
    })
  )
})

describe("signalbox nes lsp, code actions", () => {
  it.live("are all that an editor without inline completion gets", () =>
    Effect.gen(function* () {
      const { agent, answer, editor, uri } = yield* opened({ ...actionsOnly, answers: (uri) => [[insertion(uri)], []] })
      assert.isUndefined(answer.capabilities.inlineCompletionProvider)
      const [action, ...more] = yield* editor.actions(uri, at(2, 15))
      assert.deepStrictEqual(more, [])
      assert.strictEqual(action?.title, "Insert “al + 1” on line 3")
      assert.deepStrictEqual(Object.keys(action?.edit?.changes ?? {}), [uri])
      yield* editor.choose(action)
      assert.deepStrictEqual(yield* editor.actions(uri, at(2, 21)), [])
      yield* editor.leave
      assert.strictEqual(agent.textOf(uri), text.replace("= tot\n", "= total + 1\n"))
      assert.deepStrictEqual(agent.ends(), [["nes/accept", "insertion"], ["nes/close"]])
    })
  )

  it.live("rename by words, and replace in open files", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({
        ...actionsOnly,
        answers: (uri) => [[rename(uri)], [replacement(uri.slice(0, uri.lastIndexOf("/")))]]
      })
      const other = `${uri}x`
      yield* editor.open(other, "const other = 1\r\n")
      const [renaming] = yield* editor.actions(uri, at(2, 15))
      assert.strictEqual(renaming?.title, "Rename to “sum”, by words of the file")
      yield* editor.choose(renaming)
      assert.strictEqual(editor.textOf(uri), "const sum = 1\nconsole.log(sum)\nconst é🚦 = tot\n")
      const [replacing] = yield* editor.actions(uri, at(2, 15))
      assert.strictEqual(replacing?.title, "Replace “const” by “let” in 2 open files")
      yield* editor.choose(replacing)
      assert.strictEqual(editor.textOf(other), "let other = 1\r\n")
      yield* editor.leave
      for (const each of [uri, other]) assert.strictEqual(agent.textOf(each), editor.textOf(each))
      assert.deepStrictEqual(agent.ends(), [["nes/accept", "rename"], ["nes/accept", "replacement"], ["nes/close"]])
    })
  )

  it.live("replace a pattern, and leave one out that is none", () =>
    Effect.gen(function* () {
      const pattern = (id: string, uri: string, search: string): Suggestion => ({
        ...replacement(uri),
        kind: "searchAndReplace",
        id,
        uri,
        search,
        replace: "let $1",
        isRegex: true
      })
      const { agent, editor, uri } = yield* opened({
        ...actionsOnly,
        answers: (uri) => [[pattern("wrong", uri, "("), pattern("good", uri, "^const (\\S+)")]]
      })
      const [action, ...more] = yield* editor.actions(uri, at(2, 15))
      assert.deepStrictEqual(more, [])
      assert.strictEqual(action?.title, "Replace “const total” by “let total” on line 1, and 1 more")
      assert.match(yield* Queue.take(editor.notes), /left out: it replaces a pattern, .* no regular expression/)
      yield* editor.choose(action)
      assert.strictEqual(editor.textOf(uri), text.replaceAll("const", "let"))
      yield* editor.leave
      assert.strictEqual(agent.textOf(uri), editor.textOf(uri))
      assert.deepStrictEqual(agent.ends(), [["nes/reject", "wrong", "ignored"], ["nes/accept", "good"], ["nes/close"]])
    })
  )

  for (const order of ["first", "last"])
    it.live(`are accepted where an editor sends edit by edit, the ${order} one at first`, () =>
      Effect.gen(function* () {
        const { agent, editor, uri } = yield* opened({ ...actionsOnly, answers: (uri) => [[elsewhere(uri)]] })
        const [action] = yield* editor.actions(uri, at(2, 15))
        const edits = action?.edit?.changes?.[uri] ?? []
        assert.strictEqual(edits.length, 2)
        for (const edit of order === "first" ? edits : edits.toReversed()) yield* editor.change(uri, [edit])
        yield* editor.execute(action?.command)
        yield* editor.leave
        assert.deepStrictEqual(agent.ends(), [["nes/accept", "elsewhere"], ["nes/close"]])
        assert.strictEqual(agent.textOf(uri), "const sum = 1\nconsole.log(sum)\nconst é🚦 = tot\n")
      })
    )

  it.live("are commands for an editor that takes no others", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({
        editorCan: { workspace: { applyEdit: true } },
        answers: (uri) => [[elsewhere(uri)]]
      })
      const [command, ...more] = yield* editor.commands(uri, at(2, 15))
      assert.deepStrictEqual(more, [])
      yield* editor.execute(command)
      assert.strictEqual(editor.textOf(uri), "const sum = 1\nconsole.log(sum)\nconst é🚦 = tot\n")
      yield* editor.leave
      assert.deepStrictEqual(agent.ends(), [["nes/accept", "elsewhere"], ["nes/close"]])
    })
  )

  it.live("are not applied to a text that has changed since, and are when their beginning was typed", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({
        editorCan: { workspace: { applyEdit: true }, window: { showDocument: { support: true } } },
        answers: (uri) => [[elsewhere(uri), jump(uri)], [insertion(uri)]]
      })
      const stale = yield* editor.commands(uri, at(2, 15))
      assert.deepStrictEqual(
        stale.map(({ command }) => command.split(".").at(-1)),
        ["apply", "show", "jump"]
      )
      yield* editor.change(uri, [{ range: span(0, 0, 0), newText: "// more\n" }])
      const typed = editor.textOf(uri)
      for (const command of stale) yield* editor.execute(command)
      assert.strictEqual(editor.textOf(uri), typed)
      assert.strictEqual(yield* Queue.take(editor.notes), "The suggestion is out of date.")
      yield* editor.replace(uri, text)
      const [command] = yield* editor.commands(uri, at(2, 15))
      yield* editor.change(uri, [{ range: span(2, 15, 15), newText: "a" }])
      yield* editor.execute(command)
      assert.strictEqual(editor.textOf(uri), text.replace("tot\n", "total + 1\n"))
      yield* editor.leave
      assert.strictEqual(yield* Queue.size(editor.shown), 0)
      assert.strictEqual(agent.textOf(uri), editor.textOf(uri))
      assert.deepStrictEqual(agent.ends(), [
        ["nes/reject", "elsewhere", "ignored"],
        ["nes/reject", "jump", "ignored"],
        ["nes/accept", "insertion"],
        ["nes/close"]
      ])
    })
  )

  const editors: ReadonlyArray<readonly [name: string, editorCan: ClientCapabilities, kinds: ReadonlyArray<string>]> = [
    ["that can do all", LspEditor.inline, ["jump", "rename", "searchAndReplace"]],
    ["that shows no documents", LspEditor.actionsOnly, ["rename", "searchAndReplace"]],
    ["that takes no edits", { window: { showDocument: { support: true } } }, ["jump"]],
    ["that applies edits on request", { workspace: { applyEdit: true } }, ["rename", "searchAndReplace"]]
  ]
  for (const [name, editorCan, kinds] of editors)
    it.live(`of an editor ${name}: the agent is offered what it can show`, () =>
      Effect.gen(function* () {
        const { agent, editor, uri } = yield* opened({ editorCan })
        yield* editor.actions(uri, at(2, 15))
        yield* editor.leave
        const { nes } = Object(agent.received("initialize")[0]?.params["clientCapabilities"])
        assert.deepStrictEqual(Object.keys(nes), kinds)
      })
    )

  it.live("of other kinds ask nobody", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({ ...actionsOnly, answers: (uri) => [[insertion(uri)]] })
      assert.deepStrictEqual(yield* editor.actions(uri, at(2, 15), { only: ["source.organizeImports"] }), [])
      yield* editor.leave
      assert.deepStrictEqual(agent.pids(), [])
    })
  )

  it.live("bring the diagnostics at the caret to the agent", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({ ...actionsOnly, answers: () => [[]] })
      const range = span(2, 12, 15)
      yield* editor.actions(uri, at(2, 15), { diagnostics: [{ range, severity: 2, message: "No tot" }] })
      // An editor that asks by itself has a reason for it, unless that is only a hint.
      for (const severity of [2, 4] as const)
        yield* editor.actions(uri, at(2, severity), {
          triggerKind: 2,
          diagnostics: [{ range, severity, message: "No tot" }]
        })
      yield* editor.leave
      assert.deepStrictEqual(
        agent.received("nes/suggest").map(({ params }) => params["triggerKind"]),
        ["manual", "diagnostic", "automatic"]
      )
      assert.deepInclude(agent.received("nes/suggest")[0]?.params["context"], {
        diagnostics: [{ uri, range, severity: "warning", message: "No tot" }]
      })
    })
  )
})
