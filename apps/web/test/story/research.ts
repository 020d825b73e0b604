/** Research by a component: what a researcher does in a session that nobody sees, drawn under a tool call of the thread. */
import { assert, describe } from "vitest"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gateIn } from "../support/Gate.ts"
import { test } from "../support/story.ts"
import { programOf } from "../../../../scripts/suite/Program.ts"

const tools = programOf(new URL("../../../../packages/stand-in-agents/src/tools/main.ts", import.meta.url))

export const research = () =>
  describe("research of a package", () => {
    test("is drawn with its steps while it runs, with what it found afterwards, and stands there after a reload", async ({
      agent,
      open,
      project
    }) => {
      const gate = gateIn(project)
      const left = join(project, "node_modules", "left")
      mkdirSync(left, { recursive: true })
      writeFileSync(join(project, "package.json"), '{"name":"mine"}')
      writeFileSync(join(left, "package.json"), '{"name":"left","version":"1.2.3"}')
      writeFileSync(join(left, "index.js"), "export const left = 1\n")
      agent.settle({
        command: process.execPath,
        args: [tools, "--http"],
        components: [{ component: "package-sources", args: ["--cache", join(agent.home, "cache")] }]
      })
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      const researcher = (call: string, args: object) => ({ call, server: "rust-crate-sources", with: args })
      const question = JSON.stringify([
        { read: join(left, "index.js") },
        { ask: "Remove all", kind: "execute", with: { command: "rm -rf /" } },
        gate.step,
        researcher("return_response_to_user", { response: "It is **one** export." })
      ])
      const query = { ecosystem: "npm", package: "left", prompt: question }
      await tab.prompt(JSON.stringify([{ call: "package_query", server: "rust-crate-query", with: query }]))
      const steps = tab.transcript.getByRole("list", { name: "Steps of the research of left" })
      await steps.getByText("index.js").waitFor()
      await tab.transcript.getByRole("button", { name: /^Researching left 1\.2\.3/ }).waitFor()
      await tab.reads(/^3 steps so far\. /)
      gate.open()
      await tab.ended("Completed")
      await tab.transcript.getByRole("button", { name: /^Researched left 1\.2\.3 4 steps/ }).waitFor()
      await tab.transcript.locator("strong").getByText("one", { exact: true }).first().waitFor()
      assert.strictEqual(await steps.getByRole("listitem").count(), 4)
      // The researcher says which answer it got: nobody was asked.
      await tab.reads(
        `It reports a session of its own with ${agent.name}, in which its read-only rule answered 1 request.`
      )
      await tab.page.reload()
      await steps.getByText("index.js").waitFor()
      assert.strictEqual(await steps.count(), 1)

      // What was found is there for the threads that come, as the file of the history has it.
      await tab.page.getByRole("button", { name: "More about this thread" }).click()
      await tab.button("Components…").click()
      await tab.button("Earlier research…").click()
      const dialog = tab.page.getByRole("dialog", { name: "Research of packages" })
      await dialog.getByText("1 question, the latest first.").waitFor()
      const [file = ""] = readdirSync(join(agent.home, "cache", "history"))
      const kept = JSON.parse(readFileSync(join(agent.home, "cache", "history", file), "utf8"))
      assert.deepStrictEqual([kept.cwd, kept.findings], [project, ["It is **one** export."]])
      await dialog.getByText("left 1.2.3").click()
      await dialog.locator("strong").getByText("one", { exact: true }).waitFor()
      await tab.press("Escape")
      await dialog.waitFor({ state: "detached" })
      for (const width of [320, 390, 768, 1440]) {
        await tab.resize({ width, height: 900 })
        assert.strictEqual(await tab.sideways(), 0, `The page can be scrolled sideways at ${width} px`)
      }
    })
  })
