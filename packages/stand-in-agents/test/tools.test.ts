/** The tool caller carries out the script in its prompt. */
import * as acp from "@agentclientprotocol/sdk"
import { assert, describe, it } from "vitest"
import { mcpServer } from "./support/McpServer.ts"
import { standIn, textOf, type Visit, withAgent } from "./support/WholeClient.ts"

const visit = async (use: (visit: Visit) => Promise<void>) =>
  assert.strictEqual(await withAgent(standIn("tools"), use), 0)

describe("The tool caller", () => {
  it("says, lists, calls and writes in the order of its script, and goes on behind what failed", () =>
    visit(async ({ heard, newSession, prompt }) => {
      const { sessionId } = await newSession("/project", [mcpServer("calc")])
      const script = [
        { say: "First. " },
        { list: "calc" },
        { call: "add", server: "calc", with: { a: 2, b: 3 } },
        { call: "no-such-tool", server: "calc" },
        { list: "nowhere" },
        { write: "notes.txt", text: "noted" }
      ]
      assert.strictEqual((await prompt(sessionId, JSON.stringify(script))).stopReason, "end_turn")
      assert.strictEqual(
        textOf(heard),
        `First. OK: add\nOK: [{"type":"text","text":"5"}]\nERROR: calc has no tool no-such-tool\n` +
          "ERROR: MCP server 'nowhere' not found\nOK: wrote notes.txt\n"
      )
      assert.deepStrictEqual(
        heard.updates.flatMap((update) => (update.sessionUpdate === "tool_call_update" ? [update.status] : [])),
        ["completed", "completed", "failed", "failed", "completed"]
      )
      assert.deepStrictEqual(heard.asked, ["fs/write_text_file"])
    }))

  it("says what is no script", () =>
    visit(async ({ heard, newSession, prompt }) => {
      const { sessionId } = await newSession("/")
      await prompt(sessionId, "Hello")
      assert.include(textOf(heard), "This is no script.")
    }))

  it("ends a call when its turn is cancelled", () =>
    visit(async ({ agent, hears, newSession, prompt }) => {
      const mute = { name: "mute", command: process.execPath, args: ["-e", "process.stdin.resume()"], env: [] }
      const { sessionId } = await newSession("/", [mute])
      const ended = prompt(sessionId, '[{"list":"mute"}]')
      await hears(({ sessionUpdate }) => sessionUpdate === "tool_call")
      await agent.notify(acp.methods.agent.session.cancel, { sessionId })
      assert.strictEqual((await ended).stopReason, "cancelled")
    }))
})
