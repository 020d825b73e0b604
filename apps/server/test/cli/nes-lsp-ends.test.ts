/** `signalbox nes lsp` when something is wrong: with the agent, with what the editor sends, or with how it leaves. */
import { assert, describe, it } from "@effect/vitest"
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as LspEditor from "./support/LspEditor.ts"
import { at, opened } from "./support/LspWorkspace.ts"
import { call, groupEnds, groupLives } from "./support/Signalbox.ts"

const everybodyLeft = (pids: ReadonlyArray<number>) => {
  assert.isNotEmpty(pids)
  assert.deepStrictEqual(pids.filter(groupLives), [])
}

describe("signalbox nes lsp, an agent", () => {
  const problems = [
    { name: "that is missing", agent: "no-such-program", says: /no-such-program/ },
    {
      name: "that needs a sign-in",
      errors: { "nes/start": { code: -32000, message: "Authentication required" } },
      says: /sign|log/i
    },
    { name: "that dies at a question", dies: "nes/suggest", says: /exit code 3|ended|stopped/i },
    {
      name: "that answers nothing",
      silent: ["initialize"],
      env: { SIGNALBOX_START_TIMEOUT: "1 second" },
      says: /answer/
    },
    { name: "that makes no suggestions", capabilities: {}, says: /makes no suggestions/ },
    {
      name: "that claims suggestions and knows none",
      errors: { "nes/start": { code: -32601, message: "Method not found" } },
      says: /makes no suggestions/
    }
  ]
  for (const { name, says, ...options } of problems)
    it.live(`${name} is a message in plain words, once, and no error of the request`, () =>
      Effect.gen(function* () {
        const { agent, editor, uri } = yield* opened(options)
        assert.deepStrictEqual(yield* editor.complete(uri, at(2, 15)), [])
        const message = yield* Queue.take(editor.messages)
        assert.match(message, says)
        assert.deepStrictEqual(yield* editor.complete(uri, at(2, 15)), [])
        const { code, stderr } = yield* editor.leave
        assert.strictEqual(code, 0)
        assert.match(stderr, says)
        assert.strictEqual(yield* Queue.size(editor.messages), 0)
        assert.deepStrictEqual(agent.pids().filter(groupLives), [])
      })
    )
})

describe("signalbox nes lsp, the protocol", () => {
  it.live("what does not fit the state of the conversation is refused, and what nobody knows is answered", () =>
    Effect.gen(function* () {
      const { editor } = yield* opened()
      const { peer } = editor
      const codeOf = (method: string) =>
        Effect.map(Effect.flip(peer.call(method, {})), (error) => (error instanceof RpcError ? error.code : undefined))
      yield* peer.notify("$/setTrace", { value: "off" })
      yield* peer.notify("workspace/didChangeConfiguration", { settings: {} })
      assert.strictEqual(yield* codeOf("textDocument/hover"), -32601)
      assert.strictEqual(yield* codeOf("$/unknown"), -32601)
      assert.strictEqual(yield* codeOf("initialize"), -32600)
      assert.strictEqual(yield* codeOf("textDocument/inlineCompletion"), -32602)
      yield* peer.notify("textDocument/didChange", {
        textDocument: { uri: "file:///nowhere", version: 2 },
        contentChanges: []
      })
      assert.match(yield* Queue.take(editor.notes), /A message of the editor is ignored: .*not open/)
      assert.isNull(yield* peer.call("shutdown", undefined))
      assert.strictEqual(yield* codeOf("textDocument/hover"), -32600)
      yield* peer.notify("exit", undefined)
      assert.strictEqual((yield* editor.running.ended).code, 0)
    })
  )

  it.live("the first request is initialize", () =>
    Effect.gen(function* () {
      const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "textDocument/hover" })
      const input = `Content-Length: ${message.length}\r\n\r\n${message}`
      const { code, stdout } = yield* call(["nes", "lsp", "--agent", "no-such-program"], { input })
      assert.match(stdout, /^Content-Length: \d+\r\n\r\n\{"jsonrpc":"2.0","id":1,"error":\{"code":-32002,[^\n]*\}$/)
      assert.strictEqual(code, 1)
    })
  )

  it.live("text that is no message ends it with a reason on standard error", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* call(["nes", "lsp", "--agent", "no-such-program"], {
        input: "Hello\r\n\r\n"
      })
      assert.strictEqual(code, 1)
      assert.strictEqual(stdout, "")
      assert.match(stderr, /This is no field of a header: "Hello"/)
    })
  )

  it.live("no agent is a usage error", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* call(["nes", "lsp"])
      assert.strictEqual(code, 2)
      assert.strictEqual(stdout, "")
      assert.match(stderr, /--agent/)
    })
  )
})

describe("signalbox nes lsp, the end", () => {
  const ends: ReadonlyArray<{
    readonly name: string
    readonly expected: number | null
    readonly end: (editor: LspEditor.LspEditor) => void
  }> = [
    { name: "its editor is gone", expected: 1, end: ({ running }) => void running.stdin.end() },
    { name: "it is asked to by SIGTERM", expected: 143, end: ({ running }) => running.kill("SIGTERM") },
    { name: "somebody presses Ctrl-C", expected: 130, end: ({ running }) => running.kill("SIGINT") }
  ]
  for (const { end, expected, name } of ends)
    it.live(`leaves nothing when ${name} during a question, with an agent that does not want to end`, () =>
      Effect.gen(function* () {
        const { agent, editor, uri } = yield* opened({ silent: ["nes/suggest", "nes/close"], stays: true })
        yield* Effect.forkChild(Effect.ignore(editor.complete(uri, at(2, 15))), { startImmediately: true })
        yield* agent.hears("nes/suggest")
        const before = performance.now()
        end(editor)
        assert.strictEqual((yield* editor.running.ended).code, expected)
        assert.isBelow(performance.now() - before, 30_000)
        everybodyLeft(agent.pids())
      })
    )

  it.live("leaves nothing when its editor is gone while the agent starts", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({ silent: ["initialize"], stays: true })
      yield* Effect.forkChild(Effect.ignore(editor.complete(uri, at(2, 15))), { startImmediately: true })
      yield* agent.hears("initialize")
      editor.running.stdin.end()
      assert.strictEqual((yield* editor.running.ended).code, 1)
      everybodyLeft(agent.pids())
    })
  )

  it.live("exit without shutdown ends it with code 1, and what is open is reported", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({
        answers: (uri) => [[{ kind: "jump", id: "jump", uri, position: at(0, 0) }]]
      })
      yield* editor.complete(uri, at(2, 15))
      yield* editor.peer.notify("exit", undefined)
      assert.strictEqual((yield* editor.running.ended).code, 1)
      assert.deepStrictEqual(agent.ends(), [["nes/reject", "jump", "ignored"], ["nes/close"]])
      everybodyLeft(agent.pids())
    })
  )

  it.live("its agent ends when it is killed", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({ stays: true })
      yield* editor.complete(uri, at(2, 15))
      editor.running.kill("SIGKILL")
      yield* editor.running.ended
      assert.isNotEmpty(agent.pids())
      yield* Effect.forEach(agent.pids(), groupEnds)
    })
  )
})
