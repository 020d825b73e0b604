/** Components between people and an agent: what the page says of them is what runs. */
import { assert, describe } from "vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { scripted } from "../support/agents.ts"
import { test } from "../support/story.ts"
import { programOf } from "../../../../scripts/suite/Program.ts"

const main = (name: string) =>
  programOf(new URL(`../../../../packages/stand-in-agents/src/${name}/main.ts`, import.meta.url))

const arrow = (name: string) => ({ command: process.execPath, args: [main("arrow")], name })

export const chain = () =>
  describe("a chain of components", () => {
    test("is drawn with its parts in their order, why one was added, and what passed; a thread has its own", async ({
      agent,
      open,
      project
    }) => {
      const initialize = { agentCapabilities: { mcpCapabilities: { http: true } } }
      agent.settle({
        ...scripted({ initialize, prompts: [[{ repeat: 20, steps: [{ text: "Hello {i}\n\n" }] }]] }),
        components: [arrow("First"), { component: "git" }, { ...arrow("Second"), disabled: true }]
      })
      const tab = await open(agent.server.link)
      await tab.button("New thread").click()
      await tab.button(`Start a thread with ${agent.name}`).click()
      await tab.page.getByLabel(`Folder in which ${agent.name} works`).fill(project)
      await tab.page.getByText("Components: First, git").click()
      const before = tab.page.getByRole("list", { name: "Components" })
      await before.getByRole("switch", { name: "Second" }).click()
      await tab.page.getByText("Components: First, git, Second").waitFor()
      await before.getByRole("switch", { name: "Second" }).click()
      await before.getByRole("button", { name: "Move git up" }).click()
      await tab.page.getByText("Components: git, First").waitFor()
      await tab.page.getByRole("button", { name: /^Start in / }).click()
      await tab.composer.and(tab.page.locator(":focus")).waitFor()
      await tab.prompt("Say it")
      await tab.ended("Completed")
      // The component puts `>` before it, which is a quotation.
      await tab.transcript.locator("blockquote").getByText("Hello 1", { exact: true }).waitFor()
      const panel = tab.page.getByRole("complementary", { name: "State of the thread" })
      const drawn = panel.getByRole("region", { name: "Chain" }).getByRole("listitem")
      const parts = async () => (await drawn.locator("b").allTextContents()).join(", ")
      await drawn.getByText("bridge (added)").waitFor()
      assert.strictEqual(await parts(), `Signalbox, git, First, bridge (added), ${agent.name}`)
      await drawn.getByText("Added because the agent takes no MCP servers over ACP.").waitFor()
      // The report of the server comes every few seconds.
      await panel.getByText(/^adds (under )?\d+(\.\d)? ms$/).waitFor()
      const counts = await drawn.getByText(/^\d+ messages$/).allTextContents()
      assert.strictEqual(counts.length, 4)
      assert.isAtLeast(Number.parseInt(counts[3] ?? "", 10), 7)

      await tab.button("More about this thread").click()
      await tab.button("Components…").click()
      const dialog = tab.page.getByRole("dialog", { name: "Components of this thread" })
      const names = () =>
        dialog.getByRole("switch").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))
      await dialog.getByRole("switch", { name: "Second" }).click()
      await dialog.getByRole("switch", { name: "Second", checked: true }).waitFor()
      await dialog.getByRole("switch", { name: "git" }).click()
      await dialog.getByRole("switch", { name: "git", checked: false }).waitFor()
      await dialog.getByRole("button", { name: "Move Second up" }).click()
      await dialog
        .getByText(
          `The session that runs has git, First. ${agent.name} gets what is chosen here from its next start on.`
        )
        .waitFor()
      await tab.page.waitForFunction(
        () => document.querySelector("dialog [role=switch]")?.getAttribute("aria-label") === "Second"
      )
      assert.deepStrictEqual(await names(), ["Second", "First", "git"])
      await dialog.getByRole("button", { name: "Close" }).last().click()
    })

    test("that ends is drawn as a card that names the component, and goes on without it", async ({
      agent,
      open,
      project
    }) => {
      const heard = join(agent.home, "heard")
      const initialize = { agentCapabilities: { loadSession: true } }
      const played = scripted({ initialize, load: {}, prompts: [[{ text: "Hello" }]] })
      agent.settle({
        ...played,
        env: { ...played.env, SCRIPTED_AGENT_LOG: heard },
        // Its start, the session and the prompt.
        components: [{ command: process.execPath, args: [main("faulty"), "die", "3"], name: "Crasher" }]
      })
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      const pid = await tab.agentPid()
      await tab.prompt("Say it")
      await tab.ended("Failed")
      await tab.transcript
        .getByRole("heading", { name: `The component Crasher ended, and the chain in front of ${agent.name} with it` })
        .waitFor()
      const drawn = tab.page
        .getByRole("complementary", { name: "State of the thread" })
        .getByRole("region", { name: "Chain" })
      await drawn.getByText("ended", { exact: true }).waitFor()
      assert.strictEqual(await drawn.locator('li:has([data-lamp="failed"]) b').textContent(), "Crasher")
      await tab.reads(`Crasher exited with code 9. ${agent.name} was stopped.`)
      assert.throws(() => process.kill(pid, 0), "ESRCH")
      assert.notInclude(readFileSync(heard, "utf8"), '"session/prompt"')
      await tab.transcript.getByRole("button", { name: "Start without Crasher" }).click()
      assert.notStrictEqual(await tab.agentPid(), pid)
      assert.strictEqual(await tab.page.getByRole("heading", { name: "Chain", exact: true }).count(), 0)
      await tab.prompt("Say it again")
      await tab.ended("Completed")
      await tab.reads("Hello")
    })
  })
