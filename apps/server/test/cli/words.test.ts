import { EventId, ItemId, ProviderSessionId, RequestId, ResumeToken, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type { NextStep, Problem, ProblemCode } from "@signalbox/contracts/Problem"
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { assert, describe, it } from "@effect/vitest"
import { nextSteps, nextStepsInEditor } from "../../src/cli/terminal/NextSteps.ts"
import { because, overdue } from "../../src/cli/terminal/Overdue.ts"
import { oneLine, plain, revealed, revealedLine } from "../../src/base/Plain.ts"
import * as Printer from "../../src/cli/terminal/Printer.ts"
import { problemText } from "../../src/cli/terminal/ProblemText.ts"
import * as Terminal from "../../src/cli/terminal/Terminal.ts"
import * as Progress from "../../src/cli/terminal/Progress.ts"

describe("text of agents", () => {
  it("cannot drive the terminal or hide what it says", () => {
    assert.strictEqual(plain("a\u001b[31mred\u001b[0m\u001b]0;title\u0007b"), "aredb")
    assert.strictEqual(plain("\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\"), "link")
    assert.strictEqual(plain("\u001b]52;c;cm0gLXJm"), "")
    assert.strictEqual(plain("safe\rrm -rf\u0008\u009b2J"), "safe␍rm -rf␈<U+009B>2J")
    assert.strictEqual(plain("a\u202eb\r\n\tc"), "a<U+202E>b\n\tc")
    assert.strictEqual(oneLine("a\nb   c", 4), "a b…")
  })

  it("is shown whole where somebody is about to allow it", () => {
    assert.strictEqual(
      revealed("ls\u001b[8m\nrm\u3164\u00ad\u061c\u{e0041}x"),
      "ls␛[8m↵\nrm<U+3164><U+00AD><U+061C><U+E0041>x"
    )
    assert.strictEqual(revealedLine("a\tb\nc"), "a⇥b↵c")
    assert.strictEqual(revealedLine("\u{1f600}\u{1f600}", 2), "…")
  })

  it("stands in problems with cause, evidence and next step", () => {
    const told = problemText({
      code: "agent-exited",
      title: "It crashed.\u001b[2J",
      cause: "It ended in the middle.",
      evidence: {
        exitCode: 7,
        method: "session/prompt",
        rpcCode: -32603,
        rpcMessage: "Internal",
        stderrTail: Array.from({ length: 20 }, (_, index) => `line ${index}`),
        stderrLines: 2000,
        stdoutTail: Array.from({ length: 20 }, (_, index) => `out ${index}`)
      },
      nextSteps: [{ action: "run-command", label: "Log in", command: "agent login" }]
    })
    assert.match(told, /^error: It crashed\.\n {2}It ended/)
    assert.include(told, "session/prompt was answered: -32603 Internal")
    assert.include(told, "The last 12 of 2000 lines on stderr:")
    assert.notInclude(told, "line 7\n")
    assert.include(told, "| line 19")
    // How many there were altogether is not known.
    assert.include(told, "  Last on stdout, not the protocol:\n    | out 8\n")
    assert.include(told, "Next: Log in: agent login")
  })
})

describe("next steps", () => {
  const told = (code: ProblemCode, steps: ReadonlyArray<NextStep>, stdoutTail?: ReadonlyArray<string>) =>
    nextSteps({ code, title: "", cause: "", evidence: stdoutTail ? { stdoutTail } : {}, nextSteps: steps })

  it("are written in words of the terminal, not as the labels of buttons", () => {
    const again = { action: "check-again", label: "Check again" } as const
    const restart = { action: "restart", label: "Restart The agent" } as const
    const set = { action: "set-option", label: "Choose the program (binaryPath)" } as const
    assert.deepStrictEqual(told("agent-exited", [restart]), ["Run the same command again"])
    assert.deepStrictEqual(told("agent-not-found", [again]), ["Name the program with --agent, or put it in PATH"])
    assert.deepStrictEqual(told("agent-not-found", [set, again]), ["Name the program with --agent, or put it in PATH"])
    assert.match(told("agent-exited", [restart], ["usage: foo"])[0] ?? "", /speaks the Agent Client Protocol/)
    assert.match(told("setting-rejected", [set])[0] ?? "", /--model, --mode or --set/)
    assert.match(told("cwd-unusable", [{ action: "choose-folder", label: "Choose" }])[0] ?? "", /--cwd/)
  })

  it("name no command and no flag of a terminal in an editor", () => {
    const inEditor = (code: ProblemCode, action: NextStep["action"], evidence: Problem["evidence"] = {}) =>
      nextStepsInEditor({ code, title: "", cause: "", evidence, nextSteps: [{ action, label: "The label" }] })
    for (const action of ["send-again", "check-again", "restart"] as const)
      assert.deepStrictEqual(inEditor("timed-out", action), ["Ask again"])
    assert.deepStrictEqual(inEditor("agent-exited", "restart", { stdoutTail: ["usage: foo"] }), [
      "Make sure that the program speaks the Agent Client Protocol on stdout, and ask again"
    ])
    assert.deepStrictEqual(inEditor("cwd-unusable", "choose-folder"), ["The label"])
  })

  it("leave out what goes without saying or means nothing here, and keep commands as they are", () => {
    const update = { action: "run-command", label: "Update", command: "agent update" } as const
    const again = { action: "check-again", label: "Check again" } as const
    assert.deepStrictEqual(told("agent-too-old", [update, again]), ["Update: agent update"])
    assert.deepStrictEqual(told("turn-in-flight", [{ action: "wait", label: "Wait for the turn to end" }]), [])
    assert.deepStrictEqual(told("usage-limit", [{ action: "wait", label: "Wait" }]), ["Wait"])
    assert.deepStrictEqual(told("internal", [{ action: "restart", label: "Move the file away." }]), [
      "Move the file away."
    ])
  })
})

describe("a run", () => {
  const turnId = TurnId.make("turn")
  const base = {
    eventId: EventId.make("e"),
    providerKind: "acp",
    providerSessionId: ProviderSessionId.make("p"),
    threadId: ThreadId.make("t"),
    at: 0
  } as const
  const thought = {
    ...base,
    type: "thought.delta",
    turnId,
    itemId: ItemId.make("i"),
    offset: 0,
    text: "hm hm"
  } as const
  const end = { ...base, type: "turn.completed", turnId, outcome: "cancelled" } as const

  it("knows what it waits for at every moment", () => {
    const tool: ToolCall = {
      toolCallId: "1",
      title: "Terminal",
      kind: "execute",
      status: "in_progress",
      subject: { type: "command", command: "npm test" },
      diffs: [],
      content: [],
      locations: [],
      startedAt: 0
    }
    const requestId = RequestId.make("r")
    const approval = { type: "approval", requestId, tool, options: [], at: 0 } as const
    const question = {
      type: "question",
      requestId,
      questions: [{ id: "q", prompt: "Which one?", options: [], allowMultiple: false }],
      at: 0
    } as const
    const resolved = { ...base, turnId, requestId, outcome: { type: "cancelled" } } as const
    const toolId = ItemId.make("tool")
    const session = {
      ...base,
      type: "session.started",
      origin: "new",
      resumeToken: ResumeToken.make("s"),
      capabilities: { rollback: { supported: false, reason: "" }, resume: true, images: true }
    } as const
    const story: ReadonlyArray<readonly [ProviderRuntimeEvent | undefined, RegExp]> = [
      [undefined, /had not started yet/],
      [session, /did not have the prompt yet/],
      [{ ...base, type: "turn.started", turnId }, /had the prompt, and had not begun to answer/],
      [thought, /was thinking/],
      [{ ...base, type: "tool.started", turnId, itemId: toolId, tool }, /had not ended a tool call: \$ npm test/],
      [{ ...base, type: "approval.requested", turnId, request: approval }, /waiting for a permission: \$ npm test/],
      [{ ...resolved, type: "approval.resolved" }, /tool call/],
      [{ ...base, type: "tool.completed", turnId, itemId: toolId, tool: { ...tool, status: "completed" } }, /thinking/],
      [{ ...base, type: "question.requested", turnId, request: question }, /answer to a question: Which one\?/],
      [{ ...resolved, type: "question.resolved" }, /thinking/]
    ]
    const progress = Progress.make()
    for (const [event, words] of story) {
      if (event !== undefined) progress.see(event)
      assert.match(progress.waitsFor(), words)
    }
  })

  it("that is out of time is reported as that, with whatever else went wrong, unless it was done", () => {
    const problem = overdue(1500, "The agent was thinking.")
    assert.strictEqual(because(problem, end).problem, problem)
    const other: Problem = { ...problem, code: "cancel-timeout", title: "It did not stop.", cause: "It was killed." }
    const both = because(problem, { ...end, problem: { ...other, evidence: { exitCode: 9 } } }).problem
    assert.deepStrictEqual(
      [both?.code, both?.cause, both?.evidence.exitCode],
      ["timed-out", "The agent was thinking.\nIt did not stop. It was killed.", 9]
    )
    assert.isUndefined(because(problem, { ...end, outcome: "completed" }).problem)
  })

  it("shows a thought that the end came upon", () => {
    let written = ""
    const sink = { write: (text: string) => void (written += text) }
    const print = Printer.text(Terminal.over(sink, sink, false))
    print([thought, end])
    assert.strictEqual(written, "thinking: hm hm\nThe turn was cancelled.\n")
  })
})
