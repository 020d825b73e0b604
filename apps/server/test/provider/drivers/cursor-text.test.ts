import { RpcError } from "@signalbox/acp/JsonRpc"
import type { PlanEntry } from "@signalbox/contracts/AgentRequest"
import type { SessionSetting } from "@signalbox/contracts/SessionSetting"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { assert, describe, it } from "@effect/vitest"
import * as CursorErrorText from "../../../src/provider/drivers/cursor/CursorErrorText.ts"
import * as CursorExit from "../../../src/provider/drivers/cursor/CursorExit.ts"
import * as CursorRpcError from "../../../src/provider/drivers/cursor/CursorRpcError.ts"
import * as CursorSettings from "../../../src/provider/drivers/cursor/CursorSettings.ts"
import * as CursorTools from "../../../src/provider/drivers/cursor/CursorTools.ts"
import * as CursorVersion from "../../../src/provider/drivers/cursor/CursorVersion.ts"
import { childEnvironment } from "../../../src/provider/drivers/cursor/CursorEnvironment.ts"

describe("CursorVersion", () => {
  it("reads every form of version that was seen", () => {
    assert.deepStrictEqual(CursorVersion.parse("2026.02.27-e7d2ef6\n"), {
      year: 2026,
      month: 2,
      day: 27,
      time: "",
      commit: "e7d2ef6",
      text: "2026.02.27-e7d2ef6"
    })
    assert.strictEqual(CursorVersion.parse("2026.06.24-00-45-58-9f61de7")?.time, "00-45-58")
    assert.strictEqual(CursorVersion.parse("cursor-agent 2026.6.4-9f61de7a (lab)")?.month, 6)
  })

  it("does not take other programs' versions for Cursor's", () => {
    for (const output of ["1.4.2", "grok 0.9.1 (2026-08-11)", "2026.08.11", "v22.12.0", "", "2026.08.11-grok"])
      assert.isUndefined(CursorVersion.parse(output), output)
  })

  it("orders versions by date and time, and never by commit", () => {
    const version = (text: string) => {
      const parsed = CursorVersion.parse(text)
      assert.isDefined(parsed)
      return parsed
    }
    const ascending = [
      "2025.12.31-fffffff",
      "2026.02.27-e7d2ef6",
      "2026.06.24-00-45-58-9f61de7",
      "2026.06.24-13-00-00-0000000",
      "2026.10.01-e373342"
    ].map(version)
    for (const [index, older] of ascending.slice(0, -1).entries()) {
      const newer = ascending[index + 1]
      assert.isDefined(newer)
      assert.isBelow(CursorVersion.compare(older, newer), 0)
      assert.isAbove(CursorVersion.compare(newer, older), 0)
    }
    assert.strictEqual(CursorVersion.compare(version("2026.10.01-0000000"), version("2026.10.01-fffffff")), 0)
    assert.isTrue(CursorVersion.isTooOld(version("2026.01.31-abcdef0")))
    assert.isFalse(CursorVersion.isTooOld(version("2026.02.01-abcdef0")))
    assert.isTrue(CursorVersion.isNewerThanKnown(version("2026.11.01-abcdef0")))
    assert.isFalse(CursorVersion.isNewerThanKnown(version("2026.10.31-abcdef0")))
  })
})

