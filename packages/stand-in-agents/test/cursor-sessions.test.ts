import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { listIn, objectIn, textIn } from "../src/Json.ts"
import { AgentProcess, optionIn, outline, Place, textOf, updatesOf } from "./cursor/driver.ts"

const generations = ["2026.02", "2026.08", "2026.10"] as const

describe("generations", () => {
  it.each(generations)("%s describes itself in initialize as it did", async (generation) => {
    const { result } = await new AgentProcess({ generation }).initialize({ subagents: {} })
    expect(result).toMatchObject({
      protocolVersion: 1,
      agentCapabilities: {
        loadSession: true,
        mcpCapabilities: { http: true, sse: true },
        promptCapabilities: { audio: false, embeddedContext: false, image: true }
      },
      authMethods: [{ id: "cursor_login", name: "Cursor Login" }]
    })
    expect(result).not.toHaveProperty("agentInfo")
    const old = generation === "2026.02"
    expect(JSON.stringify(result).includes("Run 'cursor agent login' first")).toBe(old)
    const capabilities = { "2026.02": undefined, "2026.08": { list: {} }, "2026.10": { list: {}, subagents: {} } }
    expect(objectIn(objectIn({ result }, "result"), "agentCapabilities")["sessionCapabilities"]).toEqual(
      capabilities[generation]
    )
  })

  it.each(generations)("%s knows the methods that it knew", async (generation) => {
    const agent = new AgentProcess({ generation })
    const sessionId = await agent.open()
    const known = async (method: string) => {
      const { error } = await agent.call(method, { sessionId })
      return objectIn({ error }, "error")["code"] !== -32601
    }
    const recent = ["session/set_model", "session/set_config_option", "session/list", "cursor/list_available_models"]
    for (const method of recent) expect(await known(method)).toBe(generation !== "2026.02")
    for (const method of ["authenticate", "session/load", "session/set_mode"]) expect(await known(method)).toBe(true)
    for (const name of ["session/resume", "session/fork", "session/close", "session/delete", "logout", "nonsense"])
      expect(await known(name)).toBe(false)
  })

  it("a tool call has a shape of its own in each", async () => {
    const shapes = generations.map(async (generation) => {
      const agent = new AgentProcess({ generation, quirks: "perm_mode=unrestricted" })
      return outline(await agent.ask("read missing.txt")).filter((line) => line.startsWith("tool_call"))
    })
    const rest = ["tool_call_update in_progress", "tool_call_update completed"]
    expect(await Promise.all(shapes)).toEqual([
      ["tool_call Read File pending", "tool_call Read missing.txt pending", ...rest],
      ["tool_call Read File pending", ...rest],
      ["tool_call Read missing.txt pending", ...rest]
    ])
  })

  it("parameters are separate settings for clients that say exactly so, and since August only", async () => {
    const settings = async (generation: (typeof generations)[number], picker: boolean | string) => {
      const agent = new AgentProcess({ generation })
      await agent.initialize({ parameterizedModelPicker: picker })
      const created = await agent.call("session/new", { cwd: "/", mcpServers: [] })
      const result = objectIn(created, "result")
      return listIn(result, "configOptions").map((option) => objectIn({ option }, "option")["id"])
    }
    expect(await settings("2026.10", true)).toEqual(["mode", "model", "fast"])
    expect(await settings("2026.08", true)).toEqual(["mode", "model", "fast"])
    expect(await settings("2026.10", "true")).toEqual(["mode", "model"])
    expect(await settings("2026.10", false)).toEqual(["mode", "model"])
    expect(await settings("2026.02", true)).toEqual([])
  })
})

describe("settings", () => {
  it("without a picker, a model is chosen by a listed variant only", async () => {
    const agent = new AgentProcess()
    const sessionId = await agent.open()
    const set = (value: string) => agent.call("session/set_config_option", { sessionId, configId: "model", value })
    const variant = "claude-opus-5[thinking=true,context=300k,effort=high,fast=false]"
    const { result } = await set(variant)
    expect(optionIn(objectIn({ result }, "result"), "model")).toMatchObject({ currentValue: variant })
    expect(await set("claude-opus-5[thinking=true,context=1m,effort=high,fast=false]")).toMatchObject({
      error: { code: -32602, data: { message: expect.stringContaining("Invalid model value: claude-opus-5[") } }
    })
    expect(await agent.call("session/set_model", { sessionId, modelId: "gemini-3.1-pro[]" })).toMatchObject({
      result: {}
    })
  })

  it("a mode set as an option is announced after the reply; aliases work; unknown modes do not", async () => {
    const agent = new AgentProcess()
    const sessionId = await agent.open()
    const reply = await agent.call("session/set_config_option", { sessionId, configId: "mode", value: "ask" })
    const told = await agent.update("current_mode_update")
    expect(agent.messages.indexOf(told)).toBeGreaterThan(agent.messages.indexOf(reply))
    expect(await agent.call("session/set_mode", { sessionId, modeId: "architect" })).toMatchObject({ result: {} })
    expect(updatesOf(agent.messages).at(-1)).toMatchObject({ currentModeId: "plan" })
    expect(await agent.call("session/set_mode", { sessionId, modeId: "x" })).toMatchObject({ error: { code: -32602 } })
  })

  it("every model is listed with its parameters without being chosen", async () => {
    const agent = new AgentProcess()
    await agent.initialize()
    const { result } = await agent.call("cursor/list_available_models")
    expect(listIn(objectIn({ result }, "result"), "models")).toContainEqual({
      value: "glm-5.2",
      name: "GLM 5.2",
      configOptions: [expect.objectContaining({ id: "reasoning", type: "select", currentValue: "high" })]
    })
  })
})

