import { mkdirSync, readFileSync, symlinkSync, writeFileSync, existsSync } from "node:fs"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { AgentProcess, bin, environmentOf, Place, run } from "./cursor/driver.ts"

const execute = promisify(execFile)

describe("the command line", () => {
  it("prints the version of its generation, or the one it was given", async () => {
    expect(await run(["--version"])).toEqual({ code: 0, stdout: "2026.10.01-e373342\n", stderr: "" })
    expect((await run(["-v"], { generation: "2026.02" })).stdout).toBe("2026.02.27-e7d2ef6\n")
    expect((await run(["-v"], { env: { FAKE_CURSOR_VERSION: "2027.01.01-abcdef0" } })).stdout).toBe(
      "2027.01.01-abcdef0\n"
    )
  })

  it("says who is logged in, in words and as JSON, with exit code 0 either way", async () => {
    expect(await run(["status"])).toMatchObject({ code: 0, stdout: "✓ Logged in as simulated@example.com\n" })
    const loggedOut = { env: { FAKE_CURSOR_AUTH: "none" } }
    expect(await run(["whoami"], loggedOut)).toMatchObject({ code: 0, stdout: "Not logged in\n" })
    const json = await run(["status", "--format", "json"], loggedOut)
    expect(JSON.parse(json.stdout)).toEqual({
      status: "unauthenticated",
      isAuthenticated: false,
      hasAccessToken: false,
      hasRefreshToken: false
    })
    const withKey = await run(["status", "--format=json"], { env: { CURSOR_API_KEY: "key" } })
    expect(JSON.parse(withKey.stdout)).toMatchObject({ isAuthenticated: false })
  })

  it("describes itself in two columns or as JSON", async () => {
    const { stdout } = await run(["about"])
    expect(stdout).toMatch(/^CLI Version {9}2026\.10\.01-e373342$/m)
    expect(stdout).toMatch(/^User Email {10}simulated@example\.com$/m)
    const json = await run(["about", "--format", "json"], { env: { FAKE_CURSOR_AUTH: "none" } })
    expect(JSON.parse(json.stdout)).toMatchObject({ cliVersion: "2026.10.01-e373342", userEmail: null })
  })

  it("has no --format in February", async () => {
    expect(await run(["status", "--format", "json"], { generation: "2026.02" })).toEqual({
      code: 1,
      stdout: "",
      stderr: "error: unknown option '--format'\n"
    })
  })

  it("lists models for an account, and refuses without one", async () => {
    const { stdout } = await run(["models"])
    expect(stdout).toContain("\nauto - Auto (default)\ncomposer-2.5 - Composer 2.5 (current)\n")
    expect(stdout).toContain("gpt-5.6-sol-high-fast - GPT-5.6 Sol High Fast")
    const refused = await run(["--list-models"], { env: { FAKE_CURSOR_AUTH: "none" } })
    expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("Authentication required") })
  })

  it("logs in and out", async () => {
    const options = { place: new Place(), env: { FAKE_CURSOR_AUTH: "none" } }
    expect(await run(["login"], options)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("https://cursor.com/")
    })
    expect((await run(["status"], options)).stdout).toContain("Logged in")
    await run(["logout"], options)
    expect((await run(["status"], options)).stdout).toBe("Not logged in\n")
    expect(existsSync(join(options.place.state, "auth.json"))).toBe(false)
  })

  it("lists, enables and disables MCP servers", async () => {
    const options = { place: new Place() }
    expect((await run(["mcp", "list"], options)).stdout).toMatch(/^No MCP servers configured/)
    mkdirSync(options.place.state)
    writeFileSync(join(options.place.state, "mcp.json"), '{"mcpServers":{"docs":{"command":"docs-server"}}}')
    expect((await run(["mcp", "list"], options)).stdout).toBe("docs: not loaded\n")
    await run(["mcp", "enable", "docs"], options)
    expect((await run(["mcp", "list"], options)).stdout).toBe("docs: ready\n")
    expect(JSON.parse(readFileSync(join(options.place.state, "mcp-approvals.json"), "utf8"))).toEqual([
      expect.stringMatching(/^docs-[0-9a-f]{16}$/)
    ])
    await run(["mcp", "disable", "docs"], options)
    expect((await run(["mcp", "list"], options)).stdout).toBe("docs: disabled\n")
    expect(await run(["mcp", "enable", "other"], options)).toMatchObject({ code: 1 })
  })

  it("creates chats, and explains acp only when asked about it", async () => {
    expect((await run(["create-chat"])).stdout).toMatch(/^[0-9a-f-]{36}\n$/)
    const help = await run(["--help"])
    expect(help.code).toBe(0)
    expect(help.stdout).not.toContain("acp")
    expect((await run(["help", "acp"])).stdout).toContain("agent acp")
  })

  it("takes global flags before the command only", async () => {
    const globals = [
      "-e",
      "https://example.com",
      "--api-key",
      "key",
      "--trust",
      "-k",
      "--sandbox=enabled",
      "-H",
      "a: b"
    ]
    const agent = new AgentProcess({ argv: [...globals, "--model", "glm-5.2", "-w", "acp"] })
    await agent.initialize()
    const created = await agent.call("session/new", { cwd: "/", mcpServers: [] })
    expect(created).toMatchObject({ result: { models: { currentModelId: "glm-5.2[reasoning=high]" } } })
    expect(await run(["acp", "--trust"])).toMatchObject({ code: 1, stderr: "error: unknown option '--trust'\n" })
    expect(await run(["dance"])).toMatchObject({ code: 1, stderr: "error: unknown command 'dance'\n" })
    expect(await run(["--dance", "acp"])).toMatchObject({ code: 1, stderr: "error: unknown option '--dance'\n" })
  })

  it("refuses variables that it cannot read", async () => {
    expect(await run(["-v"], { quirks: "no_such_switch" })).toMatchObject({
      code: 2,
      stderr: 'FAKE_CURSOR_QUIRKS: unknown switch "no_such_switch"\n'
    })
    expect(await run(["-v"], { env: { FAKE_CURSOR_GEN: "2025.01" } })).toMatchObject({ code: 2 })
    expect(await run(["-v"], { env: { FAKE_CURSOR_TIME_SCALE: "fast" } })).toMatchObject({ code: 2 })
  })

  it("starts through symbolic links and from PATH, under both names", async () => {
    const place = new Place()
    const links = join(place.root, "links")
    mkdirSync(links)
    symlinkSync(join(bin, "cursor-agent"), join(place.root, "absolute"))
    symlinkSync("../absolute", join(links, "relative"))
    symlinkSync(bin, join(place.root, "folder"))
    const options = { env: environmentOf(place, {}), cwd: place.workspace }
    const programs = [join(place.root, "absolute"), join(links, "relative"), join(place.root, "folder", "agent")]
    for (const program of programs)
      expect((await execute(program, ["--version"], options)).stdout).toBe("2026.10.01-e373342\n")
    const env = { ...options.env, PATH: `${bin}:${options.env["PATH"]}` }
    for (const name of ["agent", "cursor-agent"])
      expect((await execute("/bin/sh", ["-c", `${name} --version`], { ...options, env })).stdout).toBe(
        "2026.10.01-e373342\n"
      )
  })
})

