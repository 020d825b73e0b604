import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { objectIn, type JsonObject } from "../src/Json.ts"
import { errorTexts } from "../src/cursor/scripts/failures.ts"
import {
  AgentProcess,
  outline,
  requestsOf,
  select,
  textOf,
  tools,
  updateOf,
  updatesOf,
  type Options
} from "./cursor/driver.ts"

const allowing = (options: Options = {}) => {
  const agent = new AgentProcess(options)
  agent.respond = (request) =>
    request["method"] === "session/request_permission" ? select("allow-once") : { result: {} }
  return agent
}

const file = (agent: AgentProcess, name: string) => join(agent.place.workspace, name)

describe("scripts", () => {
  it("echo thinks three chunks and repeats the prompt to the letter", async () => {
    const agent = new AgentProcess()
    const text = "Line one\n\n  *two* 🎉 — “three”"
    const turn = await agent.ask(text)
    expect(textOf(turn).endsWith(`\n\n${text}`)).toBe(true)
    const thoughts = updatesOf(turn).filter((update) => update["sessionUpdate"] === "agent_thought_chunk")
    expect(thoughts).toHaveLength(3)
  })

  it("stream sends as many chunks as it is told to", async () => {
    const turn = await new AgentProcess().ask("[[fake:stream n=1234]]")
    const chunks = updatesOf(turn).filter((update) => update["sessionUpdate"] === "agent_message_chunk")
    expect(chunks).toHaveLength(1234)
    expect(textOf(turn)).toContain("chunk 1234 of 1234\n")
  })

  it("read reads, up to 4 KB, and nothing outside of the workspace", async () => {
    const agent = new AgentProcess()
    writeFileSync(file(agent, "big.txt"), "x".repeat(10_000))
    writeFileSync(join(agent.place.root, "secret.txt"), "secret")
    symlinkSync(agent.place.root, file(agent, "out"))
    const sessionId = await agent.open()
    const read = async (path: string) => tools(await agent.prompt(sessionId, `[[fake:read ${path}]]`)).at(-1)
    expect(await read("big.txt")).toMatchObject({ rawOutput: { content: "x".repeat(4096) } })
    expect(await read("missing.txt")).toMatchObject({ rawOutput: { error: "File not found: missing.txt" } })
    for (const path of ["../secret.txt", "out/secret.txt", join(agent.place.root, "secret.txt")])
      expect(await read(path)).toMatchObject({ rawOutput: { error: expect.stringContaining("outside") } })
  })

  it("edit, newfile and delete change the files, and only deleting is asked for", async () => {
    const agent = allowing()
    writeFileSync(file(agent, "notes.txt"), "one\n")
    const sessionId = await agent.open()
    const edited = await agent.prompt(sessionId, "[[fake:edit path=notes.txt old=one new=two]]")
    expect(tools(edited).at(-1)).toMatchObject({
      content: [{ type: "diff", path: file(agent, "notes.txt"), oldText: "one\n", newText: "two\n" }]
    })
    expect(tools(edited).at(-1)).not.toHaveProperty("rawOutput")
    expect(readFileSync(file(agent, "notes.txt"), "utf8")).toBe("two\n")
    await agent.prompt(sessionId, '[[fake:newfile path=deep/new.txt text="hello there"]]')
    expect(readFileSync(file(agent, "deep/new.txt"), "utf8")).toBe("hello there\n")
    expect(requestsOf(agent.messages)).toEqual([])
    const deleted = await agent.prompt(sessionId, "[[fake:delete notes.txt]]")
    expect(requestsOf(deleted)).toHaveLength(1)
    expect(tools(deleted).at(-1)).toMatchObject({ content: [{ type: "diff", oldText: "two\n", newText: "" }] })
    expect(existsSync(file(agent, "notes.txt"))).toBe(false)
    const outside = await agent.prompt(sessionId, "[[fake:newfile ../escape.txt]]")
    expect(tools(outside).at(-1)).toMatchObject({ rawOutput: { error: expect.stringContaining("outside") } })
    expect(existsSync(join(agent.place.root, "escape.txt"))).toBe(false)
  })

  it("shell runs a few harmless commands", async () => {
    const agent = allowing()
    writeFileSync(file(agent, "a.txt"), "")
    const sessionId = await agent.open()
    const shell = async (command: string) =>
      tools(await agent.prompt(sessionId, `[[fake:shell ${command}]]`)).at(-1)?.["rawOutput"]
    expect(await shell("echo 'a  b' c")).toEqual({ exitCode: 0, stdout: "a  b c\n", stderr: "" })
    expect(await shell("ls")).toEqual({ exitCode: 0, stdout: "a.txt\n", stderr: "" })
    expect(await shell("false")).toEqual({ exitCode: 1, stdout: "", stderr: "" })
    expect(await shell("sleep 100")).toEqual({ exitCode: 0, stdout: "", stderr: "" })
    expect(await shell("echo hi; rm a.txt")).toMatchObject({ exitCode: 127, stdout: "" })
    expect(existsSync(file(agent, "a.txt"))).toBe(true)
  })

  it("grep and glob count what is there", async () => {
    const agent = new AgentProcess()
    mkdirSync(file(agent, "src"))
    writeFileSync(file(agent, "src/a.ts"), "spike\nspike\n")
    writeFileSync(file(agent, "b.md"), "a spike\n")
    const sessionId = await agent.open()
    const last = async (text: string) => tools(await agent.prompt(sessionId, text)).at(-1)
    expect(await last("grep spike")).toMatchObject({ rawOutput: { totalMatches: 3, truncated: false } })
    expect(await last("find files like `**/*.ts`")).toMatchObject({ rawOutput: { totalFiles: 1, truncated: false } })
  })

  it("rules of the user and the project decide without a question", async () => {
    const agent = new AgentProcess()
    agent.respond = () => select("allow-always")
    mkdirSync(file(agent, ".cursor"))
    const rules = { permissions: { allow: ["Shell(pwd)", "Mcp(docs:lookup)"], deny: ["Shell(ls)", "Read(**)"] } }
    writeFileSync(file(agent, ".cursor/cli.json"), JSON.stringify(rules))
    writeFileSync(file(agent, "a.txt"), "hello")
    const sessionId = await agent.open()
    const last = async (text: string) => tools(await agent.prompt(sessionId, text)).at(-1)
    expect(await last("run `pwd`")).toHaveProperty("rawOutput")
    expect(await last("[[fake:mcp docs lookup]]")).toHaveProperty("rawOutput")
    expect(await last("run `ls`")).not.toHaveProperty("rawOutput")
    expect(await last("read a.txt")).not.toHaveProperty("rawOutput")
    expect(requestsOf(agent.messages)).toEqual([])
  })

  it("parallel opens four tools before any completes", async () => {
    const frames = tools(await new AgentProcess().ask("[[fake:parallel]]"))
    const kinds = frames.map((frame) => frame["status"] ?? "enriched")
    expect(kinds.filter((kind) => kind === "pending")).toHaveLength(4)
    expect(kinds.slice(-4)).toEqual(["completed", "completed", "completed", "completed"])
    const ids = (status: string) =>
      frames.filter((frame) => frame["status"] === status).map((frame) => frame["toolCallId"])
    expect(ids("completed")).not.toEqual(ids("pending"))
    expect(new Set(ids("completed"))).toEqual(new Set(ids("pending")))
  })

  it("task shows the sub-agent's own session to clients that want it", async () => {
    const turn = await new AgentProcess().ask("[[fake:task]]", { subagents: {} })
    const spawned = updatesOf(turn).find((update) => update["sessionUpdate"] === "subagent_spawned") ?? {}
    const child = spawned["subagentSessionId"]
    const ofChild = turn.filter((message) => objectIn(message, "params")["sessionId"] === child)
    const said = (kind: string, times: number) => Array.from({ length: times }, () => kind)
    expect(ofChild.map((message) => updateOf(message)["sessionUpdate"])).toEqual([
      ...said("agent_message_chunk", 3),
      "tool_call",
      ...said("tool_call_update", 2),
      "tool_call",
      ...said("tool_call_update", 2),
      "subagent_spawned",
      "subagent_state_update",
      ...said("agent_message_chunk", 2)
    ])
    expect(updatesOf(turn)).toContainEqual({
      sessionUpdate: "subagent_state_update",
      subagentSessionId: child,
      state: "completed"
    })
    expect(updatesOf(await new AgentProcess().ask("[[fake:task]]"))).not.toContainEqual(
      expect.objectContaining({ sessionUpdate: "subagent_spawned" })
    )
  })

  it("plan goes back to the drawing board when it is rejected", async () => {
    const agent = new AgentProcess()
    agent.respond = () => ({ result: { outcome: { outcome: "rejected", reason: "no" } } })
    expect(textOf(await agent.ask("[[fake:plan]]"))).toContain("Revising")
  })

  it("image writes a PNG and says where; image-in says what it was sent", async () => {
    const agent = new AgentProcess()
    const sessionId = await agent.open()
    const [request] = requestsOf(await agent.prompt(sessionId, "[[fake:image]]"))
    expect(request).toMatchObject({
      method: "cursor/generate_image",
      params: { filePath: file(agent, "generated.png"), referenceImagePaths: [] }
    })
    const bytes = readFileSync(file(agent, "generated.png"))
    expect(bytes.subarray(1, 4).toString()).toBe("PNG")
    const prompt = [
      { type: "text", text: "[[fake:image-in]]" },
      { type: "image", mimeType: "image/png", data: bytes.toString("base64") }
    ]
    await agent.call("session/prompt", { sessionId, prompt })
    expect(textOf(agent.messages)).toContain(`- image/png, ${bytes.length} bytes`)
  })

  it("mode switches on its own account", async () => {
    const turn = await new AgentProcess().ask("[[fake:mode ask]]")
    expect(updatesOf(turn)).toContainEqual({ sessionUpdate: "current_mode_update", currentModeId: "ask" })
  })

  it("error says one of Cursor's sentences last, and ends normally", async () => {
    const agent = new AgentProcess()
    const sessionId = await agent.open()
    for (const [kind, text] of Object.entries(errorTexts)) {
      const turn = await agent.prompt(sessionId, `[[fake:error kind=${kind}]]`)
      expect(textOf(turn)).toBe(text)
      expect(outline(turn).at(-1)).toBe("end_turn")
    }
  })

  it("rpcerror fails the prompt, and the session goes on", async () => {
    const agent = new AgentProcess()
    const sessionId = await agent.open()
    const failed = await agent.prompt(sessionId, "[[fake:rpcerror out of tea]]")
    expect(failed.at(-1)).toMatchObject({ error: { code: -32603, data: { details: "out of tea" } } })
    expect((await agent.prompt(sessionId, "[[fake:nonsense]]")).at(-1)).toMatchObject({
      error: { code: -32603, data: { details: 'no script "nonsense"' } }
    })
    expect(outline(await agent.prompt(sessionId, "hello")).at(-1)).toBe("end_turn")
  })

  it.each([
    { how: "1", end: { code: 1, signal: null } },
    { how: "143", end: { code: 143, signal: null } },
    { how: "signal", end: { code: null, signal: "SIGKILL" } }
  ])("crash code=$how ends the process after one chunk", async ({ how, end }) => {
    const agent = new AgentProcess()
    const sessionId = await agent.open()
    agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: `[[fake:crash code=${how}]]` }] })
    expect(await agent.exited).toEqual(end)
    expect(textOf(agent.messages)).toBe("About to ")
  })

  it("demo shows a bit of everything and really writes its notes", async () => {
    const agent = allowing()
    writeFileSync(file(agent, "README.md"), "# Hello\n\nTODO: more\n")
    const turn = await agent.ask("Show me a demo, please")
    const titles = tools(turn).map((frame) => frame["title"])
    for (const title of ["Update TODOs", "Read README.md", 'grep "TODO"', "Edit File"]) expect(titles).toContain(title)
    expect(requestsOf(turn).map((request) => request["method"])).toContain("session/request_permission")
    expect(textOf(turn)).toMatch(/- searched for `TODO`: \*\*1\*\* lines\n/)
    expect(textOf(turn)).toMatch(/```sh\n[^`]+\n```/)
    expect(textOf(turn)).toContain("I am a simulation")
    expect(readFileSync(file(agent, "demo-notes.md"), "utf8")).toContain("- 1 lines with TODO")
  })
})

describe("the choice of a script", () => {
  it("directives run in order, a scenario comes before keywords, and keywords before echo", async () => {
    const ordered = await new AgentProcess().ask("[[fake:mode plan]] and then [[fake:error kind=usage]]")
    expect(textOf(ordered)).toBe("I have switched to plan mode.You've hit your usage limit")
    const env = { FAKE_CURSOR_SCENARIO: "stream n=3" }
    expect(textOf(await new AgentProcess({ env }).ask("read README.md"))).toContain("chunk 3 of 3")
    const several = { FAKE_CURSOR_SCENARIO: "[[fake:mode plan]] [[fake:error kind=usage]]" }
    expect(textOf(await new AgentProcess({ env: several }).ask("read README.md"))).toBe(textOf(ordered))
  })

  it.each([
    ["Please read `docs/my file.md`.", "Read docs/my file.md"],
    ["run npm test", "`npm test`"],
    [`run \`echo "it's"\``, `\`echo "it's"\``],
    ["could you edit notes.txt?", "Edit File"],
    ["make a plan to edit notes.txt", "Create Plan"],
    ["search for TODO", 'grep "TODO"'],
    ["what are the todos", "Update TODOs"],
    ["fetch https://example.com/a.", "Web Fetch: https://example.com/a"]
  ])("%j opens the tool %j", async (text, title) => {
    const agent = allowing()
    expect(tools(await agent.ask(text)).map((frame) => frame["title"])).toContain(title)
  })

  it("prose that only mentions a word starts nothing", async () => {
    const agent = new AgentProcess()
    const sessionId = await agent.open()
    for (const text of ["I have read the error", "error handling?", "Why did it crash"])
      expect(tools(await agent.prompt(sessionId, text))).toEqual([])
  })
})

