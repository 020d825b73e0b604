import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import { numberIn } from "../src/Json.ts"
import { AgentProcess, outline, Place, run, textOf } from "./cursor/driver.ts"

const startPrompt = (agent: AgentProcess, sessionId: string, text: string) =>
  agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] })

/** A child that nobody has waited for is still in the table, as a zombie. */
const runs = (pid: number): boolean => {
  const stat = `/proc/${pid}/stat`
  return existsSync(stat) && !readFileSync(stat, "utf8").includes(") Z ")
}

/** How often an agent has called `write`, as Linux counts it; elsewhere how many pieces were read. */
const writesOf = ({ child: { pid }, chunks }: AgentProcess): number =>
  process.platform === "linux"
    ? Number(/^syscw: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1] ?? 0)
    : chunks.length

describe("switches of the process and its streams", () => {
  it("no_exit_on_eof", async () => {
    const agent = new AgentProcess({ quirks: "-no_exit_on_eof" })
    await agent.ask("hello")
    agent.child.stdin.end()
    expect(await agent.exited).toEqual({ code: 0, signal: null })
    const idle = new AgentProcess()
    await idle.initialize()
    idle.child.stdin.end()
    expect(await idle.exited).toEqual({ code: 0, signal: null })
  })

  it("ignore_sigterm", async () => {
    const agent = new AgentProcess({ quirks: "ignore_sigterm" })
    await agent.initialize()
    process.kill(agent.child.pid ?? 0, "SIGTERM")
    const ignored = expect.objectContaining({ type: "signal", signal: "SIGTERM", ignored: true })
    await vi.waitFor(() => expect(agent.place.logged()).toContainEqual(ignored))
    expect(await agent.call("session/new", { cwd: "/", mcpServers: [] })).toHaveProperty("result")
    process.kill(agent.child.pid ?? 0, "SIGKILL")
    expect(await agent.exited).toEqual({ code: null, signal: "SIGKILL" })
  })

  it("worker_child", async () => {
    const agent = new AgentProcess({ quirks: "worker_child" })
    await agent.initialize()
    const worker = numberIn(agent.place.logged().find((entry) => entry["type"] === "child") ?? {}, "childPid") ?? 0
    process.kill(agent.child.pid ?? 0, "SIGKILL")
    await agent.exited
    expect(runs(worker)).toBe(true)
    process.kill(-(agent.child.pid ?? 0), "SIGKILL")
    await vi.waitFor(() => expect(runs(worker)).toBe(false))
  })

  it("exit_bad_cli_json", async () => {
    const place = new Place()
    mkdirSync(join(place.workspace, ".cursor"))
    writeFileSync(join(place.workspace, ".cursor", "cli.json"), '{"permissions":{},"editor":{}}')
    for (const argv of [["acp"], ["--version"]]) {
      const { code, stdout, stderr } = await run(argv, { place })
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
      expect(stderr).toContain("Unrecognized key(s) in object: 'editor'")
    }
    expect((await run(["--version"], { place, quirks: "-exit_bad_cli_json" })).code).toBe(0)
  })

  it("exit_bad_model", async () => {
    const argv = ["--model", "nope", "acp"]
    const { code, stderr } = await run(argv)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Cannot use this model: nope\. Available models: auto, /)
    expect((await run(argv, { quirks: "-exit_bad_model" })).code).toBe(0)
  })

  it("crash_after", async () => {
    const agent = new AgentProcess({ quirks: "crash_after=4" })
    startPrompt(agent, await agent.open(), "hello")
    expect(await agent.exited).toMatchObject({ code: 1 })
    expect(agent.messages).toHaveLength(4)
  })

  it("hang_initialize", async () => {
    const agent = new AgentProcess({ quirks: "hang_initialize" })
    const id = agent.request("initialize")
    await agent.call("session/new", { cwd: "/", mcpServers: [] })
    expect(agent.messages.some((message) => message["id"] === id)).toBe(false)
  })

  it("hang_new", async () => {
    const agent = new AgentProcess({ quirks: "hang_new" })
    const id = agent.request("session/new", { cwd: "/", mcpServers: [] })
    await agent.initialize()
    expect(agent.messages.some((message) => message["id"] === id)).toBe(false)
  })

  it("hang_prompt", async () => {
    const agent = new AgentProcess({ quirks: "hang_prompt" })
    const sessionId = await agent.open()
    const id = startPrompt(agent, sessionId, "hello")
    await agent.update("session_info_update")
    agent.send({ method: "session/cancel", params: { sessionId } })
    await agent.call("session/list")
    expect(agent.messages.some((message) => message["id"] === id)).toBe(false)
  })

  it("stdout_banner", async () => {
    const first = async (quirks: string) => {
      const agent = new AgentProcess({ quirks, argv: ["-w", "feature", "acp"] })
      await agent.initialize()
      return agent.noise
    }
    expect(await first("")).toEqual([expect.stringMatching(/^Using worktree: /)])
    expect(await first("-stdout_banner")).toEqual([])
  })

  it("stdout_noise", async () => {
    const agent = new AgentProcess({ quirks: "stdout_noise" })
    expect(outline(await agent.ask("demo")).at(-1)).toBe("end_turn")
    expect(agent.noise).toContain("")
    expect(agent.noise).toContain("{not json")
  })

  it("stderr_flood", async () => {
    const agent = new AgentProcess({ quirks: "stderr_flood" })
    expect(outline(await agent.ask("hello")).at(-1)).toBe("end_turn")
    await vi.waitFor(() => expect(agent.stderr.length).toBeGreaterThan(1_000_000))
  })

  it("split_writes", async () => {
    const agent = new AgentProcess({ quirks: "split_writes" })
    const text = "naïve — 日本語 🎉 ".repeat(10)
    const turn = await agent.ask(text)
    expect(textOf(turn)).toContain(text)
    // A busy reader gets several pieces at once, and a full pipe takes several in one write. Without the switch it writes a sixth of this.
    expect(writesOf(agent)).toBeGreaterThan(Buffer.concat(agent.chunks).length / 20)
  })

  it("big_chunk", async () => {
    const agent = new AgentProcess({ quirks: "big_chunk=3000000" })
    expect(textOf(await agent.ask("hello")).length).toBeGreaterThan(3_000_000)
  })

  it("list_models_kills_acp", async () => {
    const quirks = "list_models_kills_acp"
    const agent = new AgentProcess({ quirks })
    await agent.initialize()
    expect((await run(["--list-models"], { quirks, place: agent.place })).code).toBe(0)
    expect(await agent.exited).toEqual({ code: 143, signal: null })
  })
})
