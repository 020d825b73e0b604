/** Programs of an agent that run in terminals of its editor, which is built on the official SDK. */
import * as acp from "@agentclientprotocol/sdk"
import { assert, describe, it } from "@effect/vitest"
import type { ToolTerminal } from "@signalbox/contracts/ToolCall"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { boxesAreSkipped } from "../support/Boxes.ts"
import * as EditorStage from "./support/EditorStage.ts"
import { answersIn, ended, warningsIn } from "./support/EditorStage.ts"
import * as SdkEditor from "./support/SdkEditor.ts"

const stage = (options: Partial<EditorStage.Options> = {}) =>
  EditorStage.make({ access: { terminals: true }, capabilities: { terminal: true }, ...options })

const create = (command: string, args: ReadonlyArray<string> = [], more: object = {}) => ({
  request: { method: "terminal/create", params: { command, args, ...more } }
})
const ask = (what: "output" | "wait_for_exit" | "kill" | "release") => ({
  request: { method: `terminal/${what}`, params: { terminalId: "{terminal:1}" } }
})
const shown = {
  update: {
    sessionUpdate: "tool_call",
    toolCallId: "c1",
    title: "Run",
    kind: "execute",
    status: "in_progress",
    content: [{ type: "terminal", terminalId: "{terminal:1}" }]
  }
}

/** The first terminal that the thread shows. */
const terminalIn = ({ items }: ThreadView): ToolTerminal | undefined =>
  items.flatMap((item) => (item.type === "tool" ? (item.tool.terminals ?? []) : []))[0]

/** Answers all questions for output, until the test ends. */
const printing = (editor: SdkEditor.SdkEditor, output: () => string) =>
  Effect.gen(function* () {
    for (let place = 0; ; place++) {
      yield* editor.until(({ calls }) => calls.outputs.length > place)
      editor.calls.outputs[place]?.answer({ output: output(), truncated: false })
    }
  }).pipe(Effect.forkScoped)

/** Makes the terminal that the agent asks for. */
const made = Effect.fnUntraced(function* (editor: SdkEditor.SdkEditor) {
  yield* editor.until(({ calls }) => calls.creates.length === 1)
  editor.calls.creates[0]?.answer({ terminalId: "theirs" })
  yield* editor.until(({ calls }) => calls.waits.length === 1)
})

