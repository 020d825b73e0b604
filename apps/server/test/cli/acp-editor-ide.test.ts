/** Questions about code that an agent's chain asks its editor, which is built on the official SDK. */
import * as acp from "@agentclientprotocol/sdk"
import { assert, describe, it } from "@effect/vitest"
import { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { programOf } from "../../../../scripts/suite/Program.ts"
import { served } from "../support/ServedThreads.ts"
import * as EditorStage from "./support/EditorStage.ts"
import { answersIn, ended, warningsIn } from "./support/EditorStage.ts"
import * as SdkEditor from "./support/SdkEditor.ts"
import { boxesAreSkipped } from "../support/Boxes.ts"
import { call, temporaryFolder } from "./support/Signalbox.ts"

const offering = { _meta: { symposium: { version: "1.0", ide_operations: true } } }
const component = { component: "ide-operations", args: ["--only-these-servers"] }

/** An agent that may read files, and asks by itself what its prompt says. Nothing is in front of it. */
const stage = (options: Partial<EditorStage.Options> = {}) =>
  EditorStage.make({ access: { files: "read" }, capabilities: offering, ...options })

const ask = (method: string, params: object = {}) => ({ request: { method: `_ide/${method}`, params } })
const hover = (uri: string) =>
  ask("lsp", {
    method: "textDocument/hover",
    params: { textDocument: { uri }, position: { line: 0, character: 1 } }
  })

describe("an agent with IDE operations in an editor that has them", () => {
  it.live("is answered by the editor, and nothing stands in for it in the chain", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const main = programOf(new URL("../../../../packages/stand-in-agents/src/tools/main.ts", import.meta.url))
      const tools = { command: process.execPath, args: [main, "--http"], components: [component] }
      writeFileSync(join(state, "settings.json"), JSON.stringify({ agents: { tools } }), { mode: 0o600 })
      const page = yield* served(state)
      const flags = ["--provider", "tools"]
      const editor = yield* SdkEditor.start(state, { capabilities: offering, flags })
      const cwd = temporaryFolder("project")
      const path = join(cwd, "a.ts")
      writeFileSync(path, "const one = 1\none\n")
      const { sessionId } = yield* editor.newSession(cwd)
      const { view } = yield* Effect.map(page.watch(ThreadId.make(sessionId)), (watcher) => ({
        view: watcher.until(ended)
      }))
      const at = { file_path: "a.ts", line: 1, character: 0 }
      const turn = yield* Effect.forkScoped(
        editor.prompt(sessionId, { call: "ide_definition", server: "ide-operations", with: at })
      )
      yield* editor.until(({ calls }) => calls.questions.length === 1)
      const [question] = editor.calls.questions
      assert.strictEqual(question?.method, "_ide/lsp")
      assert.deepStrictEqual(question?.params, {
        sessionId,
        method: "textDocument/definition",
        params: { textDocument: { uri: pathToFileURL(path).href }, position: { line: 1, character: 0 } }
      })
      const range = { start: { line: 0, character: 6 }, end: { line: 0, character: 9 } }
      question?.answer([{ uri: pathToFileURL(path).href, range }])
      yield* Fiber.join(turn)
      const { session } = yield* view
      assert.deepStrictEqual(
        session.chain?.map(({ name, role }) => `${role} ${name}`),
        ["component ide-operations", "bridge bridge (added)", "agent tools"]
      )
      assert.include(SdkEditor.textOf(editor.updates), "const one = 1")
    }).pipe(Effect.scoped)
  )

  it.live("gets its answers as they are, also none, and hears of those that can't be read", () =>
    Effect.gen(function* () {
      const { editor, path, sessionId, watcher } = yield* stage()
      const uri = pathToFileURL(path).href
      const turn = yield* Effect.forkScoped(
        editor.prompt(
          sessionId,
          hover(uri),
          ask("selection"),
          ask("diagnostics", { uri }),
          ask("resolve_symbol", { name: "x" })
        )
      )
      const answers = [null, { selection: null }, { diagnostics: [{ severity: "fatal" }] }]
      for (const [place, answer] of answers.entries()) {
        yield* editor.until(({ calls }) => calls.questions.length === place + 1)
        editor.calls.questions[place]?.answer(answer)
      }
      yield* editor.until(({ calls }) => calls.questions.length === 4)
      editor.calls.questions[3]?.refuse(new acp.RequestError(-32_603, "The index is being built."))
      yield* Fiber.join(turn)
      const [nothing, none, unread, refused] = answersIn(yield* watcher.until(ended))
      assert.isNull(nothing?.result)
      assert.deepStrictEqual(none?.result, { selection: null })
      assert.include(unread?.error?.message, "The answer of Quill to _ide/diagnostics can't be read")
      assert.deepStrictEqual([refused?.error?.code, refused?.error?.message], [-32_603, "The index is being built."])
    }).pipe(Effect.scoped)
  )

  it.live("asks about no file outside of its folders, denied by a rule, of another kind or name, or with keys", () =>
    Effect.gen(function* () {
      const rules = [{ effect: "deny", match: { path: "secret/**" } }]
      const { cwd, editor, sessionId, watcher } = yield* stage({ rules })
      for (const [folder, name] of [
        [".ssh", "id"],
        ["secret", "a.ts"]
      ] as const) {
        mkdirSync(join(cwd, folder))
        writeFileSync(join(cwd, folder, name), "key")
      }
      writeFileSync(join(cwd, "once.ts"), "")
      linkSync(join(cwd, "once.ts"), join(cwd, "twice.ts"))
      const range = { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } }
      const symbol = (path: string) => ({ symbol: { name: "x", definedAt: { path, ...range } } })
      const uri = (...names: ReadonlyArray<string>) => pathToFileURL(join(cwd, ...names)).href
      yield* editor.prompt(
        sessionId,
        hover("file:///etc/hostname"),
        ask("diagnostics", { uri: uri(".ssh", "id") }),
        ask("references", symbol("../elsewhere.ts")),
        hover(uri("secret", "a.ts")),
        ask("references", symbol("secret/a.ts")),
        hover(uri("twice.ts")),
        hover(uri("secret", "..")),
        ask("lsp", { method: "workspace/executeCommand", params: {} })
      )
      const view = yield* watcher.until(ended)
      const messages = answersIn(view).map(({ error }) => error?.message ?? "")
      const words = [
        "/etc/hostname",
        "holds keys or passwords",
        "elsewhere.ts",
        "Rule 1 denies",
        "Rule 1 denies",
        "hard links",
        "is a folder"
      ]
      for (const [place, word] of words.entries()) assert.include(messages[place], word)
      assert.lengthOf(messages, 8)
      assert.isEmpty(editor.calls.questions)
      assert.isNotEmpty(warningsIn(view))
    }).pipe(Effect.scoped)
  )

  it.live("asks by no other spelling of a file than the one that was looked at", () =>
    Effect.gen(function* () {
      const { cwd, editor, path, sessionId, watcher } = yield* stage()
      symlinkSync(path, join(cwd, "link.txt"))
      const spellings = ["FILE:/etc/hostname", "\tfile:///etc/hostname", "untitled:one", "untitled://one", "a.txt"]
      const range = { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } }
      const symbol = (path: string) => ({ symbol: { name: "x", definedAt: { path, ...range } } })
      const turn = yield* Effect.forkScoped(
        editor.prompt(
          sessionId,
          ...spellings.map(hover),
          ...spellings.slice(0, -1).map((uri) => ask("diagnostics", { uri })),
          hover(`file:${cwd}/./link.txt`),
          ask("references", symbol(join(cwd, "link.txt")))
        )
      )
      yield* editor.until(({ calls }) => calls.questions.length === 1)
      const [hovered] = editor.calls.questions
      assert.nestedPropertyVal(hovered?.params, "params.textDocument.uri", pathToFileURL(path).href)
      hovered?.answer(null)
      yield* editor.until(({ calls }) => calls.questions.length === 2)
      assert.nestedPropertyVal(editor.calls.questions[1]?.params, "symbol.definedAt.path", "a.txt")
      editor.calls.questions[1]?.answer({ references: [] })
      yield* Fiber.join(turn)
      const messages = answersIn(yield* watcher.until(ended)).map(({ error }) => error?.message ?? "")
      for (const message of messages.slice(0, 9)) assert.include(message, "names no file of this machine")
      assert.lengthOf(messages, 11)
    }).pipe(Effect.scoped)
  )

  it.live("waits once for people where a rule asks about the file, and the audit log has what was decided", () =>
    Effect.gen(function* () {
      const rules = [{ effect: "ask", match: { path: "b.txt" } }]
      const { cwd, editor, path, sessionId, state, watcher } = yield* stage({ rules })
      const asked = join(cwd, "b.txt")
      writeFileSync(asked, "")
      const turn = yield* Effect.forkScoped(
        editor.prompt(
          sessionId,
          hover(pathToFileURL(asked).href),
          ask("diagnostics", { uri: pathToFileURL(asked).href }),
          hover(pathToFileURL(path).href)
        )
      )
      yield* editor.until((heard) => heard.asked.length === 1)
      assert.isEmpty(editor.calls.questions)
      // People read how long their answer counts.
      assert.deepStrictEqual(
        editor.asked[0]?.params.options.map(({ name }) => name),
        ["Allow for 2 minutes", "Reject for 2 minutes"]
      )
      editor.asked[0]?.answer("reject")
      yield* editor.until(({ calls }) => calls.questions.length === 1)
      editor.calls.questions[0]?.answer(null)
      yield* Fiber.join(turn)
      const [refused, again] = answersIn(yield* watcher.until(ended))
      assert.include(refused?.error?.message, "It was rejected.")
      assert.deepStrictEqual(again?.error, refused?.error)
      assert.lengthOf(editor.asked, 1)
      const listed = yield* call(["audit", "list", "--json"], { env: { SIGNALBOX_STATE_DIR: state } })
      assert.include(listed.stdout, `read ${path}`)
      assert.include(listed.stdout, asked)
    }).pipe(Effect.scoped)
  )

  it.live("takes a question back from the editor", () =>
    Effect.gen(function* () {
      const { cwd, editor, path, sessionId } = yield* stage()
      const cancel = { notify: { method: "$/cancel_request", params: { requestId: 0 } } }
      const steps = { together: [[hover(pathToFileURL(path).href)], [{ waitForFile: "go" }, cancel]] }
      const turn = yield* Effect.forkScoped(editor.prompt(sessionId, steps))
      yield* editor.until(({ calls }) => calls.questions.length === 1)
      writeFileSync(join(cwd, "go"), "")
      yield* Effect.promise(() => editor.calls.questions[0]?.withdrawn ?? Promise.reject(new Error("It was not asked")))
      yield* Fiber.join(turn)
    }).pipe(Effect.scoped)
  )

  it.live("hears that the editor has left, and what helps", () =>
    Effect.gen(function* () {
      const { cwd, editor, page, path, sessionId, threadId, watcher } = yield* stage()
      const question = hover(pathToFileURL(path).href)
      yield* Effect.forkScoped(Effect.exit(editor.prompt(sessionId, question, { waitForFile: "go" }, question)))
      yield* editor.until(({ calls }) => calls.questions.length === 1)
      editor.kill("SIGKILL")
      writeFileSync(join(cwd, "go"), "")
      const messages = answersIn(yield* watcher.until(ended)).map(({ error }) => error?.message)
      const words =
        "Quill answered questions about code, and has closed this thread. Open the thread there again, or start the agent again: then language servers answer."
      assert.deepStrictEqual(messages, [words, words])
      yield* page.send(threadId, { type: "session.stop" })
    }).pipe(Effect.scoped)
  )

  it.live("is refused where no editor had them when it was started", () =>
    Effect.gen(function* () {
      const { editor, path, sessionId, watcher } = yield* stage({ capabilities: { fs: { readTextFile: true } } })
      yield* editor.prompt(sessionId, hover(pathToFileURL(path).href))
      const [answer] = answersIn(yield* watcher.until(ended))
      assert.strictEqual(answer?.error?.code, -32_601)
      assert.isEmpty(editor.calls.questions)
    }).pipe(Effect.scoped)
  )

  it.live("is refused without a component for it and without files", () =>
    Effect.gen(function* () {
      const { editor, path, sessionId, watcher } = yield* stage({ access: {} })
      yield* editor.prompt(sessionId, hover(pathToFileURL(path).href))
      const [answer] = answersIn(yield* watcher.until(ended))
      assert.strictEqual(answer?.error?.code, -32_601)
      assert.isEmpty(editor.calls.questions)
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(boxesAreSkipped)("is refused in a sandbox, which what an editor starts would not be in", () =>
    Effect.gen(function* () {
      const { editor, page, path, sessionId, watcher } = yield* stage({ access: { files: "read", sandbox: true } })
      yield* editor.prompt(sessionId, hover(pathToFileURL(path).href))
      const [answer] = answersIn(yield* watcher.until(ended))
      assert.strictEqual(answer?.error?.code, -32_601)
      assert.isEmpty(editor.calls.questions)
      // The server takes the sandbox along, and no editor starts another one.
      editor.kill("SIGKILL")
      yield* editor.ended
      page.server.kill("SIGTERM")
      yield* page.server.ended
    }).pipe(Effect.scoped)
  )
})
