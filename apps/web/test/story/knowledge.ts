/** What the dependencies of a project bring for agents: a program of theirs starts only after a person has agreed. */
import { assert, describe, vi } from "vitest"
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { test } from "../support/story.ts"
import { patience } from "../support/Tab.ts"
import { programOf } from "../../../../scripts/suite/Program.ts"

const packages = new URL("../../../../packages/", import.meta.url)
const tools = programOf(new URL("stand-in-agents/src/tools/main.ts", packages))
const server = fileURLToPath(new URL("conductor/test/components/ecosystem-knowledge/fixtures/mcp-server.mjs", packages))

/** How many processes run this program. */
const running = (program: string): number =>
  execFileSync("ps", ["-A", "-o", "stat=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((row) => row.includes(program) && !row.startsWith("Z")).length

export const knowledge = () =>
  describe("knowledge of dependencies", () => {
    test("a server that a dependency declares is asked about though the agent may do all, and runs once a person agrees", async ({
      agent,
      open,
      project
    }) => {
      const kit = join(project, "node_modules", "kit")
      const program = join(kit, "server.mjs")
      mkdirSync(kit, { recursive: true })
      copyFileSync(server, program)
      writeFileSync(join(project, "package.json"), '{"name":"mine","dependencies":{"kit":"1"}}')
      const mcpServers = { helper: { command: process.execPath, args: ["./server.mjs", "good"] } }
      writeFileSync(
        join(kit, "package.json"),
        JSON.stringify({ name: "kit", version: "1.0.0", symposium: { mcpServers } })
      )
      agent.settle({
        command: process.execPath,
        args: [tools, "--http"],
        components: [{ component: "ecosystem-knowledge" }],
        permissions: "bypass"
      })
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      const start = { package: "kit", server: "helper" }
      const call = { call: "start_declared_server", server: "ecosystem-knowledge", with: start }
      const add = { ...start, tool: "add", arguments: { a: 19, b: 23 } }
      await tab.prompt(JSON.stringify([call, { ...call, call: "call_server_tool", with: add }]))
      const card = tab.asked("A component of the chain wants to run a command")
      await card.getByText(`Declared by: kit 1.0.0 (npm), in ${join(kit, "package.json")}`).waitFor()
      await card.getByText("A component of the chain does. Signalbox can answer, but not contain it.").waitFor()
      await card.getByRole("button", { name: "Why was I asked?" }).click()
      await card.getByText("Only a person may allow this, whatever rules and profiles say.").waitFor()
      assert.strictEqual(running(program), 0)
      await (await tab.settled("Start it this once")).click()
      await tab.ended("Completed")
      assert.match(await tab.story(), /\btext\W+42\b/)
      assert.strictEqual(running(program), 1)
      // Nothing of it is left when its session ends.
      process.kill(await tab.agentPid(), "SIGTERM")
      await vi.waitFor(() => assert.strictEqual(running(program), 0), { timeout: patience })
    })
  })