describe("CursorErrorText", () => {
  const codeOf = (text: string, stopReason = "end_turn") => CursorErrorText.problemIn(text, stopReason)?.code

  it("recognises what Cursor reports", () => {
    const reports: ReadonlyArray<readonly [string, string]> = [
      ["\n\nError: RetriableError: [unavailable] The service is temporarily unavailable", "agent-reported-error"],
      ["\n\nError: NonRetriableError: [internal] no", "agent-reported-error"],
      ["\n\nError: ConnectError: [aborted] WritableIterable is closed", "agent-reported-error"],
      ["\n\nError: T: [internal] Failed to run step, exceeded max retries", "agent-reported-error"],
      ["Error: getaddrinfo ENOTFOUND api2.cursor.sh", "agent-reported-error"],
      ["Error: [unauthenticated] Not signed in", "auth-required"],
      ["Please sign in to continue", "auth-required"],
      ["Upgrade your plan to continue.", "usage-limit"],
      ["Add a payment method to continue", "usage-limit"],
      ["You've hit your usage limit", "usage-limit"],
      ["Error: ConnectError: [resource_exhausted] too much", "usage-limit"],
      ["Check your settings to continue", "agent-reported-error"],
      ['\n\nError: T: AI Model Not Found Model name is not valid: "claude-opus-5"', "setting-rejected"]
    ]
    for (const [text, code] of reports) assert.strictEqual(codeOf(text), code, text)
  })

  it("says what to do next", () => {
    const stepsOf = (text: string) => CursorErrorText.problemIn(text, "end_turn")?.nextSteps.map(({ action }) => action)
    assert.deepStrictEqual(stepsOf("Error: RetriableError: [unavailable] down"), ["send-again"])
    assert.deepStrictEqual(stepsOf("Error: NonRetriableError: [internal] no"), [])
    assert.deepStrictEqual(stepsOf("Error: AI Model Not Found"), ["set-option"])
    assert.deepStrictEqual(stepsOf("Error: ActionRequiredError: Check your settings to continue"), ["set-option"])
    assert.deepStrictEqual(stepsOf("Check your settings to continue"), ["set-option"])
    assert.strictEqual(
      CursorErrorText.problemIn("Please sign in to continue", "end_turn")?.nextSteps[0]?.command,
      "cursor-agent login"
    )
    assert.include(
      CursorErrorText.problemIn('Error: AI Model Not Found Model name is not valid: "gpt-9"', "end_turn")?.title,
      "gpt-9"
    )
  })

  it("leaves prose alone that merely mentions errors", () => {
    for (const text of [
      "The log says Error: RetriableError: [unavailable] and then stops.",
      "I fixed it. The message was `Error: ENOENT`.",
      "The last line of the log is:\n\nError: RetriableError: [unavailable] down",
      "```\nstarting\n\nError: ConnectError: [aborted] closed\n```",
      "```\nstarting\n\nError: ConnectError: [aborted] closed",
      "Done.\n\nError: handling is missing in `main.ts`; say so if I should add it.",
      "Errors are values in Go.",
      "error: lower case is a compiler's",
      "Error: the word, and what it means.\n\nAn error is a value that …",
      "If it says “Please sign in to continue”, run agent login.",
      "Please sign in to continue with the second step.",
      "The page shows: Upgrade your plan to continue",
      "You've hit your usage limit is what users see.\nI changed the text.",
      "Error:",
      ""
    ])
      assert.isUndefined(CursorErrorText.problemIn(text, "end_turn"), text)
  })

  it("recognises a report that Cursor appends to an unfinished answer", () => {
    assert.strictEqual(codeOf("Let me see.\n\nError: RetriableError: [unavailable] down"), "agent-reported-error")
    assert.strictEqual(codeOf("```\nls\n```\n\nError: [unauthenticated] Not signed in"), "auth-required")
    assert.isUndefined(codeOf("Let me see.\n\nError: RetriableError: [unavailable] down\n\nSo it was down."))
  })

  it("believes every other stop reason", () => {
    for (const stopReason of ["cancelled", "refusal", "max_tokens"])
      assert.isUndefined(codeOf("Error: RetriableError: [unavailable] down", stopReason))
  })
})

