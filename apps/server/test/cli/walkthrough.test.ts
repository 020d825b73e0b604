/** Walkthroughs in the terminal, through real programs, and what is kept of their tool calls. */
import { assert, describe, it } from "@effect/vitest"
import * as Seal from "@signalbox/conductor/Seal"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"
import { standIn } from "../../../../packages/stand-in-agents/test/support/WholeClient.ts"
import { toolReport } from "../../src/cli/terminal/ToolText.ts"
import { call as toolCall, projection } from "../support/ProjectionHarness.ts"
import { call } from "./support/Signalbox.ts"

const title = "How a request comes in"
const steps = [
  {
    title: "The door",
    text: "Requests come in here.\n\nThen they are read.",
    path: "src/main.ts",
    firstLine: 10,
    lastLine: 20
  },
  { title: "The end" }
]

const told = (meta: object) => ({
  title: `Walkthrough: ${title}`,
  status: "completed",
  content: [{ type: "content", content: { type: "text", text: "As text" } }],
  _meta: meta
})

describe("signalbox run with the component walkthrough", () => {
  it.live("prints the steps in order, with their places and texts, and so does a replay of its tape", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const [command, ...args] = standIn("tools")
      const agent = { command, args: [...args, "--http"], components: [{ component: "walkthrough" }] }
      writeFileSync(join(state, "settings.json"), JSON.stringify({ agents: { mine: agent } }), { mode: 0o600 })
      const options = { env: { SIGNALBOX_STATE_DIR: state } }
      const script = JSON.stringify([{ call: "present_walkthrough", server: "walkthrough", with: { title, steps } }])
      const tape = join(temporaryFolder("tape"), "tape.ndjson")
      const lines = [
        `✓ Walkthrough: ${title}`,
        "    1. The door · src/main.ts:10-20",
        "       Requests come in here.",
        "",
        "       Then they are read.",
        "    2. The end",
        ""
      ].join("\n")
      const ran = yield* call(["run", "--tape", tape, "--provider", "mine", script], options)
      assert.strictEqual(ran.code, 0, ran.stderr)
      assert.include(`${ran.stdout}${ran.stderr}`, lines)
      const replayed = yield* call(["replay", tape])
      assert.strictEqual(replayed.code, 0, replayed.stderr)
      assert.include(`${replayed.stdout}${replayed.stderr}`, lines)
    })
  )
})

describe("The tool call of a walkthrough", () => {
  it("keeps it, without an input of the agent; what hides in it is shown in the terminal", () => {
    const session = projection()
    session.begin("t1")
    const odd = { title, steps: [{ title: "A\u202eB", text: "c\u001b[2Jd\re", path: "x\u202ey" }] }
    session.feed(toolCall("w", told({ "signalbox/walkthrough": odd, ...session.state.seal.mark() })))
    const [{ tool } = assert.fail("no call")] = session.of("tool.completed")
    assert.deepStrictEqual<unknown>(tool.walkthrough, odd)
    const report = toolReport(tool).map(String).join("\n")
    // oxlint-disable-next-line no-control-regex
    assert.notMatch(report, /[\u0000-\u0009\u000b-\u001f\u202e]/)
    assert.include(report, "1. A")
  })

  it("is an ordinary call without the seal of the chain, as an agent may send it", () => {
    const said = { title, steps: [{ title: "x" }] }
    for (const meta of [{}, Seal.make().mark(), { "signalbox/seal": true }]) {
      const session = projection()
      session.begin("t1")
      session.feed(toolCall("w", told({ "signalbox/walkthrough": said, "signalbox/research": {}, ...meta })))
      const [{ tool } = assert.fail("no call")] = session.of("tool.completed")
      assert.isUndefined(tool.walkthrough)
      assert.isUndefined(tool.research)
      assert.deepStrictEqual(tool.content, [{ type: "text", text: "As text" }])
    }
  })

  it("is an ordinary call with a mark that has come before, as an agent may read it", () => {
    const session = projection()
    session.begin("t1")
    const update = told({ "signalbox/walkthrough": { title, steps: [{ title: "x" }] }, ...session.state.seal.mark() })
    session.feed(toolCall("w", update), toolCall("forged", update))
    assert.deepStrictEqual(
      session.of("tool.completed").map(({ tool }) => [tool.toolCallId, tool.walkthrough?.title]),
      [
        ["w", title],
        ["forged", undefined]
      ]
    )
  })

  it("that is malformed is an ordinary call, of which nothing is lost", () => {
    for (const said of [7, { title }, { title, steps: [] }, { title, steps: [{ title: "x", firstLine: -1 }] }]) {
      const session = projection()
      session.begin("t1")
      session.feed(toolCall("w", told({ "signalbox/walkthrough": said, ...session.state.seal.mark() })))
      const [{ tool } = assert.fail("no call")] = session.of("tool.completed")
      assert.isUndefined(tool.walkthrough)
      assert.deepStrictEqual(tool.content, [{ type: "text", text: "As text" }])
    }
  })
})