describe("sessions", () => {
  it("are kept from their first prompt on, and listed by folder, latest first", async () => {
    const place = new Place()
    const agent = new AgentProcess({ place })
    const sessionId = await agent.open()
    const folder = join(place.state, "acp-sessions", sessionId)
    expect(existsSync(folder)).toBe(false)
    await agent.prompt(sessionId, "write a robotics essay")
    expect(existsSync(join(folder, "turns.jsonl"))).toBe(true)
    const other = new AgentProcess({ place })
    await other.initialize()
    const list = (params: Record<string, string>) => other.call("session/list", params)
    expect(await list({})).toMatchObject({
      result: { sessions: [{ sessionId, cwd: place.workspace, title: "Write A Robotics Essay" }] }
    })
    expect(await list({ cwd: "/elsewhere" })).toMatchObject({ result: { sessions: [] } })
    expect(await list({ cursor: "next" })).toMatchObject({ error: { code: -32602 } })
  })

  it("a cancelled turn is left out of them", async () => {
    const place = new Place()
    const agent = new AgentProcess({ place })
    const sessionId = await agent.open()
    const id = agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hang" }] })
    await agent.update("agent_thought_chunk")
    agent.send({ method: "session/cancel", params: { sessionId } })
    await agent.answer(id)
    await agent.prompt(sessionId, "hello")
    const other = new AgentProcess({ place })
    await other.initialize()
    await other.call("session/load", { sessionId, cwd: place.workspace, mcpServers: [] })
    expect(textOf(other.messages, "user_message_chunk")).toBe("hello")
  })

  it("unknown ones are errors of their own kind", async () => {
    const agent = new AgentProcess()
    await agent.initialize()
    const load = (params: Record<string, string>) => agent.call("session/load", params)
    expect(await load({})).toMatchObject({ error: { code: -32602 } })
    for (const sessionId of ["nobody", "../../etc"])
      expect(await load({ sessionId })).toMatchObject({
        error: { code: -32602, data: { message: `Session "${sessionId}" not found` } }
      })
    expect(await agent.call("session/prompt", { sessionId: "nobody", prompt: [] })).toMatchObject({
      error: { code: -32603, data: { details: "Session nobody not found" } }
    })
  })

  it("run beside each other in one process", async () => {
    const agent = new AgentProcess()
    const first = await agent.open()
    const created = await agent.call("session/new", { cwd: agent.place.workspace, mcpServers: [] })
    const second = textIn(objectIn(created, "result"), "sessionId") ?? ""
    const hanging = agent.request("session/prompt", { sessionId: first, prompt: [{ type: "text", text: "hang" }] })
    expect(outline(await agent.prompt(second, "hello")).at(-1)).toBe("end_turn")
    expect(agent.messages.some((message) => message["id"] === hanging)).toBe(false)
  })

  it("a login that ends in the middle of one is reported as text", async () => {
    const place = new Place()
    const env = { FAKE_CURSOR_AUTH: "none" }
    const login = new AgentProcess({ place, env, argv: ["login"] })
    await login.exited
    const agent = new AgentProcess({ place, env })
    const sessionId = await agent.open()
    await new AgentProcess({ place, env, argv: ["logout"] }).exited
    expect(textOf(await agent.prompt(sessionId, "hello"))).toBe("Please sign in to continue")
  })
})

describe("JSON-RPC", () => {
  it("survives lines that are no messages, unknown notifications and answers that nobody waits for", async () => {
    const agent = new AgentProcess()
    agent.write(
      'not json\n\n[1,2]\n"text"\n{"jsonrpc":"2.0","method":"$/unknown"}\n{"jsonrpc":"2.0","id":99,"result":{}}\n'
    )
    expect(await agent.initialize()).toHaveProperty("result")
    expect(agent.stderr).toContain("Failed to parse JSON message: not json")
  })

  it("puts a message together that arrives in pieces, cut within a character", async () => {
    const agent = new AgentProcess()
    const sessionId = await agent.open()
    const params = { sessionId, prompt: [{ type: "text", text: "日本語" }] }
    const line = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id: 50, method: "session/prompt", params })}\n`)
    const cut = line.indexOf(0xe6) + 1
    await new Promise((resolve) => agent.child.stdin.write(line.subarray(0, cut), resolve))
    agent.child.stdin.write(line.subarray(cut))
    await agent.answer(50)
    expect(textOf(agent.messages)).toContain("日本語")
  })

  it("leaves a log of both directions, with secrets left out", async () => {
    const agent = new AgentProcess({ env: { CURSOR_API_KEY: "hush", NODE_OPTIONS: "" } })
    await agent.ask("hello")
    const entries = agent.place.logged()
    expect(entries[0]).toMatchObject({
      type: "start",
      argv: ["acp"],
      cwd: agent.place.workspace,
      env: { CURSOR_API_KEY: "[set]", CURSOR_INVOKED_AS: "agent" }
    })
    const sent = entries.filter((entry) => entry["type"] === "sent").map((entry) => entry["message"])
    expect(sent).toEqual(agent.messages)
    const received = entries.find((entry) => entry["type"] === "received")
    expect(received).toMatchObject({ message: { method: "initialize" } })
    expect(JSON.stringify(entries)).not.toContain("hush")
  })
})