describe("CursorRpcError", () => {
  const explain = (method: string, code: number, message: string, data?: unknown) =>
    CursorRpcError.explain(method, new RpcError({ code, message, ...(data !== undefined && { data }) }))

  it("reads the causes of refused sessions", () => {
    const auth = explain("session/new", -32000, "Authentication required")
    assert.strictEqual(auth?.code, "auth-required")
    assert.strictEqual(auth?.evidence.rpcCode, -32000)
    assert.strictEqual(auth?.evidence.method, "session/new")
    assert.strictEqual(auth?.nextSteps[0]?.command, "cursor-agent login")
    const gone = explain("session/load", -32602, "Invalid params", { message: 'Session "abc" not found' })
    assert.strictEqual(gone?.code, "session-not-found")
    assert.strictEqual(
      explain("session/prompt", -32603, "Internal error", { details: "Session abc not found" })?.code,
      "session-not-found"
    )
  })

  it("reads refused settings", () => {
    assert.include(
      explain("session/set_config_option", -32602, "Invalid params", { message: "Invalid model value: gpt-9" })?.title,
      "gpt-9"
    )
    assert.strictEqual(
      explain("session/set_config_option", -32602, "Invalid params", {
        message: "Unknown model config option: effort"
      })?.code,
      "setting-rejected"
    )
    assert.strictEqual(
      explain("session/new", -32603, "Internal error", {
        details: "Cannot use this model: nope. Available models: a, b"
      })?.code,
      "setting-rejected"
    )
  })

  it("reads the texts of failed turns in the details of internal errors", () => {
    const problem = explain("session/prompt", -32603, "Internal error", {
      details: "RetriableError: [unavailable] down"
    })
    assert.strictEqual(problem?.code, "agent-reported-error")
    assert.strictEqual(problem?.evidence.rpcCode, -32603)
  })

  it("says nothing about errors that it does not know", () => {
    assert.isUndefined(explain("session/new", -32603, "Internal error"))
    assert.isUndefined(explain("session/prompt", -32603, "Internal error", { details: "Cannot read properties" }))
    assert.isUndefined(explain("session/list", -32601, "Method not found"))
  })
})

describe("CursorExit", () => {
  const exit = (lines: ReadonlyArray<string>, exitCode = 1) => ({
    exitCode,
    stderrTail: lines,
    stderrLines: lines.length
  })

  it("names the configuration file that Cursor refuses", () => {
    const named = CursorExit.explain(
      exit(["Invalid project config at /ws/it's/.cursor/cli.json: Unrecognized key(s) in object: 'x'"]),
      { cwd: "/ws/it's" }
    )
    assert.strictEqual(named?.code, "config-invalid")
    assert.strictEqual(named?.evidence.path, "/ws/it's/.cursor/cli.json")
    const users = CursorExit.explain(exit(["/home/u/.cursor/cli-config.json is not valid JSON"]), { cwd: "/ws" })
    assert.strictEqual(users?.evidence.path, "/home/u/.cursor/cli-config.json")
    const unnamed = CursorExit.explain(exit(["Unrecognized key(s) in object: 'x'"]), { cwd: "/ws" })
    assert.strictEqual(unnamed?.evidence.path, "/ws/.cursor/cli.json")
    assert.strictEqual(unnamed?.evidence.exitCode, 1)
  })

  it("explains a refused model, flag and login", () => {
    const codeOf = (line: string) => CursorExit.explain(exit([line]), { cwd: "/ws" })?.code
    assert.strictEqual(codeOf("Cannot use this model: nope. Available models: auto"), "setting-rejected")
    assert.strictEqual(codeOf("error: unknown option '--no-such'"), "config-invalid")
    assert.strictEqual(codeOf("Error: Authentication required. Please run 'agent login' first"), "auth-required")
  })

  it("does not explain a crash by what stderr happened to hold", () => {
    assert.isUndefined(CursorExit.explain(exit(["reading /ws/.cursor/cli.json: schema ok"], 134), { cwd: "/ws" }))
    assert.isUndefined(CursorExit.explain(exit(["FATAL ERROR: heap limit"]), { cwd: "/ws" }))
  })
})

