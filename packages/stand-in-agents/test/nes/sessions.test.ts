import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Editor from "./Editor.ts"

const live = <A, E>(test: Effect.Effect<A, E, Effect.Services<ReturnType<typeof Editor.connect>>>) =>
  test.pipe(Effect.scoped, Effect.provide(NodeServices.layer))

const calls = "log.info(1)\nlog.info(2)\nlog.info(3)\n"

/** A session in which a person has changed the first of three calls. */
const afterEdit = Effect.fnUntraced(function* (setup: Editor.Setup = {}) {
  const editor = yield* Editor.start(setup)
  yield* editor.open("a.ts", calls)
  editor.goTo("a.ts", "info", "after")
  yield* editor.type("\b\b\b\bwarn")
  return editor
})

describe("The reference agent's sessions", () => {
  it.live("give every suggestion an id of its own, and offer again what was not rejected", () =>
    live(
      Effect.gen(function* () {
        const editor = yield* afterEdit()
        const first = yield* editor.suggest()
        yield* editor.nes.reject(first[0]?.id ?? "", "ignored")
        const again = yield* editor.suggest()
        assert.strictEqual(again.length, 2)
        assert.strictEqual(new Set([...first, ...again].map(({ id }) => id)).size, 4)
        assert.deepStrictEqual(
          again.map((each) => ({ ...each, id: "" })),
          first.map((each) => ({ ...each, id: "" }))
        )
      })
    )
  )

  it.live("do not offer for the same text what was rejected, and offer the next place", () =>
    live(
      Effect.gen(function* () {
        const editor = yield* afterEdit()
        const lineOf = ([first]: Effect.Success<ReturnType<typeof editor.suggest>>) =>
          first?.kind === "edit" ? first.edits[0]?.range.start.line : undefined
        const first = yield* editor.suggest()
        assert.strictEqual(lineOf(first), 1)
        yield* editor.nes.reject(first[0]?.id ?? "", "rejected")
        const second = yield* editor.suggest()
        assert.strictEqual(lineOf(second), 2)
        yield* editor.nes.reject(second[0]?.id ?? "", "rejected")
        assert.deepStrictEqual(yield* editor.suggest(), [])
        assert.deepStrictEqual(yield* editor.suggest({ trigger: "manual" }), [])
      })
    )
  )

  it.live("are independent of each other on one connection, and of chats", () =>
    live(
      Effect.gen(function* () {
        const connection = yield* Editor.connect()
        const one = yield* Editor.session(connection)
        const other = yield* Editor.session(connection)
        const chat = yield* connection.client.newSession({ cwd: "/", mcpServers: [] })
        assert.strictEqual(new Set([one.nes.id, other.nes.id, chat.sessionId]).size, 3)
        yield* one.open("a.ts", calls)
        yield* other.open("a.ts", calls)
        one.goTo("a.ts", "info", "after")
        yield* one.type("\b\b\b\bwarn")
        other.goTo("a.ts", "info", "after")
        assert.strictEqual((yield* one.suggest()).length, 2)
        assert.deepStrictEqual(yield* other.suggest(), [])
        yield* connection.client.extRequest("nes/close", { sessionId: one.nes.id })
        assert.strictEqual((yield* Effect.flip(one.ask))._tag, "RpcError")
        assert.deepStrictEqual(yield* other.suggest(), [])
      })
    )
  )

  it.live("make the kinds that the client shows, without those that the agent does without", () =>
    live(
      Effect.gen(function* () {
        const kindsOf = Effect.fnUntraced(function* (setup: Editor.Setup) {
          const editor = yield* Editor.start(setup)
          yield* editor.open("a.ts", "const zahl = 1\nprint(zahl)\n")
          yield* editor.open("b.ts", "zahl + 1\n")
          editor.goTo("a.ts", "zahl", "after")
          yield* editor.type("en")
          return (yield* editor.suggest({ trigger: "manual" })).map(({ kind }) => kind)
        })
        assert.deepStrictEqual(yield* kindsOf({}), ["rename", "searchAndReplace"])
        assert.deepStrictEqual(yield* kindsOf({ kinds: {} }), ["edit"])
        assert.deepStrictEqual(yield* kindsOf({ args: ["--without", "rename,searchAndReplace"] }), ["edit", "jump"])
        assert.deepStrictEqual(yield* kindsOf({ env: { SIGNALBOX_NES: "--without rename" } }), [
          "edit",
          "searchAndReplace"
        ])
      })
    )
  )

  it.live("ask for the events and the context that they are not without", () =>
    live(
      Effect.gen(function* () {
        const all = (yield* Editor.connect()).capabilities.nes
        assert.deepStrictEqual(all, {
          events: {
            document: { didOpen: {}, didChange: { syncKind: "incremental" }, didClose: {}, didSave: {}, didFocus: {} }
          },
          context: {
            recentFiles: { maxCount: 10 },
            relatedSnippets: {},
            editHistory: { maxCount: 6 },
            userActions: { maxCount: 16 },
            openFiles: {},
            diagnostics: {}
          }
        })
        const less = yield* Editor.connect({
          args: ["--sync", "none", "--without", "didOpen,didClose,didSave,didFocus", "--without", "openFiles"],
          encodings: ["utf-32", "utf-8"]
        })
        assert.deepStrictEqual(less.capabilities.nes.events, { document: {} })
        assert.notProperty(less.capabilities.nes.context, "openFiles")
        assert.strictEqual(less.capabilities.positionEncoding, "utf-32")
        const strict = yield* Editor.connect({ args: ["--encoding", "utf-8"], encodings: ["utf-32", "utf-8"] })
        assert.strictEqual(strict.capabilities.positionEncoding, "utf-8")
        assert.notProperty((yield* Editor.connect()).capabilities, "positionEncoding")
      })
    )
  )

  it.live("learn the last edit from the history, and the text from recent files, where nothing was synchronized", () =>
    live(
      Effect.gen(function* () {
        const editor = yield* Editor.start({ args: ["--sync", "none", "--without", "didOpen"], encodings: ["utf-8"] })
        const text = "/* 😀 */ log.warn(1)\n/* 😀 */ log.info(2)\n"
        yield* editor.open("a.ts", text)
        editor.goTo("a.ts", "warn", "after")
        const uri = editor.uriOf("a.ts")
        const context = {
          recentFiles: [{ uri, languageId: "typescript", text }],
          editHistory: [{ uri, diff: "@@ -1 +1 @@\n-/* 😀 */ log.info(1)\n+/* 😀 */ log.warn(1)\n" }]
        }
        const [first] = yield* editor.suggest({ context })
        assert.deepInclude(first, {
          kind: "edit",
          edits: [{ newText: "warn", range: { start: { line: 1, character: 13 }, end: { line: 1, character: 17 } } }]
        })
        const undone = [{ action: "undo", uri, position: { line: 0, character: 0 }, timestampMs: 1 }]
        assert.deepStrictEqual(yield* editor.suggest({ context: { ...context, userActions: undone } }), [])
      })
    )
  )

  it.live("take what is far from what the window shows, and jump into snippets", () =>
    live(
      Effect.gen(function* () {
        const editor = yield* afterEdit()
        const kind = Effect.map(editor.suggest(), ([first]) => first?.kind)
        assert.strictEqual(yield* kind, "edit")
        yield* editor.focus("a.ts", [0, 1])
        assert.strictEqual(yield* Effect.map(editor.suggest(), (all) => all.at(-1)?.kind), "jump")
        const openFiles = [
          {
            uri: editor.uriOf("a.ts"),
            languageId: "typescript",
            visibleRange: { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } }
          }
        ]
        const wide = yield* editor.suggest({ context: { openFiles } })
        assert.deepStrictEqual(
          wide.map((each) => each.kind),
          ["edit", "edit"]
        )
        for (const suggestion of wide) yield* editor.nes.reject(suggestion.id, "ignored")

        const other = yield* Editor.session(editor, { "c.ts": `${"\n".repeat(20)}\n  log.info(9)\n` })
        yield* other.open("b.ts", "log.info(1)\n")
        other.goTo("b.ts", "info", "after")
        yield* other.type("\b\b\b\bwarn")
        const excerpts = [{ startLine: 20, endLine: 21, text: "\n  log.info(9)" }]
        const relatedSnippets = [{ uri: other.uriOf("c.ts"), excerpts }]
        const [jump] = yield* other.suggest({ context: { relatedSnippets } })
        assert.deepInclude(jump, { kind: "jump", uri: other.uriOf("c.ts"), position: { line: 21, character: 6 } })
      })
    )
  )

  it.live("answer each trigger: a diagnostic is fixed or jumped to, and disturbs nobody who writes", () =>
    live(
      Effect.gen(function* () {
        const editor = yield* Editor.start({ encodings: ["utf-8"] })
        yield* editor.open("a.ts", "/* 😀 */ const zahl = 1\n/* 😀 */ print(zal)\n")
        editor.goTo("a.ts", "zahl")
        const range = { start: { line: 1, character: 15 }, end: { line: 1, character: 18 } }
        const diagnostics = [
          { uri: editor.uriOf("a.ts"), range, severity: "error" as const, message: "Did you mean 'zahl'?" }
        ]
        const context = { diagnostics }
        assert.deepStrictEqual(yield* editor.suggest({ context }), [])
        const [jump] = yield* editor.suggest({ context, trigger: "diagnostic" })
        assert.strictEqual(jump?.kind, "jump")
        if (jump) yield* editor.accept(jump)
        const [fix] = yield* editor.suggest({ context, trigger: "diagnostic" })
        if (fix) yield* editor.accept(fix)
        assert.strictEqual(editor.textIn("a.ts"), "/* 😀 */ const zahl = 1\n/* 😀 */ print(zahl)\n")
      })
    )
  )

  it.live("take what is typed after a save as an edit of its own", () =>
    live(
      Effect.gen(function* () {
        const suggestedAfter = Effect.fnUntraced(function* (isSaved: boolean) {
          const editor = yield* Editor.start()
          yield* editor.open("a.ts", "start(base)\nstart(base)\n")
          editor.goTo("a.ts", "base", "after")
          yield* editor.type(", 1")
          if (isSaved) yield* editor.nes.didSave(editor.uriOf("a.ts"))
          yield* editor.type(", 2")
          return (yield* editor.suggest()).length
        })
        assert.strictEqual(yield* suggestedAfter(false), 1)
        // The second call does not look like the first one before the edit.
        assert.strictEqual(yield* suggestedAfter(true), 0)
      })
    )
  )

  it.live("complete no line while a person only moves the caret, unless that person asks", () =>
    live(
      Effect.gen(function* () {
        const editor = yield* Editor.start()
        yield* editor.open("a.py", "item1\nitem2\nit\n")
        editor.goTo("a.py", "item2\nit", "after")
        const position = { line: 2, character: 2 }
        const action = { uri: editor.uriOf("a.py"), position }
        const moved = [
          { ...action, action: "cursorMovement", timestampMs: 2 },
          { ...action, action: "insertChar", timestampMs: 1 }
        ]
        assert.strictEqual((yield* editor.suggest()).length, 1)
        assert.deepStrictEqual(yield* editor.suggest({ context: { userActions: moved } }), [])
        assert.strictEqual((yield* editor.suggest({ context: { userActions: moved }, trigger: "manual" })).length, 1)
        assert.strictEqual((yield* editor.suggest({ context: { userActions: moved.slice(1) } })).length, 1)
      })
    )
  )

  it.live("complete the line of an edit that only the history of the context tells, at the caret behind it", () =>
    live(
      Effect.gen(function* () {
        const editor = yield* Editor.start()
        yield* editor.open("a.py", "item1\nitem2\nit\n\nend\n")
        editor.goTo("a.py", "item2\nit", "after")
        const diff = "@@ -1,4 +1,5 @@\n item1\n item2\n+it\n \n end\n"
        const suggestedAt = (line: number) => {
          const moved = { action: "cursorMovement", uri: editor.uriOf("a.py"), position: { line, character: 2 } }
          return Effect.map(
            editor.suggest({
              context: {
                editHistory: [{ uri: editor.uriOf("a.py"), diff }],
                userActions: [{ ...moved, timestampMs: 1 }]
              }
            }),
            (all) => all.length
          )
        }
        assert.strictEqual(yield* suggestedAt(2), 1)
        assert.strictEqual(yield* suggestedAt(0), 0)
      })
    )
  )

  it.live("have options, which set what they suggest, and report it when a chat has changed them", () =>
    live(
      Effect.gen(function* () {
        const editor = yield* afterEdit()
        assert.deepStrictEqual(yield* Effect.map(editor.suggest(), (all) => all.length), 2)
        const values = () => editor.nes.configOptions().map((option) => option.type === "select" && option.currentValue)
        assert.deepStrictEqual(values(), ["all", "3"])
        yield* editor.nes.setConfigOption("count", "1")
        assert.deepStrictEqual(values(), ["all", "1"])
        assert.strictEqual((yield* editor.suggest()).length, 1)
        assert.strictEqual((yield* Effect.flip(editor.nes.setConfigOption("count", "2")))._tag, "RpcError")
        yield* editor.nes.setConfigOption("scope", "line")
        assert.deepStrictEqual(yield* editor.suggest(), [])

        const { sessionId } = yield* editor.client.newSession({ cwd: "/", mcpServers: [] })
        const prompt = (text: string) => editor.client.prompt({ sessionId, prompt: [{ type: "text", text }] })
        assert.strictEqual((yield* prompt("Hello")).stopReason, "end_turn")
        assert.include(JSON.stringify(editor.updates), "I suggest the next edit while you write")
        yield* prompt("All")
        assert.strictEqual((yield* editor.suggest()).length, 1)
        assert.deepStrictEqual(values(), ["all", "1"])

        const without = yield* Editor.start({ args: ["--without", "configOptions"] })
        assert.deepStrictEqual(without.nes.configOptions(), [])
      })
    )
  )
})
