import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { objectIn, textIn } from "../src/Json.ts"
import { AgentProcess, notFound, outline, Place, requestsOf, select, textOf } from "./cursor/driver.ts"

const asked = async (quirks: string, prompt: string, argv = ["acp"]) => {
  const agent = new AgentProcess({ quirks, argv })
  agent.respond = () => select("allow-once")
  return requestsOf(await agent.ask(prompt))
}
const toolCall = (request: Parameters<typeof objectIn>[0] | undefined) =>
  objectIn(objectIn(request ?? {}, "params"), "toolCall")

describe("switches of permissions and questions", () => {
  it("id_zero", async () => {
    expect((await asked("", "run `ls`"))[0]?.["id"]).toBe(0)
    expect((await asked("-id_zero", "run `ls`"))[0]?.["id"]).toBe(1)
  })

  it("perm_no_rawinput", async () => {
    expect(toolCall((await asked("-perm_no_rawinput", "run `ls`"))[0])).toMatchObject({ rawInput: { command: "ls" } })
  })

  it("perm_before_tool", async () => {
    const agent = new AgentProcess({ quirks: "-perm_before_tool" })
    agent.respond = () => select("allow-once")
    const sequence = outline(await agent.ask("fetch https://example.com/"))
    expect(sequence.indexOf("tool_call Web Fetch pending")).toBeGreaterThan(-1)
    expect(sequence.indexOf("tool_call Web Fetch pending")).toBeLessThan(
      sequence.indexOf("request session/request_permission")
    )
  })

  it("perm_mode", async () => {
    expect(await asked("perm_mode=unrestricted", "run `ls`")).toEqual([])
    expect(await asked("", "run `ls`", ["--force", "acp"])).toEqual([])
    expect(await asked("", "create a.txt")).toEqual([])
    expect(toolCall((await asked("perm_mode=all", "create a.txt"))[0])).toMatchObject({
      kind: "edit",
      content: [{ type: "diff" }]
    })
  })

  it("perm_none", async () => {
    expect(await asked("perm_none", "run `ls`")).toEqual([])
  })

  it("perm_strict_result", async () => {
    const wrong = async (quirks: string) => {
      const agent = new AgentProcess({ quirks })
      agent.respond = () => ({ result: { optionId: "allow-once" } })
      const sessionId = await agent.open()
      const id = agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "run `ls`" }] })
      return { agent, id }
    }
    const strict = await wrong("perm_strict_result")
    expect(await strict.agent.exited).toMatchObject({ code: 1 })
    expect(strict.agent.stderr).toContain("TypeError")
    const lenient = await wrong("")
    expect(await lenient.agent.answer(lenient.id)).toMatchObject({ result: { stopReason: "end_turn" } })
  })

  it("allow_always_persists", async () => {
    const requests = async (quirks: string) => {
      const place = new Place()
      const count = async () => {
        const agent = new AgentProcess({ place, quirks })
        agent.respond = () => select("allow-always")
        return requestsOf(await agent.ask("run `ls`")).length
      }
      return { counts: [await count(), await count()], place }
    }
    const { counts, place } = await requests("")
    expect(counts).toEqual([1, 0])
    expect(JSON.parse(readFileSync(join(place.state, "cli-config.json"), "utf8"))).toMatchObject({
      permissions: { allow: ["Shell(ls)"] }
    })
    expect((await requests("-allow_always_persists")).counts).toEqual([1, 1])
  })

  it("ext_as_notification", async () => {
    const turn = await new AgentProcess({ quirks: "ext_as_notification" }).ask("todos")
    expect(outline(turn)).toContain("cursor/update_todos")
    expect(requestsOf(turn)).toEqual([])
  })

  it("ext_wait", async () => {
    const unanswered = async (quirks: string) => {
      const agent = new AgentProcess({ quirks })
      agent.respond = () => undefined
      const sessionId = await agent.open()
      const id = agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "todos" }] })
      const request = await agent.until((message) => message["method"] === "cursor/update_todos")
      return { agent, id, request }
    }
    const waiting = await unanswered("ext_wait")
    await waiting.agent.call("session/list")
    expect(textOf(waiting.agent.messages)).toBe("")
    const going = await unanswered("")
    expect(await going.agent.answer(going.id)).toMatchObject({ result: { stopReason: "end_turn" } })
  })

  it("ask_missing", async () => {
    const turn = await new AgentProcess().ask("ask me")
    expect(requestsOf(turn)).toEqual([])
    expect(textOf(turn)).toContain("Formal or casual?")
    const agent = new AgentProcess({ quirks: "-ask_missing" })
    agent.respond = () => ({
      result: { outcome: { outcome: "answered", answers: [{ questionId: "q1", selectedOptionIds: ["casual"] }] } }
    })
    expect(textOf(await agent.ask("ask me"))).toBe("- Formal or casual? **Casual**")
  })

  it("ask_fallback_permission", async () => {
    const ask = async (quirks: string) => {
      const agent = new AgentProcess({ quirks: `-ask_missing,${quirks}` })
      agent.respond = (request) => (request["method"] === "cursor/ask_question" ? notFound : select("formal"))
      return await agent.ask("ask multi")
    }
    const turn = await ask("")
    expect(requestsOf(turn).map((request) => request["method"])).toEqual([
      "cursor/ask_question",
      "session/request_permission"
    ])
    expect(toolCall(requestsOf(turn)[1])).toMatchObject({ toolCallId: "ask-1_q0", kind: "other" })
    expect(textOf(turn)).toBe("- Formal or casual? **Formal**")
    expect(requestsOf(await ask("-ask_fallback_permission"))).toHaveLength(1)
  })

  it("plan_end_after_accept", async () => {
    const planned = async (quirks: string) => {
      const agent = new AgentProcess({ quirks })
      agent.respond = () => ({ result: { outcome: { outcome: "accepted" } } })
      return await agent.ask("make a plan")
    }
    expect(outline(await planned("")).filter((line) => line === "plan")).toHaveLength(1)
    expect(outline(await planned("-plan_end_after_accept")).filter((line) => line === "plan")).toHaveLength(3)
    const agent = new AgentProcess()
    agent.respond = () => notFound
    const file = /`(.*\.plan\.md)`/.exec(textOf(await agent.ask("make a plan")))?.[1] ?? ""
    expect(existsSync(file)).toBe(true)
    expect(textIn({ text: readFileSync(file, "utf8") }, "text")).toContain("# Greeting")
  })
})