const tool = (more: Partial<ToolCall>): ToolCall => ({
  toolCallId: "t1",
  title: "Edit File",
  kind: "edit",
  status: "completed",
  subject: { type: "none" },
  diffs: [],
  content: [],
  locations: [],
  startedAt: 0,
  ...more
})

describe("CursorTools", () => {
  it("takes leaked diff headers out of new files, once, and leaves all else alone", () => {
    const leaked = tool({
      diffs: [{ path: "/ws/o.txt", oldText: "-- /dev/null", newText: "++ b//ws/o.txt\nhi\n++ b/x" }]
    })
    const tidied = CursorTools.tidy(leaked)
    assert.deepStrictEqual(tidied.diffs, [{ path: "/ws/o.txt", oldText: null, newText: "hi\n++ b/x" }])
    assert.strictEqual(CursorTools.tidy(tidied), tidied)
    const empty = tool({ diffs: [{ path: "/ws/o", oldText: "-- /dev/null\n", newText: "++ b//ws/o" }] })
    assert.strictEqual(CursorTools.tidy(empty).diffs[0]?.newText, "")
    const edit = tool({ diffs: [{ path: "/ws/o", oldText: "a", newText: "++ b/o\nb" }] })
    assert.strictEqual(CursorTools.tidy(edit), edit)
  })

  it("knows titles that say nothing", () => {
    for (const title of ["Terminal", "Edit File", "Read File", "grep", "MCP: search", "Task: Subagent task", ""])
      assert.isTrue(CursorTools.isGenericTitle(title), title)
    for (const title of ["`pwd`", "Edit `/ws/a.txt`", "Read hello.txt", 'grep "x"', "docs: search", "Task: Explore"])
      assert.isFalse(CursorTools.isGenericTitle(title), title)
  })

  it("reads the type of a sub-agent that is an object", () => {
    const subject = { type: "task", description: "Review" } as const
    const input = { _toolName: "task", description: "Review", subagentType: { custom: "code_reviewer" } }
    const tidied = CursorTools.tidy(tool({ kind: "other", subject, rawInput: JSON.stringify(input) }))
    assert.deepStrictEqual(tidied.subject, { ...subject, agent: "code reviewer" })
  })

  const todosTool = (todos: ReadonlyArray<unknown>, more: Partial<ToolCall> = {}, merge?: boolean) =>
    tool({
      kind: "other",
      title: "Update TODOs",
      rawInput: JSON.stringify({ _toolName: "updateTodos", todos, ...(merge !== undefined && { merge }) }),
      ...more
    })
  const item = (id: string, status: string, content = `do ${id}`) => ({ id, content, status, dependencies: [] })
  const plan: readonly [PlanEntry, PlanEntry] = [
    { id: "a", content: "do a", status: "pending" },
    { id: "b", content: "do b", status: "pending" }
  ]

  it("reads a plan from a completed to-do call, in Cursor's spelling of statuses", () => {
    const call = todosTool([item("a", "TODO_STATUS_IN_PROGRESS"), item("b", "TODO_STATUS_CANCELLED")])
    assert.deepStrictEqual(CursorTools.report(call, [])?.plan, [
      { id: "a", content: "do a", status: "in_progress" },
      { id: "b", content: "do b", status: "cancelled" }
    ])
  })

  it("does not show a list that is still being written", () => {
    const todos = [item("a", "TODO_STATUS_COMPLETED")]
    for (const status of ["pending", "in_progress", "cancelled"] as const)
      assert.isUndefined(CursorTools.report(todosTool(todos, { status }), plan), status)
    assert.isDefined(CursorTools.report(todosTool(todos), plan))
  })

  it("keeps the others when a call changes one, and replaces a list of which it knows nothing", () => {
    const changed = CursorTools.report(todosTool([item("b", "TODO_STATUS_COMPLETED")]), plan)
    assert.deepStrictEqual(changed?.plan, [plan[0], { ...plan[1], status: "completed" }])
    const other = CursorTools.report(todosTool([item("z", "pending")]), plan)
    assert.deepStrictEqual(
      other?.plan?.map(({ id }) => id),
      ["z"]
    )
    const told = CursorTools.report(todosTool([item("a", "pending")], {}, false), plan)
    assert.deepStrictEqual(
      told?.plan?.map(({ id }) => id),
      ["a"]
    )
    assert.isUndefined(CursorTools.report(todosTool([item("a", "pending")]), plan))
  })

  it("follows a sub-agent through its call", () => {
    const input = JSON.stringify({ _toolName: "task", description: "Explore", prompt: "p", subagentType: "explore" })
    const call = (more: Partial<ToolCall>) =>
      CursorTools.report(tool({ kind: "other", title: "Task: Explore", rawInput: input, ...more }), [])?.subagent
    assert.deepStrictEqual(call({ status: "in_progress" }), {
      id: "t1",
      name: "explore",
      task: "Explore",
      state: "running"
    })
    const output = (value: object) => ({ rawOutput: JSON.stringify(value) })
    assert.strictEqual(call(output({ durationMs: 9000, isBackground: false }))?.durationMs, 9000)
    assert.deepInclude(call(output({ durationMs: 200, isBackground: true })), { state: "background" })
    assert.isUndefined(call(output({ durationMs: 200, isBackground: true }))?.durationMs)
    assert.strictEqual(call({ status: "cancelled" })?.state, "cancelled")
  })

  it("has nothing to report of other calls, or of input that was cut off", () => {
    assert.isUndefined(CursorTools.report(tool({ rawInput: '{"path":"/ws/a"}' }), []))
    assert.isUndefined(CursorTools.report(tool({ rawInput: '{"_toolName":"updateTodos","todos":[{"id' }), []))
  })
})