describe("cancelling", () => {
  const scripts = [
    "echo",
    "stream n=400",
    "read README.md",
    "shell sleep 5",
    "grep a",
    "glob *",
    "edit notes.txt",
    "newfile new.txt",
    "delete notes.txt",
    "fetch https://example.com/",
    "mcp docs lookup",
    "todos",
    "task",
    "ask multi",
    "plan",
    "image",
    "mode plan",
    "demo",
    "parallel",
    "error",
    "hang",
    "image-in"
  ]

  /** Cancels after the n-th message of the turn, or earlier when the agent waits for us or is done. At 0, with the prompt itself. */
  const cancelAt = async (agent: AgentProcess, sessionId: string, script: string, count: number) => {
    const start = agent.messages.length
    const prompt = [{ type: "text", text: `[[fake:${script}]]` }]
    const cancel = { method: "session/cancel", params: { sessionId } }
    const id = agent.request("session/prompt", { sessionId, prompt }, ...(count === 0 ? [cancel] : []))
    const ends = (message: JsonObject) => message["id"] === id && message["method"] === undefined
    const waits = (message: JsonObject) =>
      message["id"] !== undefined || textOf([message], "agent_thought_chunk") === "Thinking about it…"
    if (count > 0) {
      while (agent.messages.length < start + count && !agent.messages.slice(start).some(waits)) await agent.next()
      agent.send(cancel)
    }
    const answer = await agent.until(ends)
    await agent.call("session/list")
    return { stopReason: objectIn(answer, "result")["stopReason"], answers: agent.messages.filter(ends).length, id }
  }

  /** Why the prompt had to end, by the agent's own log: on a busy machine it may be done before it hears of the cancelling. */
  const dueReason = (agent: AgentProcess, id: number): string => {
    const log = agent.place.logged().map((entry) => ({ type: entry["type"], message: objectIn(entry, "message") }))
    const prompted = log.findIndex(
      ({ type, message }) => type === "received" && message["id"] === id && message["method"] === "session/prompt"
    )
    const after = log.slice(prompted)
    const cancelled = after.findIndex(
      ({ type, message }) => type === "received" && message["method"] === "session/cancel"
    )
    const answered = after.findIndex(
      ({ type, message }) => type === "sent" && message["id"] === id && message["method"] === undefined
    )
    return cancelled < answered ? "cancelled" : "end_turn"
  }

  it.concurrent.for(scripts)("%s stops wherever it is, with one answer", async (script, { expect, onTestFinished }) => {
    // Slowed down a little, so that there is a wait to be hit between any two messages.
    const agent = new AgentProcess({
      onTestFinished,
      generation: "2026.08",
      quirks: "-ask_missing,-no_title,ext_wait",
      env: { FAKE_CURSOR_TIME_SCALE: "0.02" }
    })
    agent.respond = () => undefined
    writeFileSync(file(agent, "notes.txt"), "one\n")
    const sessionId = await agent.open()
    await agent.update("available_commands_update")
    for (const count of [0, 1, 2, 3, 5, 8]) {
      const { answers, id, stopReason } = await cancelAt(agent, sessionId, script, count)
      expect({ count, stopReason, answers }).toEqual({ count, stopReason: dueReason(agent, id), answers: 1 })
      if (count === 0) expect(stopReason).toBe("cancelled")
    }
  })
})
