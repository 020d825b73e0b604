/** The results of tool calls, in the members that real agents use. */
import { assert, describe, it } from "@effect/vitest"
import { exitCodeOf, type ToolCall, ToolResult, wentWrong } from "@signalbox/contracts/ToolCall"
import type { Step } from "@signalbox/stand-in-agents/scripted/Script"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { outcomeOf } from "../../src/provider/acp/projection/ToolOutput.ts"
import * as SessionProjection from "../../src/provider/acp/projection/SessionProjection.ts"
import { play as run } from "../cli/support/Runs.ts"
import { call as signalbox } from "../cli/support/Signalbox.ts"
import { call, change, projection, type ProjectionHarness } from "../support/ProjectionHarness.ts"
import { clineShell } from "./scenarios/cline-shell.ts"
import { copilotShell } from "./scenarios/copilot-shell.ts"
import { opencodeShell } from "./scenarios/opencode-shell.ts"

const lastOf = (session: ProjectionHarness): ToolCall | undefined =>
  session.events.findLast((event) => "tool" in event)?.tool
const begun = () => {
  const session = projection()
  session.begin("t1")
  return session
}
const after = (steps: ReadonlyArray<Step>): ToolCall => {
  const session = begun()
  session.feed(...steps.flatMap(({ update }) => (update ? [update] : [])))
  const tool = lastOf(session)
  assert.isDefined(tool)
  return tool
}
const exited = { query: "ls nowhere", result: "[Command exited with code 2]\nno", error: "Command exited with code 2" }

describe("a command that ended with a code", () => {
  it.each([
    ["opencode and kilo", opencodeShell("/ws", 2)],
    ["copilot", copilotShell("/ws", 2)],
    ["cline", clineShell([{ ...exited, success: false }])]
  ])("of %s is completed, as the agent says, and went wrong", (_, steps) => {
    const tool = after(steps)
    assert.strictEqual(tool.status, "completed")
    assert.strictEqual(exitCodeOf(tool), 2)
    assert.isTrue(wentWrong(tool))
    assert.include(tool.result?.text, "no")
  })

  it.each([
    ["opencode and kilo", opencodeShell("/ws", 0)],
    ["copilot", copilotShell("/ws", 0)],
    ["cline", clineShell([{ query: "ls", result: "a.txt\n", success: true }])]
  ])("of 0 is well, with %s", (_, steps) => {
    const tool = after(steps)
    assert.deepInclude(tool, { status: "completed" })
    assert.isFalse(wentWrong(tool))
  })

  it("among several of cline counts, and all that they printed is shown", () => {
    const tool = after(
      clineShell([
        { query: "ls", result: "a.txt", success: true },
        { ...exited, success: false }
      ])
    )
    assert.deepStrictEqual(tool.result, { exitCode: 2, text: "a.txt\n[Command exited with code 2]\nno" })
  })

  it("is the same in the histories of cline, where results are text", () => {
    const [fine, bad] = [
      { query: "ls", result: "a.txt\n", success: true },
      { ...exited, success: false }
    ]
    const told = (...results: ReadonlyArray<object>) => outcomeOf(results.map((one) => JSON.stringify(one)).join("\n"))
    assert.deepStrictEqual(told(fine), outcomeOf([fine]))
    assert.deepStrictEqual(told(fine, bad), outcomeOf([fine, bad]))
    const printed = [
      '{"query":"ls","success":false}x',
      '{"query":1,"success":false}',
      '{"query":"x","success":false,"more":1}'
    ]
    for (const text of printed) assert.deepStrictEqual(outcomeOf(text).result, { text })
  })

  it("is told apart from one that could not be run", () => {
    const tool = after(
      clineShell([{ query: "ls", result: "", error: "Command timed out after 30000ms", success: false }])
    )
    assert.deepInclude(tool, { status: "failed" })
    assert.strictEqual(tool.result?.error, "Command timed out after 30000ms")
  })

  it.live("is printed with it by `signalbox run`", () =>
    Effect.gen(function* () {
      const steps = [
        ...opencodeShell("/ws", 2),
        ...clineShell([{ ...exited, success: false }]),
        ...copilotShell("/ws", 2)
      ]
      const ended = yield* signalbox(run([...steps, call("open", { title: "wait" })].map(stepOf)))
      assert.strictEqual(ended.stderr.match(/ · exit 2$/gm)?.length, 3, ended.stderr)
      assert.match(ended.stderr, /✗ Was at this: wait · ended$/m)
    })
  )
})

const stepOf = (step: object): object => ("sessionUpdate" in step ? { update: step } : step)

