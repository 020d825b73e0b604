import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { listIn, objectIn, type JsonObject } from "../src/Json.ts"
import { AgentProcess, optionIn, Place, run, textOf, updatesOf } from "./cursor/driver.ts"

const picker = { parameterizedModelPicker: true }

/** Prompts once in one process, then loads that session in another. */
const load = async (quirks: string) => {
  const place = new Place()
  const first = new AgentProcess({ place })
  const sessionId = await first.open()
  await first.prompt(sessionId, "hello")
  await first.kill()
  const agent = new AgentProcess({ place, quirks })
  await agent.initialize()
  const answer = await agent.call("session/load", { sessionId, cwd: place.workspace, mcpServers: [] })
  return {
    answer,
    result: objectIn(answer, "result"),
    sessionId,
    replayed: updatesOf(agent.messages.slice(0, agent.messages.indexOf(answer)))
  }
}

const created = async (quirks: string, meta?: JsonObject) => {
  const agent = new AgentProcess({ quirks })
  await agent.initialize(meta)
  return { agent, answer: await agent.call("session/new", { cwd: agent.place.workspace, mcpServers: [] }) }
}

describe("switches of sessions, accounts and models", () => {
  it("load_not_found", async () => {
    const { answer, sessionId } = await load("load_not_found")
    expect(answer).toMatchObject({ error: { code: -32602, data: { message: `Session "${sessionId}" not found` } } })
  })

  it("load_no_replay", async () => {
    expect((await load("load_no_replay")).replayed).toEqual([])
    expect((await load("")).replayed.length).toBeGreaterThan(0)
  })

  it("load_no_config", async () => {
    const { result } = await load("load_no_config")
    expect(result).toHaveProperty("models")
    expect(result).not.toHaveProperty("configOptions")
  })

  it("load_no_session_id", async () => {
    const { result, sessionId } = await load("-load_no_session_id")
    expect(result).toMatchObject({ sessionId })
  })

  it("new_transient_error", async () => {
    const { agent, answer } = await created("new_transient_error")
    expect(answer).toMatchObject({
      error: { code: -32603, data: { details: "Failed to initialize session services" } }
    })
    expect(await agent.call("session/new", { cwd: "/", mcpServers: [] })).toHaveProperty("result.sessionId")
  })

  it("new_without_init", async () => {
    const without = (quirks: string) => new AgentProcess({ quirks }).call("session/new", { cwd: "/", mcpServers: [] })
    expect(await without("new_without_init")).toHaveProperty("result.sessionId")
    expect(await without("")).toMatchObject({ error: { code: -32603 } })
  })

  it("auth_required", async () => {
    expect((await created("auth_required")).answer).toMatchObject({ error: { code: -32000 } })
  })

  it("auth_browser_error", async () => {
    const { agent, answer } = await created("auth_browser_error")
    expect(answer).toHaveProperty("result.sessionId")
    expect(await agent.call("authenticate", { methodId: "cursor_login" })).toMatchObject({
      error: { code: -32602, data: { message: expect.stringContaining("Failed to open browser for login") } }
    })
  })

  it("auth_hang", async () => {
    const agent = new AgentProcess({ quirks: "auth_hang" })
    const id = agent.request("authenticate", { methodId: "cursor_login" })
    await agent.open()
    expect(agent.messages.some((message) => message["id"] === id)).toBe(false)
  })

  it("set_model_auto_only", async () => {
    const { agent, answer } = await created("set_model_auto_only")
    const { sessionId } = objectIn(answer, "result")
    const set = (modelId: string) => agent.call("session/set_model", { sessionId, modelId })
    expect(await set("default")).toMatchObject({ result: {} })
    expect(await set("gemini-3.1-pro[]")).toMatchObject({ error: { code: -32602 } })
  })

  it("model_global", async () => {
    const shared = async (quirks: string) => {
      const place = new Place()
      const agent = new AgentProcess({ place, quirks })
      const first = await agent.open(picker)
      const second = objectIn(await agent.call("session/new", { cwd: "/", mcpServers: [] }), "result")
      await agent.call("session/set_config_option", { sessionId: first, configId: "model", value: "glm-5.2" })
      const mode = { sessionId: second["sessionId"], configId: "mode", value: "ask" }
      const other = objectIn(await agent.call("session/set_config_option", mode), "result")
      const next = new AgentProcess({ place, quirks })
      await next.initialize(picker)
      const later = objectIn(await next.call("session/new", { cwd: "/", mcpServers: [] }), "result")
      return { place, models: [other, later].map((result) => optionIn(result, "model")["currentValue"]) }
    }
    const { place, models } = await shared("")
    expect(models).toEqual(["glm-5.2", "glm-5.2"])
    expect(JSON.parse(readFileSync(join(place.state, "cli-config.json"), "utf8"))).toMatchObject({
      selectedModel: { modelId: "glm-5.2", parameters: [{ id: "reasoning", value: "high" }] }
    })
    expect((await shared("-model_global")).models).toEqual(["composer-2.5", "composer-2.5"])
  })

  it("model_unroutable", async () => {
    const agent = new AgentProcess({ quirks: "model_unroutable=composer-2.5" })
    expect(textOf(await agent.ask("hello"))).toContain('AI Model Not Found Model name is not valid: "composer-2.5"')
  })

  it("icon_names", async () => {
    const names = async (quirks: string) => {
      const { agent, answer } = await created(quirks, picker)
      const { sessionId } = objectIn(answer, "result")
      const params = { sessionId, configId: "model", value: "claude-opus-5" }
      const result = objectIn(await agent.call("session/set_config_option", params), "result")
      return ["thinking", "fast"].map((id) => listIn(optionIn(result, id), "options")[1])
    }
    expect(await names("")).toEqual([
      { value: "true", name: ":icon-brain:" },
      { value: "true", name: "Fast\u200b" }
    ])
    expect(await names("-icon_names")).toEqual([
      { value: "true", name: "On" },
      { value: "true", name: "Fast" }
    ])
  })

  it("bool_params", async () => {
    const { agent, answer } = await created("bool_params", picker)
    expect(optionIn(objectIn(answer, "result"), "fast")).toMatchObject({ type: "boolean", currentValue: true })
    const { sessionId } = objectIn(answer, "result")
    const changed = await agent.call("session/set_config_option", { sessionId, configId: "fast", value: false })
    expect(optionIn(objectIn(changed, "result"), "fast")).toMatchObject({ currentValue: false })
  })

  it("names_bare", async () => {
    const names = async (quirks: string) => {
      const { answer } = await created(quirks)
      return listIn(optionIn(objectIn(answer, "result"), "model"), "options")
    }
    expect(await names("")).toContainEqual({ value: "gemini-3.1-pro[]", name: "gemini-3.1-pro" })
    expect(await names("")).toContainEqual({ value: "default[]", name: "Auto" })
    expect(await names("-names_bare")).toContainEqual({ value: "gemini-3.1-pro[]", name: "Gemini 3.1 Pro" })
  })

  it("slow_models", async () => {
    // Slow in comparison: a later question is answered first.
    const agent = new AgentProcess({ quirks: "slow_models=5000" })
    await agent.initialize()
    // In one write, so that the emulator has both before its time goes on.
    const requests = [
      { id: 50, method: "cursor/list_available_models", params: {} },
      { id: 51, method: "session/new", params: { cwd: "/", mcpServers: [] } }
    ]
    agent.write(requests.map((request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`).join(""))
    const slow = await agent.answer(50)
    expect(agent.messages.indexOf(slow)).toBeGreaterThan(agent.messages.indexOf(await agent.answer(51)))
    expect((await run(["models"], { quirks: "slow_models=5000" })).stdout).toContain("Available models")
  })
})
