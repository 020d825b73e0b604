import { describe, expect, it, vi } from "vitest"
import { objectIn, textIn, type JsonObject } from "../src/Json.ts"
import {
  AgentProcess,
  notFound,
  optionIn,
  outline,
  Place,
  requestsOf,
  select,
  textOf,
  tools,
  updatesOf
} from "./cursor/driver.ts"

const picker = { parameterizedModelPicker: true }

describe("reference transcripts", () => {
  it("T1: a rejected command completes without output, and the turn goes on to its end", async () => {
    const agent = new AgentProcess()
    agent.respond = () => select("reject-once")
    await agent.ask("run `npm test`")
    const [, , ...messages] = agent.messages
    expect(outline(messages)).toEqual([
      "available_commands_update",
      "session_info_update",
      "agent_thought_chunk",
      "tool_call `npm test` pending",
      "tool_call_update in_progress",
      "request session/request_permission",
      "tool_call_update completed",
      "agent_thought_chunk",
      "agent_message_chunk",
      "end_turn"
    ])
    const [request] = requestsOf(messages)
    expect(request).toMatchObject({
      id: 0,
      params: {
        toolCall: {
          title: "`npm test`",
          kind: "execute",
          content: [{ type: "content", content: { type: "text", text: "Shell allowlist is empty" } }]
        },
        options: [{ optionId: "allow-once" }, { optionId: "allow-always" }, { optionId: "reject-once" }]
      }
    })
    expect(objectIn(objectIn(request ?? {}, "params"), "toolCall")).not.toHaveProperty("rawInput")
    expect(tools(messages).at(-1)).not.toHaveProperty("rawOutput")
  })

  it("T2: February's build announces a tool twice and knows neither settings nor a cancel request", async () => {
    const agent = new AgentProcess({ generation: "2026.02", quirks: "perm_none" })
    await agent.initialize()
    expect(await agent.call("authenticate", { methodId: "cursor_login" })).toMatchObject({ result: {} })
    const created = await agent.call("session/new", { cwd: agent.place.workspace, mcpServers: [] })
    expect(Object.keys(objectIn(created, "result"))).toEqual(["sessionId", "modes"])
    const sessionId = textIn(objectIn(created, "result"), "sessionId") ?? ""
    await agent.update("available_commands_update")
    const turn = await agent.prompt(sessionId, "run `pwd`")
    expect(outline(turn)).toEqual([
      "agent_thought_chunk",
      "tool_call Terminal pending",
      "tool_call `pwd` pending",
      "tool_call_update in_progress",
      "tool_call_update completed",
      "agent_message_chunk",
      "end_turn"
    ])
    expect(new Set(tools(turn).map((update) => update["toolCallId"])).size).toBe(1)
    expect(tools(turn).at(-1)).toMatchObject({
      rawOutput: { exitCode: 0, stdout: `${agent.place.workspace}\n`, stderr: "" }
    })
    for (const method of ["session/cancel", "session/set_config_option"])
      expect(await agent.call(method, { sessionId })).toMatchObject({ error: { code: -32601, data: { method } } })
  })

  it("T3: a cancel notification ends a turn, and the next prompt works", async () => {
    const agent = new AgentProcess()
    const sessionId = await agent.open()
    const id = agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hang" }] })
    await agent.update("agent_thought_chunk")
    agent.send({ method: "session/cancel", params: { sessionId } })
    expect(await agent.answer(id)).toMatchObject({ result: { stopReason: "cancelled" } })
    expect(outline(await agent.prompt(sessionId, "hello")).at(-1)).toBe("end_turn")
  })

  it("T4: a second prompt cancels the first and then runs", async () => {
    const agent = new AgentProcess()
    const sessionId = await agent.open()
    const first = agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hang" }] })
    await agent.update("agent_thought_chunk")
    const second = await agent.prompt(sessionId, "hello")
    expect(await agent.answer(first)).toMatchObject({ result: { stopReason: "cancelled" } })
    expect(outline(second)).toEqual(["cancelled", "agent_thought_chunk", "agent_message_chunk", "end_turn"])
  })

  it("T5: parameters belong to the chosen model", async () => {
    const agent = new AgentProcess()
    const sessionId = await agent.open(picker)
    const set = async (configId: string, value: string) =>
      await agent.call("session/set_config_option", { sessionId, configId, value })
    const chosen = objectIn(await set("model", "claude-opus-5"), "result")
    for (const id of ["mode", "model", "thinking", "context", "effort", "fast"])
      expect(optionIn(chosen, id)).toHaveProperty("currentValue")
    expect(optionIn(objectIn(await set("effort", "max"), "result"), "effort")).toMatchObject({ currentValue: "max" })
    expect(await set("effort", "boundless")).toMatchObject({ error: { code: -32602 } })
    await set("model", "gemini-3.1-pro")
    expect(await set("effort", "max")).toMatchObject({
      error: { code: -32602, data: { message: "Unknown model config option: effort" } }
    })
  })

  it("T6: todos arrive as a request after their tool call, and an error for an answer does no harm", async () => {
    const agent = new AgentProcess()
    agent.respond = () => notFound
    const turn = await agent.ask("todos")
    const sequence = outline(turn)
    expect(sequence.slice(sequence.indexOf("tool_call Update TODOs pending"))).toEqual([
      "tool_call Update TODOs pending",
      "tool_call_update Update TODOs: Read the code",
      "tool_call_update Update TODOs: Read the code, Change it",
      "tool_call_update Update TODOs: Read the code, Change it, Run the tests",
      "tool_call_update in_progress",
      "tool_call_update completed",
      "request cursor/update_todos",
      "agent_message_chunk",
      "tool_call Update TODOs pending",
      "tool_call_update Update TODOs: Read the code",
      "tool_call_update Update TODOs: Read the code, Change it",
      "tool_call_update Update TODOs: Read the code, Change it, Run the tests",
      "tool_call_update in_progress",
      "tool_call_update completed",
      "request cursor/update_todos",
      "agent_message_chunk",
      "end_turn"
    ])
    expect(requestsOf(turn).map((request) => objectIn(request, "params"))).toMatchObject([
      { merge: false, todos: [{ id: "todo-1", content: "Read the code", status: "in_progress" }, {}, {}] },
      { merge: true, todos: [{ id: "todo-1", status: "completed" }, {}, {}] }
    ])
    await vi.waitFor(() => expect(agent.stderr).toContain("ACP extension notification failed"))
  })

  it("T7: the mode is announced before it is confirmed, and an accepted plan ends the turn", async () => {
    const agent = new AgentProcess()
    agent.respond = () => ({ result: { outcome: { outcome: "accepted" } } })
    const sessionId = await agent.open()
    const answer = await agent.call("session/set_mode", { sessionId, modeId: "plan" })
    const told = await agent.update("current_mode_update")
    expect(answer).toMatchObject({ result: {} })
    expect(agent.messages.indexOf(told)).toBeLessThan(agent.messages.indexOf(answer))
    const turn = await agent.prompt(sessionId, "make a plan")
    expect(outline(turn).filter((line) => !line.startsWith("session_info") && !line.startsWith("available"))).toEqual([
      "agent_thought_chunk",
      "plan",
      "tool_call Create Plan pending",
      "tool_call_update Create Plan: Greeting",
      "tool_call_update in_progress",
      "request cursor/create_plan",
      "tool_call_update completed",
      "agent_message_chunk",
      "end_turn"
    ])
  })

  it("T8: after a kill, another process loads the session, replays it and goes on", async () => {
    const place = new Place()
    const first = new AgentProcess({ place })
    const sessionId = await first.open()
    await first.prompt(sessionId, "run `pwd`").catch(() => {})
    await first.kill()

    const second = new AgentProcess({ place, env: { FAKE_CURSOR_SEED: "8" } })
    await second.initialize()
    const start = second.messages.length
    const loaded = await second.call("session/load", { sessionId, cwd: place.workspace, mcpServers: [] })
    const replayed = second.messages.slice(start, second.messages.indexOf(loaded))
    expect(outline(replayed)).toEqual([
      "user_message_chunk",
      "agent_thought_chunk",
      "tool_call `pwd` pending",
      "tool_call_update completed",
      "agent_thought_chunk",
      "agent_message_chunk"
    ])
    expect(textOf(replayed, "user_message_chunk")).toBe("run `pwd`")
    expect(tools(replayed).map((update) => update["toolCallId"])).toEqual(["replay-0-1", "replay-0-1"])
    expect(objectIn(loaded, "result")).not.toHaveProperty("sessionId")
    expect(objectIn(loaded, "result")).toHaveProperty("configOptions")
    expect(outline(await second.prompt(sessionId, "hello")).at(-1)).toBe("end_turn")
  })

  it("T9: without an account, the handshake works and a session does not", async () => {
    const agent = new AgentProcess({ env: { FAKE_CURSOR_AUTH: "none" } })
    expect(await agent.initialize()).toHaveProperty("result")
    expect(await agent.call("authenticate", { methodId: "cursor_login" })).toMatchObject({ error: { code: -32602 } })
    expect(await agent.call("session/new", { cwd: "/", mcpServers: [] })).toMatchObject({
      error: { code: -32000, message: "Authentication required" }
    })
  })

  it("T10: after a prompt the end of input is not the end of the process, SIGTERM is", async () => {
    const agent = new AgentProcess()
    await agent.ask("hello")
    agent.child.stdin.end()
    await vi.waitFor(() => expect(agent.place.logged()).toContainEqual(expect.objectContaining({ type: "eof" })))
    process.kill(agent.child.pid ?? 0, "SIGTERM")
    expect(await agent.exited).toEqual({ code: 143, signal: null })
    expect(agent.place.logged().at(-1)).toMatchObject({ type: "exit", code: 143, reason: "SIGTERM" })
  })

  it("T11: a fetch is asked for before there is a tool call, under another id, while thoughts go on", async () => {
    const agent = new AgentProcess()
    const held: Array<JsonObject> = []
    agent.respond = (request) => {
      held.push(request)
      return undefined
    }
    const sessionId = await agent.open()
    const id = agent.request("session/prompt", {
      sessionId,
      prompt: [{ type: "text", text: "fetch https://example.com/page" }]
    })
    const request = await agent.until((message) => message["method"] === "session/request_permission")
    expect(request).toMatchObject({
      params: { toolCall: { toolCallId: "web_fetch_0", title: "Fetch https://example.com/page", kind: "fetch" } }
    })
    const asked = agent.messages.indexOf(request)
    await agent.until((message) => agent.messages.indexOf(message) > asked && message["method"] === "session/update")
    expect(tools(agent.messages)).toEqual([])
    agent.send({ id: held[0]?.["id"] ?? null, ...select("allow-once") })
    await agent.answer(id)
    const frames = tools(agent.messages)
    expect(frames.map((frame) => frame["toolCallId"])).not.toContain("web_fetch_0")
    expect(frames.at(-1)).toMatchObject({ status: "completed", rawOutput: { success: true } })
  })

  it("T12: a background task asks for a permission after its turn has ended", async () => {
    const agent = new AgentProcess()
    const turn = await agent.ask("[[fake:task bg]]")
    expect(outline(turn).at(-1)).toBe("end_turn")
    expect(requestsOf(turn).map((request) => request["method"])).toEqual(["cursor/task"])
    expect(objectIn(requestsOf(turn)[0] ?? {}, "params")).toMatchObject({ durationMs: 200 })
    const late = await agent.until((message) => message["method"] === "session/request_permission")
    expect(agent.messages.indexOf(late)).toBeGreaterThan(agent.messages.indexOf(turn.at(-1) ?? {}))
    expect(updatesOf(turn).at(-1)).toMatchObject({ sessionUpdate: "agent_message_chunk" })
  })
})