describe("a program that an agent runs", () => {
  it.live(
    "runs in the editor's terminal, which the editor sees as its own; the thread has its output and its end",
    () =>
      Effect.gen(function* () {
        const { cwd, editor, sessionId, watcher } = yield* stage()
        let output = "half\n"
        yield* printing(editor, () => output)
        const env = [{ name: "WORD", value: "hello" }]
        const turn = yield* Effect.forkScoped(
          editor.prompt(
            sessionId,
            create("make", ["test"], { env, outputByteLimit: 1000 }),
            shown,
            ask("wait_for_exit"),
            ask("output"),
            ask("release")
          )
        )
        yield* made(editor)
        assert.deepStrictEqual(editor.calls.creates[0]?.params, {
          sessionId,
          command: "make",
          args: ["test"],
          env,
          cwd,
          outputByteLimit: 1000
        })
        const running = terminalIn(yield* watcher.until((view) => terminalIn(view)?.output === "half\n"))
        assert.deepInclude(running, { state: "running", command: "make test", cwd })
        output = "half\nwhole\n"
        editor.calls.waits[0]?.answer({ exitCode: 3 })
        yield* editor.until(({ calls }) => calls.releases.length === 1)
        editor.calls.releases[0]?.answer({})
        yield* Fiber.join(turn)
        const view = yield* watcher.until(ended)
        assert.deepInclude(terminalIn(view), { state: "exited", exitCode: 3, output, truncated: false })
        const [ours, wait, whole, released] = answersIn(view).map(({ result }) => result)
        assert.match(String(ours?.["terminalId"]), /^terminal-[0-9a-f]{8}$/)
        const exitStatus = { exitCode: 3, signal: null }
        assert.deepStrictEqual([wait, whole, released], [exitStatus, { output, truncated: false, exitStatus }, {}])
        const { outputs, releases, waits } = editor.calls
        for (const { params } of [...outputs, ...releases, ...waits])
          assert.deepStrictEqual(params, { sessionId, terminalId: "theirs" })
        const seen = SdkEditor.ofKind(editor.updates, "tool_call").map(({ content }) => content)
        assert.deepStrictEqual(seen, [[{ type: "terminal", terminalId: "theirs" }]])
        assert.deepStrictEqual(warningsIn(view), [])
      }).pipe(Effect.scoped)
  )

  it.live("is killed by the editor", () =>
    Effect.gen(function* () {
      const { editor, sessionId, watcher } = yield* stage()
      yield* printing(editor, () => "")
      const turn = yield* Effect.forkScoped(editor.prompt(sessionId, create("sleep", ["600"]), shown, ask("kill")))
      yield* made(editor)
      yield* editor.until(({ calls }) => calls.kills.length === 1)
      editor.calls.kills[0]?.answer({})
      editor.calls.waits[0]?.answer({ signal: "SIGTERM" })
      yield* Fiber.join(turn)
      const view = yield* watcher.until(ended)
      assert.deepStrictEqual(answersIn(view)[1]?.result, {})
      assert.deepInclude(terminalIn(view), { state: "exited", signal: "SIGTERM" })
    }).pipe(Effect.scoped)
  )

  it.live(
    "is not run by anybody if the editor refuses, and never reaches the editor if a rule or its folder does",
    () =>
      Effect.gen(function* () {
        const rules = [{ effect: "deny", match: { command: "touch **" } }]
        const { editor, sessionId, watcher } = yield* stage({ rules })
        const turn = yield* Effect.forkScoped(
          editor.prompt(sessionId, create("touch", ["x"]), create("true", [], { cwd: "/" }), create("true"))
        )
        yield* editor.until(({ calls }) => calls.creates.length > 0)
        editor.calls.creates[0]?.refuse(new acp.RequestError(-32001, "no terminals today"))
        yield* Fiber.join(turn)
        const view = yield* watcher.until(ended)
        const errors = answersIn(view).map(({ error }) => error)
        assert.deepStrictEqual(
          errors.map((error) => error?.code),
          [-32602, -32602, -32603]
        )
        assert.strictEqual(errors[2]?.message, "Quill refused to make a terminal: no terminals today (-32001).")
        assert.lengthOf(editor.calls.creates, 1)
        assert.isUndefined(terminalIn(view))
      }).pipe(Effect.scoped)
  )

  it.live("has an end that nobody knows if the editor leaves: the agent's wait ends, and the thread says it", () =>
    Effect.gen(function* () {
      const { editor, sessionId, watcher } = yield* stage()
      yield* Effect.forkScoped(
        Effect.exit(
          editor.prompt(
            sessionId,
            create("make"),
            shown,
            ask("wait_for_exit"),
            ask("output"),
            ask("kill"),
            ask("release")
          )
        )
      )
      yield* made(editor)
      editor.kill("SIGKILL")
      const view = yield* watcher.until(ended)
      const [, wait, output, kill, release] = answersIn(view)
      for (const answer of [wait, output])
        assert.include(answer?.error?.message, "The editor that ran it has left, or did not say how the program ended")
      assert.deepStrictEqual([kill?.result, release?.result], [{}, {}])
      assert.strictEqual(terminalIn(view)?.state, "unknown")
      assert.deepStrictEqual(warningsIn(view), ["Quill has left. Nobody knows how a program ended that it ran."])
    }).pipe(Effect.scoped)
  )

  it.live("is asked to end when its turn is stopped; an editor that does not say so is not waited for", () =>
    Effect.gen(function* () {
      const { editor, page, sessionId, threadId, watcher } = yield* stage()
      yield* printing(editor, () => "")
      yield* Effect.forkScoped(
        Effect.exit(editor.prompt(sessionId, create("sleep", ["600"]), shown, { waitForCancel: true }))
      )
      yield* made(editor)
      yield* watcher.until((view) => terminalIn(view) !== undefined)
      yield* editor.request((agent) => agent.notify(acp.methods.agent.session.cancel, { sessionId }))
      yield* editor.until(({ calls }) => calls.kills.length === 1)
      const view = yield* watcher.until((now) => terminalIn(now)?.state === "unknown")
      assert.include(
        warningsIn(view),
        "Quill was asked to end a program, and did not say that it has. Nobody knows how a program ended that it ran."
      )
      yield* page.send(threadId, { type: "session.stop" })
      yield* editor.until(({ calls }) => calls.releases.length === 1)
      yield* watcher.until(({ session }) => session.state === "exited")
    }).pipe(Effect.scoped)
  )

  it.live("leaves no terminal in an editor that closes the session", () =>
    Effect.gen(function* () {
      const { editor, sessionId, watcher } = yield* stage()
      yield* printing(editor, () => "")
      yield* Effect.forkScoped(
        Effect.exit(editor.prompt(sessionId, create("sleep", ["600"]), shown, { waitForCancel: true }))
      )
      yield* made(editor)
      yield* watcher.until((view) => terminalIn(view) !== undefined)
      yield* Effect.forkScoped(editor.request((agent) => agent.request(acp.methods.agent.session.close, { sessionId })))
      yield* editor.until(({ calls }) => calls.releases.length === 1)
      assert.deepStrictEqual(editor.calls.releases[0]?.params, { sessionId, terminalId: "theirs" })
      yield* watcher.until((view) => terminalIn(view)?.state === "unknown")
    }).pipe(Effect.scoped)
  )

  it.live("runs with the server for an agent that gets only some variables, since an editor has its own", () =>
    Effect.gen(function* () {
      const { cwd, editor, sessionId, watcher } = yield* stage({ access: { terminals: true, environment: "listed" } })
      yield* editor.prompt(sessionId, create("sh", ["-c", "echo ours > out"]), ask("wait_for_exit"))
      assert.deepStrictEqual(answersIn(yield* watcher.until(ended))[1]?.result, { exitCode: 0, signal: null })
      assert.strictEqual(readFileSync(join(cwd, "out"), "utf8"), "ours\n")
      assert.deepStrictEqual(editor.calls.creates, [])
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(boxesAreSkipped)("runs with the server for an agent in a sandbox", () =>
    Effect.gen(function* () {
      const { cwd, editor, page, sessionId, watcher } = yield* stage({ access: { terminals: true, sandbox: true } })
      yield* editor.prompt(sessionId, create("sh", ["-c", "echo boxed > out"]), ask("wait_for_exit"))
      assert.deepStrictEqual(answersIn(yield* watcher.until(ended))[1]?.result, { exitCode: 0, signal: null })
      assert.strictEqual(readFileSync(join(cwd, "out"), "utf8"), "boxed\n")
      assert.deepStrictEqual(editor.calls.creates, [])
      // The server takes the sandbox along, and no editor starts another one.
      editor.kill("SIGKILL")
      yield* editor.ended
      page.server.kill("SIGTERM")
      yield* page.server.ended
    }).pipe(Effect.scoped)
  )
})
