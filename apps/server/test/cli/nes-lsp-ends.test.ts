/** `signalbox nes lsp` when something is wrong: with the agent, with what the editor sends, or with how it leaves. */
import { assert, describe, it } from "@effect/vitest"
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as LspEditor from "./support/LspEditor.ts"
import { at, opened } from "./support/LspWorkspace.ts"
import { call, groupEnds, groupLives, start } from "./support/Signalbox.ts"

const everybodyLeft = (pids: ReadonlyArray<number>) => {
  assert.isNotEmpty(pids)
  assert.deepStrictEqual(pids.filter(groupLives), [])
}

describe("signalbox nes lsp, an agent", () => {
  const problems = [
    {
      name: "that is missing",
      agent: "no-such-program",
      title: "The program was not found.",
      says: "There is no program no-such-program. Next: Name the program with --agent, or put it in PATH"
    },
    {
      name: "that needs a sign-in",
      errors: { "nes/start": { code: -32000, message: "Authentication required" } },
      title: "Suggester wants you to sign in.",
      says: 'It answered nes/start with -32000, "Authentication required". Next: Sign in to Suggester'
    },
    {
      name: "that dies at a question",
      dies: "nes/suggest",
      title: "Suggester ended by itself.",
      says: "Its process exited with code 3. It wrote nothing to stderr. Next: Ask again"
    },
    {
      name: "that answers nothing",
      silent: ["initialize"],
      env: { SIGNALBOX_START_TIMEOUT: "1 second" },
      title: "node did not start in time.",
      says: "It showed no progress for 1 s: initialize is not answered. Next: Ask again"
    },
    {
      name: "that refuses a question",
      errors: { "nes/suggest": { code: -32602, message: "No" } },
      title: "Suggester could not do that.",
      says: 'It answered nes/suggest with -32602, "No". Next: Ask again'
    },
    {
      name: "that takes an encoding that was not offered",
      capabilities: { nes: {}, positionEncoding: "latin-1" },
      title: "Suggester answered in a way that we do not understand.",
      says:
        'Its answer to initialize breaks the protocol: positionEncoding: "latin-1" was not offered ' +
        "Next: Run signalbox conformance, and report what it says to the makers of the agent"
    },
    {
      name: "that makes no suggestions",
      capabilities: {},
      title: "Suggester makes no suggestions.",
      says: "It does not offer next edit suggestions."
    },
    {
      name: "that claims suggestions and knows none",
      errors: { "nes/start": { code: -32601, message: "Method not found" } },
      title: "Suggester makes no suggestions.",
      says: "It offers next edit suggestions, but answers nes/start as a method that it does not know."
    }
  ]
  for (const { name, says, title, ...options } of problems)
    it.live(`${name} is a message in plain words, once, and no error of the request`, () =>
      Effect.gen(function* () {
        const { agent, editor, uri } = yield* opened(options)
        assert.deepStrictEqual(yield* editor.complete(uri, at(2, 15)), [])
        assert.strictEqual(yield* Queue.take(editor.messages), `${title} ${says}`)
        assert.deepStrictEqual(yield* editor.complete(uri, at(2, 15)), [])
        const { code, stderr } = yield* editor.leave
        assert.strictEqual(code, 0)
        // No editor runs a command again.
        assert.notInclude(stderr, "command again")
        assert.include(stderr, `error: ${title}\n`)
        assert.strictEqual(yield* Queue.size(editor.messages), 0)
        assert.deepStrictEqual(agent.pids().filter(groupLives), [])
      })
    )
})

describe("signalbox nes lsp --set", () => {
  const fast = { id: "fast", name: "Fast", type: "boolean", currentValue: false }

  it.live("sets each setting before the agent is asked", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({ configOptions: [fast], set: ["fast=true"] })
      assert.deepStrictEqual(yield* editor.complete(uri, at(2, 15)), [])
      assert.deepStrictEqual(
        agent
          .received("session/set_config_option", "nes/suggest")
          .map(({ method, params: { configId, type, value } }) => [method, configId, type, value]),
        [
          ["session/set_config_option", "fast", "boolean", true],
          ["nes/suggest", undefined, undefined, undefined]
        ]
      )
      assert.strictEqual((yield* editor.leave).code, 0)
    })
  )

  it.live("is a message in plain words where the agent does not offer it, and nothing is asked", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({ configOptions: [fast], set: ["slow=true"] })
      assert.deepStrictEqual(yield* editor.complete(uri, at(2, 15)), [])
      assert.strictEqual(
        yield* Queue.take(editor.messages),
        'A --set can’t be followed. "slow" is not a setting of this session. Its settings: fast (Fast). ' +
          "Next: Change the --set in the command of the editor"
      )
      assert.deepStrictEqual(agent.received("nes/suggest"), [])
      assert.strictEqual((yield* editor.leave).code, 0)
    })
  )
})

describe("signalbox nes lsp, an agent that did not answer in time", () => {
  it.live("keeps nobody waiting by the next code actions, and a person learns when it is asked again", () =>
    Effect.gen(function* () {
      const { agent, editor, uri } = yield* opened({
        editorCan: LspEditor.actionsOnly,
        silent: ["initialize"],
        env: { SIGNALBOX_START_TIMEOUT: "1 second" }
      })
      assert.deepStrictEqual(yield* editor.actions(uri, at(2, 15)), [])
      assert.match(yield* Queue.take(editor.messages), /^node did not start in time\./)
      assert.deepStrictEqual(yield* editor.actions(uri, at(2, 15), { triggerKind: 2 }), [])
      assert.deepStrictEqual(yield* editor.actions(uri, at(2, 15)), [])
      assert.match(yield* Queue.take(editor.messages), /^The agent did not answer in time\. Ask again in [0-9]+ s\.$/)
      yield* editor.leave
      assert.strictEqual(yield* Queue.size(editor.messages), 0)
      assert.lengthOf(agent.pids(), 1)
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

  it.live("an output that nobody reads ends it with a reason on standard error", () =>
    Effect.gen(function* () {
      const running = yield* start(["nes", "lsp", "--agent", "no-such-program"])
      running.stdout.destroy()
      const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { capabilities: {} } })
      running.stdin.write(`Content-Length: ${message.length}\r\n\r\n${message}`)
      const { code, stderr } = yield* running.ended
      assert.strictEqual(stderr, "signalbox nes lsp: Nobody reads the standard output any more\n")
      assert.strictEqual(code, 1)
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
        end(editor)
        yield* agent.hears("nes/close")
        const before = performance.now()
        assert.strictEqual((yield* editor.running.ended).code, expected)
        // From here on only the agent's graces pass, 3.5 s. Half of the limit is for a busy machine.
        assert.isBelow(performance.now() - before, 7_000)
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