describe("what a tool answers", () => {
  it.each<readonly [string, unknown, ToolResult | undefined]>([
    ["a code behind the other", { exitCode: 1, metadata: { exit: 2 } }, { exitCode: 1 }],
    ["no code where it was killed", { output: "x", metadata: { exit: null } }, { text: "x" }],
    ["no code of another type", { output: "x", metadata: { exit: "1" } }, { text: "x" }],
    ["no code that is no whole number", { exitCode: 1.5, metadata: { exit: 1e300 } }, undefined],
    [
      "that something is cut, beside it",
      { output: "x", metadata: { truncated: true } },
      { text: "x", truncated: true }
    ],
    [
      "the first code that is not 0",
      { contents: [{ exitCode: 0 }, { exitCode: 3 }, { exitCode: 4 }] },
      { exitCode: 3 }
    ],
    ["the last code where all are 0", { contents: [{}, { exitCode: 0 }, null] }, { exitCode: 0 }],
    ["a failure without a reason", [{ success: false }], { error: "It failed." }],
    ["a failure that is an object", [{ success: false, error: { message: "no" } }], { error: "no" }],
    ["no failure of another type", [{ success: "false", result: "x" }], { text: "x" }],
    ["no failure where there is an error, and success", [{ success: true, error: "old", result: "x" }], { text: "x" }],
    ["nothing of a list of nothing", [null, 1, "x", []], undefined]
  ])("is read: %s", (_, output, result) => {
    assert.deepStrictEqual(outcomeOf(output).result, result)
  })

  const names = Schema.Literals([
    "exitCode",
    "exit",
    "contents",
    "metadata",
    "error",
    "success",
    "result",
    "output",
    "content",
    "text",
    "truncated",
    "rejected",
    "stdout"
  ])
  const leaf = Schema.Union([Schema.Json, Schema.Literals([1e300, -1, 0.5, "exited with code 999999999999"])])
  const inner = Schema.Record(names, leaf)
  const output = Schema.Union([
    leaf,
    Schema.Record(names, Schema.Union([leaf, inner, Schema.Array(inner)])),
    Schema.Array(Schema.Union([leaf, inner]))
  ])
  const encode = Schema.encodeUnknownSync(ToolResult)

  it.prop(
    "is read whatever it is, as something that can be stored",
    { output: Arbitrary.schema(output) },
    ({ output }) => {
      const { result } = outcomeOf(output)
      if (result !== undefined) encode(result)
    }
  )
})

describe("the change that only a request for permission told of", () => {
  const diff = { type: "diff", path: "/ws/new.txt", oldText: null, newText: "new\n" } as const
  const asked = (session: ProjectionHarness) =>
    session.step(() => {
      SessionProjection.callOfRequest(session.state, { toolCallId: "a", content: [diff] })
    })
  const said = { content: [{ type: "content", content: { type: "text", text: "Written." } }] }
  const made = { path: "/ws/new.txt", oldText: null, newText: "new\n" }
  const shown = [made]

  it("stays if an update reports the outcome in words", () => {
    const session = begun()
    session.feed(call("a", { kind: "edit", title: "Write new.txt" }))
    asked(session)
    session.feed(change("a", { status: "completed", ...said }))
    assert.deepStrictEqual(lastOf(session)?.diffs, shown)
    assert.strictEqual(lastOf(session)?.status, "completed")
  })

  it("is still only wanted where a person refused it", () => {
    const session = begun()
    session.feed(call("a", { kind: "edit", title: "Write new.txt" }))
    asked(session)
    session.step(() => SessionProjection.decided(session.state, "a", "refused"))
    session.feed(change("a", { status: "completed", ...said }))
    assert.deepInclude(lastOf(session), { status: "rejected", diffs: shown })
  })

  it("gives way to what the agent sends of the change itself, and does not come back", () => {
    const session = begun()
    session.feed(call("a", { kind: "edit", title: "Write new.txt" }))
    asked(session)
    session.feed(change("a", { content: [{ ...diff, newText: "other\n" }] }))
    assert.deepStrictEqual(lastOf(session)?.diffs, [{ ...made, newText: "other\n" }])
    session.feed(change("a", { content: [] }))
    assert.deepStrictEqual(lastOf(session)?.diffs, [])
  })
})

describe("an output in another shape than the one before", () => {
  const outputs = (...rawOutputs: ReadonlyArray<unknown>): ToolCall => {
    const session = begun()
    session.feed(call("a"), ...rawOutputs.map((rawOutput) => change("a", { rawOutput })))
    session.feed(change("a", { status: "completed" }))
    const tool = lastOf(session)
    assert.isDefined(tool)
    return tool
  }

  it("takes back the error of the one before, as it does the status", () => {
    const tool = outputs({ error: "No such file" }, { another: "shape" })
    assert.strictEqual(tool.status, "completed")
    assert.isFalse(wentWrong(tool))
    assert.strictEqual(outputs({ another: "shape" }, { error: "No such file" }).status, "failed")
  })

  it("is read as it is, and leaves what was printed where it says nothing that is known", () => {
    assert.strictEqual(outputs("one", ["two"]).result?.text, "one")
    assert.strictEqual(outputs("one", { output: "two", exitCode: 1 }).result?.exitCode, 1)
    assert.deepStrictEqual(outputs({ output: "two", exitCode: 1 }, "one").result, { text: "one" })
  })
})

describe("the title of a call", () => {
  const titleAfter = (...sent: ReadonlyArray<object>): string | undefined => {
    const session = begun()
    const [first = {}, ...rest] = sent
    session.feed(change("a", first), ...rest.map((more) => change("a", more)))
    return lastOf(session)?.title
  }

  it("is never replaced by the name of the tool", () => {
    assert.strictEqual(titleAfter({ title: "echo hi" }, { name: "exec_command" }), "echo hi")
    assert.strictEqual(titleAfter({ title: "echo hi", name: "exec_command" }, { title: "exec_command" }), "echo hi")
    assert.strictEqual(titleAfter({ title: "Terminal" }, { name: "Bash", status: "completed" }), "Terminal")
  })

  it("is the name until there is a title", () => {
    assert.strictEqual(titleAfter({ name: "exec_command" }), "exec_command")
    assert.strictEqual(titleAfter({ name: "exec_command" }, { title: "echo hi" }), "echo hi")
  })
})
