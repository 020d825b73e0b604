import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { listIn, objectIn } from "../src/Json.ts"
import { AgentProcess, outline, requestsOf, select, tools } from "./cursor/driver.ts"

const allowed = { quirks: "perm_mode=unrestricted" }
const frames = async (quirks: string, prompt: string) => {
  const agent = new AgentProcess({ quirks: `${allowed.quirks},${quirks}` })
  writeFileSync(join(agent.place.workspace, "a.txt"), "first\nsecond\nthird\n")
  return tools(await agent.ask(prompt))
}
const titles = async (quirks: string, prompt: string) =>
  (await frames(quirks, prompt)).map((frame) => [frame["sessionUpdate"], frame["title"]])

describe("switches of tools", () => {
  it("dup_tool_call", async () => {
    expect((await titles("dup_tool_call", "run `pwd`")).slice(0, 2)).toEqual([
      ["tool_call", "Terminal"],
      ["tool_call", "`pwd`"]
    ])
  })

  it("generic_tool_call", async () => {
    expect(await titles("generic_tool_call", "edit a.txt")).toEqual([
      ["tool_call", "Edit File"],
      ["tool_call_update", undefined],
      ["tool_call_update", undefined]
    ])
  })

  it("enrich_update", async () => {
    const [first, second] = await frames("", "edit a.txt")
    expect(first).toMatchObject({ title: "Edit File", rawInput: {}, status: "pending" })
    expect(second).toMatchObject({ sessionUpdate: "tool_call_update", locations: [{}] })
    expect(second).not.toHaveProperty("status")
    expect((await titles("-enrich_update", "edit a.txt"))[0]).toEqual(["tool_call", expect.stringMatching(/^Edit `/)])
  })

  it("mcp_identity_missing", async () => {
    expect((await frames("mcp_identity_missing", "[[fake:mcp docs lookup]]"))[0]).toMatchObject({
      title: "MCP: lookup",
      rawInput: {}
    })
    expect((await frames("", "[[fake:mcp docs lookup]]"))[0]).toMatchObject({
      title: "docs: lookup",
      rawInput: { providerIdentifier: "docs", toolName: "lookup" }
    })
  })

  it("newfile_diff_header", async () => {
    const [diff] = listIn((await frames("", "create new.txt")).at(-1) ?? {}, "content")
    expect(diff).toMatchObject({ oldText: "-- /dev/null", newText: expect.stringMatching(/^\+\+ b\/\/.*new\.txt\n/) })
    const [plain] = listIn((await frames("-newfile_diff_header", "create new.txt")).at(-1) ?? {}, "content")
    expect(plain).toMatchObject({ oldText: null, newText: "Written by the simulated agent.\n" })
  })

  it("hunk_diffs", async () => {
    const [diff] = listIn((await frames("hunk_diffs", "edit a.txt")).at(-1) ?? {}, "content")
    expect(diff).toMatchObject({
      oldText: "first\n...\nthird",
      newText: "first\n...\nEdited by the simulated agent."
    })
  })

  it("newline_ids", async () => {
    expect((await frames("newline_ids", "read a.txt"))[0]?.["toolCallId"]).toMatch(/^call-[0-9a-f]+\nfc_[0-9a-f]+$/)
  })

  it("toolu_ids", async () => {
    expect((await frames("toolu_ids", "read a.txt"))[0]?.["toolCallId"]).toMatch(/^toolu_vrtx_01/)
  })

  it("allow_exec", async () => {
    const command = "run `printf %s $((6 * 7)) | tr 4 X`"
    expect((await frames("allow_exec", command)).at(-1)).toMatchObject({ rawOutput: { exitCode: 0, stdout: "X2" } })
    expect((await frames("", command)).at(-1)).toMatchObject({ rawOutput: { exitCode: 127, stdout: "" } })
  })

  it("plan_mode_blocks_edit", async () => {
    const edit = async (quirks: string) => {
      const agent = new AgentProcess({ quirks })
      const sessionId = await agent.open()
      await agent.call("session/set_mode", { sessionId, modeId: "plan" })
      return tools(await agent.prompt(sessionId, "create b.txt"))
    }
    const blocked = await edit("")
    expect(blocked.map((frame) => frame["status"])).toEqual(["pending", undefined, "completed"])
    expect(blocked.at(-1)).not.toHaveProperty("content")
    expect((await edit("-plan_mode_blocks_edit")).at(-1)).toHaveProperty("content")
  })

  it("reject_completed_no_output", async () => {
    const rejected = async (quirks: string) => {
      const agent = new AgentProcess({ quirks })
      agent.respond = () => select("reject-once")
      return tools(await agent.ask("run `ls`")).at(-1)
    }
    expect(await rejected("")).not.toHaveProperty("rawOutput")
    expect(await rejected("-reject_completed_no_output")).toMatchObject({ rawOutput: { rejected: true } })
  })

  it("task_late", async () => {
    const agent = new AgentProcess({ quirks: "task_late" })
    const turn = await agent.ask("delegate this")
    const [request] = requestsOf(turn)
    const sequence = outline(turn)
    expect(sequence.indexOf("request cursor/task")).toBeLessThan(
      sequence.indexOf("tool_call Task: Subagent task pending")
    )
    expect(objectIn(request ?? {}, "params")["toolCallId"]).toBe(tools(turn)[0]?.["toolCallId"])
  })
})
