import { assert, describe, it } from "@effect/vitest"
import { endOf, environmentFor, nameOf } from "../src/services/TerminalText.ts"

describe("a program that an agent runs", () => {
  it("is named by its command and its agent, in few characters", () => {
    assert.strictEqual(nameOf({ command: "npm", args: ["test"] }, "Cursor"), "npm test (Cursor)")
    assert.strictEqual(
      nameOf({ command: "/bin/sh", args: ["-c", "npm test && ls"] }, "Cursor"),
      "npm test && ls (Cursor)"
    )
    assert.notInclude(nameOf({ command: "a", args: ["\u001b[2J\n"] }, "Cursor"), "\u001b")
    assert.strictEqual(nameOf({ command: "x".repeat(100) }, "Cursor"), `${"x".repeat(59)}… (Cursor)`)
  })

  it("says how it ended", () => {
    assert.strictEqual(endOf({ exitCode: 3, signal: null }), "Ended with exit code 3")
    assert.strictEqual(endOf({ exitCode: null, signal: "SIGTERM" }), "Ended by SIGTERM")
    assert.strictEqual(endOf({ exitCode: null, signal: null }), "Ended")
  })

  it("gets nothing that is meant for the editor's own processes, unless the agent gives it", () => {
    const host = { PATH: "/bin", ELECTRON_RUN_AS_NODE: "1", VSCODE_IPC_HOOK: "x", VSCODE_PID: "2" }
    const env = environmentFor(host, [
      { name: "WORD", value: "hello" },
      { name: "VSCODE_PID", value: "3" }
    ])
    assert.deepStrictEqual(env, {
      ELECTRON_RUN_AS_NODE: undefined,
      VSCODE_IPC_HOOK: undefined,
      VSCODE_PID: "3",
      WORD: "hello"
    })
  })
})