describe("the state folder", () => {
  it("of a real Cursor is neither read nor written", async () => {
    const place = new Place()
    const real = join(place.root, ".cursor")
    mkdirSync(real)
    writeFileSync(join(real, "cli-config.json"), '{"approvalMode":"unrestricted"}')
    const env = { FAKE_CURSOR_STATE: "" }
    const agent = new AgentProcess({ place, env })
    const sessionId = await agent.open()
    await agent.prompt(sessionId, "run `ls`")
    expect(agent.messages.some((message) => message["method"] === "session/request_permission")).toBe(true)
    expect(await run(["login"], { place, env })).toMatchObject({ code: 0 })
    expect((await execute("ls", ["-A", real])).stdout).toBe("cli-config.json\n")
    // Within the process, the session is there all the same.
    const loaded = await agent.call("session/load", { sessionId, cwd: place.workspace, mcpServers: [] })
    expect(loaded).toHaveProperty("result")
  })

  it("is Cursor's own configuration folder when that has the marker", async () => {
    for (const [variable, folder] of [
      ["CURSOR_CONFIG_DIR", "config"],
      ["XDG_CONFIG_HOME", "config/cursor"],
      ["HOME", "config/.cursor"]
    ] as const) {
      const place = new Place()
      const state = join(place.root, folder)
      mkdirSync(state, { recursive: true })
      writeFileSync(join(state, ".fake-cursor"), "")
      await run(["login"], { place, env: { FAKE_CURSOR_STATE: "", [variable]: join(place.root, "config") } })
      expect(existsSync(join(state, "auth.json"))).toBe(true)
    }
  })
})
