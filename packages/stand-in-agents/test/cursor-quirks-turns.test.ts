import { describe, expect, it } from "vitest"
import { textIn } from "../src/Json.ts"
import { AgentProcess, outline, textOf, tools } from "./cursor/driver.ts"

/** Starts a prompt that hangs, and cancels it. */
const cancelled = async (quirks: string) => {
  const agent = new AgentProcess({ quirks })
  const sessionId = await agent.open()
  const id = agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hang" }] })
  await agent.update("agent_thought_chunk")
  agent.send({ method: "session/cancel", params: { sessionId } })
  return { agent, sessionId, id }
}

describe("switches of turns", () => {
  it("cancel_request_32601", async () => {
    const asRequest = async (quirks: string) => {
      const agent = new AgentProcess({ quirks })
      const sessionId = await agent.open()
      const id = agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hang" }] })
      await agent.update("agent_thought_chunk")
      const answer = await agent.call("session/cancel", { sessionId })
      return { agent, sessionId, id, answer }
    }
    const refused = await asRequest("")
    expect(refused.answer).toMatchObject({ error: { code: -32601 } })
    expect(refused.agent.messages.some((message) => message["id"] === refused.id)).toBe(false)
    const taken = await asRequest("-cancel_request_32601")
    expect(await taken.agent.answer(taken.id)).toMatchObject({ result: { stopReason: "cancelled" } })
  })

  it("cancel_notification_ignored", async () => {
    const { agent, sessionId, id } = await cancelled("cancel_notification_ignored")
    await agent.call("session/list")
    expect(agent.messages.some((message) => message["id"] === id)).toBe(false)
    expect(outline(await agent.prompt(sessionId, "hello")).at(-1)).toBe("end_turn")
  })

  it("cancel_slow", async () => {
    const { agent, id } = await cancelled("cancel_slow=900")
    const answer = await agent.answer(id)
    expect(textOf(agent.messages)).toBe("still running ")
    expect(agent.messages.at(-1)).toBe(answer)
  })

  it("cancel_late_updates", async () => {
    const { agent, id } = await cancelled("cancel_late_updates")
    const answer = await agent.answer(id)
    const late = await agent.update("agent_message_chunk")
    expect(agent.messages.indexOf(late)).toBeGreaterThan(agent.messages.indexOf(answer))
  })

  it("cancel_no_tool_close", async () => {
    const lastFrame = async (quirks: string) => {
      const agent = new AgentProcess({ quirks })
      agent.respond = () => undefined
      const sessionId = await agent.open()
      const id = agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "run `ls`" }] })
      await agent.until((message) => message["method"] === "session/request_permission")
      agent.send({ method: "session/cancel", params: { sessionId } })
      await agent.answer(id)
      return tools(agent.messages).at(-1)
    }
    expect(await lastFrame("")).toMatchObject({ status: "in_progress" })
    expect(await lastFrame("-cancel_no_tool_close")).toMatchObject({ status: "completed" })
  })

  it("second_prompt_cancels", async () => {
    const agent = new AgentProcess({ quirks: "-second_prompt_cancels" })
    const sessionId = await agent.open()
    const prompt = (text: string) => agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] })
    const [first, second] = [prompt("one"), prompt("two")]
    const last = await agent.answer(second)
    expect(await agent.answer(first)).toMatchObject({ result: { stopReason: "end_turn" } })
    expect(last).toMatchObject({ result: { stopReason: "end_turn" } })
  })

  it("title_after_result", async () => {
    const agent = new AgentProcess({ quirks: "title_after_result" })
    const turn = await agent.ask("write a robotics essay")
    expect(outline(turn)).not.toContain("session_info_update")
    expect(await agent.update("session_info_update")).toMatchObject({
      params: { update: { title: "Write A Robotics Essay" } }
    })
  })

  it("no_title", async () => {
    const agent = new AgentProcess({ quirks: "no_title" })
    const turn = await agent.ask("hello")
    expect(outline(turn)).not.toContain("session_info_update")
    expect(outline(await new AgentProcess().ask("hello"))).toContain("session_info_update")
  })

  it("commands_late", async () => {
    // Measured by the agent's own clock, so that a slow reader makes no difference. A timer never fires early.
    const late = new AgentProcess({ env: { FAKE_CURSOR_TIME_SCALE: "0.1" } })
    await late.open()
    await late.update("available_commands_update")
    const [created = 0, announced = 0] = late.place
      .logged()
      .filter(({ type }) => type === "sent")
      .slice(-2)
      .map((entry) => Date.parse(textIn(entry, "at") ?? ""))
    expect(announced - created).toBeGreaterThan(50)
    const agent = new AgentProcess({ quirks: "-commands_late", env: { FAKE_CURSOR_TIME_SCALE: "0.1" } })
    await agent.open()
    const answer = await agent.call("session/list")
    const commands = await agent.update("available_commands_update")
    expect(agent.messages.indexOf(commands)).toBeLessThan(agent.messages.indexOf(answer))
  })

  it("unknown_update", async () => {
    expect(outline(await new AgentProcess({ quirks: "unknown_update" }).ask("hello"))).toContain("cursor_future_thing")
  })

  it("usage_never", async () => {
    expect(outline(await new AgentProcess({ quirks: "-usage_never" }).ask("hello"))).toContain("usage_update")
    expect(outline(await new AgentProcess().ask("hello"))).not.toContain("usage_update")
  })
})