describe("CursorSettings", () => {
  const select = (choices: ReadonlyArray<{ readonly value: string; readonly name: string }>): SessionSetting => ({
    type: "select",
    id: "thinking",
    name: ":icon-brain: Thinking",
    value: "true",
    groups: [{ choices }]
  })

  it("shows neither icons nor invisible characters", () => {
    const setting = CursorSettings.tidy(
      select([
        { value: "false", name: "Off" },
        { value: "true", name: ":icon-brain:" },
        { value: "fast", name: "Fast\u200b" },
        { value: "xhigh", name: "\u200b" }
      ])
    )
    assert.strictEqual(setting.name, "Thinking")
    assert.deepStrictEqual(setting.type === "select" && setting.groups[0]?.choices.map(({ name }) => name), [
      "Off",
      "On",
      "Fast",
      "xhigh"
    ])
  })

  it("keeps joiners that scripts and emoji need", () => {
    const family = "👨\u200d👩\u200d👧"
    const setting = CursorSettings.tidy(select([{ value: "f", name: family }]))
    assert.strictEqual(setting.type === "select" && setting.groups[0]?.choices[0]?.name, family)
  })

  it("leaves types alone that it does not know", () => {
    const unknown: SessionSetting = { type: "unknown", id: "x", name: ":icon-x:", raw: "{}" }
    assert.strictEqual(CursorSettings.tidy(unknown), unknown)
  })
})

describe("childEnvironment", () => {
  it("keeps our Node's and Electron's options from Cursor, but not what the user sets for it", () => {
    const host = { PATH: "/bin", NODE_OPTIONS: "--inspect", ELECTRON_RUN_AS_NODE: "1", ELECTRON_NO_ASAR: "1" }
    assert.deepStrictEqual(childEnvironment(host, { NODE_OPTIONS: "--use-system-ca", A: "b" }), {
      NODE_OPTIONS: "--use-system-ca",
      ELECTRON_RUN_AS_NODE: undefined,
      ELECTRON_NO_ASAR: undefined,
      A: "b"
    })
    assert.deepStrictEqual(childEnvironment({ PATH: "/bin" }), {})
  })
})
