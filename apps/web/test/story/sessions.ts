/** What an agent remembers, and what people write into their settings. */
import { assert, describe } from "vitest"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { keeper } from "../support/agents.ts"
import type { OwnAgent } from "../support/OwnAgent.ts"
import { test } from "../support/story.ts"
import type { Tab } from "../support/Tab.ts"

const everything = { list: {}, delete: {}, archive: {}, title: {}, fork: {}, resume: {} }

const keep = ({ home }: OwnAgent, sessions: ReadonlyArray<object>): void =>
  writeFileSync(join(home, "keeper.json"), JSON.stringify({ sessions }))

/** The sessions that the agent has in its file. */
const sessionsOf = ({ home }: OwnAgent): ReadonlyArray<{ readonly sessionId: string }> =>
  JSON.parse(readFileSync(join(home, "keeper.json"), "utf8")).sessions

const dialog = (tab: Tab) => tab.page.getByRole("dialog", { name: /^Sessions of / })
const session = (tab: Tab, title: string) => dialog(tab).getByRole("listitem").filter({ hasText: title })

export const sessions = () =>
  describe("sessions that an agent keeps", () => {
    test("are listed page after page, and one opens here with its history", async ({ agent, open, project }) => {
      const history = [{ user: "What is a siding?", agent: "A track beside the main one." }]
      const other = Array.from({ length: 7 }, (_, index) => ({
        sessionId: `o${index}`,
        cwd: project,
        title: `Other ${index}`
      }))
      keep(agent, [...other, { sessionId: "s1", cwd: project, title: "About sidings", history }])
      agent.settle(keeper(agent, { offers: { session: everything }, pageSize: 3 }))
      const tab = await open(agent.server.link)
      await tab.button("New thread").click()
      await tab.button(`Sessions of ${agent.name}…`).click()
      await dialog(tab).getByText("8 sessions").waitFor()
      await dialog(tab).getByRole("searchbox", { name: "Find a session" }).fill("sid")
      await dialog(tab).getByRole("listitem").nth(1).waitFor({ state: "detached" })
      await dialog(tab).getByRole("button", { name: "Open About sidings" }).press("Enter")
      await tab.reads("What is a siding?")
      await tab.reads("A track beside the main one.")
      await tab.heading("About sidings").waitFor()
      await tab.prompt("And a spur?")
      await tab.ended("Completed")
      // It is not opened twice.
      await tab.button("New thread").click()
      await tab.button(`Sessions of ${agent.name}…`).click()
      await dialog(tab).getByRole("link", { name: "To the thread of About sidings" }).click()
      await tab.reads("A track beside the main one.")
    })

    test("are named, archived and deleted where the agent lets us, by keys alone", async ({ agent, open, project }) => {
      keep(agent, [
        { sessionId: "s1", cwd: project, title: "One" },
        { sessionId: "s2", cwd: project, title: "Two" }
      ])
      agent.settle(keeper(agent, { offers: { session: everything } }))
      const tab = await open(agent.server.link)
      await tab.button("New thread").click()
      await tab.button(`Sessions of ${agent.name}…`).press("Enter")
      await dialog(tab).getByRole("button", { name: "Rename One" }).press("Enter")
      await dialog(tab).getByRole("textbox", { name: "Title" }).fill("A title that is longer than it keeps")
      await tab.press("Enter")
      // As the agent has it, not as it was asked for.
      await session(tab, "A title that is long").waitFor()
      await dialog(tab).getByRole("button", { name: "Archive Two" }).press("Enter")
      await session(tab, "Two").waitFor({ state: "detached" })
      await dialog(tab).getByRole("checkbox", { name: "Archived" }).press("Space")
      await session(tab, "Two").waitFor()
      await dialog(tab).getByRole("button", { name: "Delete Two…" }).press("Enter")
      await dialog(tab).getByRole("button", { name: "Keep it" }).waitFor()
      await dialog(tab).getByRole("button", { name: "Delete", exact: true }).press("Enter")
      await dialog(tab).getByText("Nothing is archived.").waitFor()
      // Names of folders are made up, and may hold any letters: only ids count.
      assert.deepStrictEqual(
        sessionsOf(agent).map(({ sessionId }) => sessionId),
        ["s1"]
      )
      assert.strictEqual(await tab.sideways(), 0)
    })

    test("that are changed while the list is read stay as they are then", async ({ agent, open, project }) => {
      const kept = ["One", "Two", "Three"].map((title) => ({ sessionId: title.toLowerCase(), cwd: project, title }))
      keep(agent, kept)
      const go = join(agent.home, "go")
      agent.settle(keeper(agent, { offers: { session: everything }, pageSize: 2, furtherPagesWaitFor: go }))
      const tab = await open(agent.server.link)
      await tab.button("New thread").click()
      await tab.button(`Sessions of ${agent.name}…`).click()
      await dialog(tab).getByRole("button", { name: "Rename One" }).click()
      await dialog(tab).getByRole("textbox", { name: "Title" }).fill("First")
      await tab.press("Enter")
      await session(tab, "First").waitFor()
      await dialog(tab).getByRole("button", { name: "Delete Two…" }).click()
      await dialog(tab).getByRole("button", { name: "Delete", exact: true }).click()
      await session(tab, "Two").waitFor({ state: "detached" })
      writeFileSync(go, "")
      await dialog(tab).getByText("2 sessions").waitFor()
      const titles = await dialog(tab).getByRole("listitem").locator("b").allTextContents()
      assert.deepStrictEqual(titles, ["First", "Three"])
    })

    test("of one that lists none can’t be listed, and the page says so", async ({ agent, open }) => {
      agent.settle(keeper(agent, {}))
      const tab = await open(agent.server.link)
      await tab.button("New thread").click()
      await tab.button(`Sessions of ${agent.name}…`).click()
      await dialog(tab).getByText(`${agent.name} does not list the sessions that it keeps.`).waitFor()
    })

    test("a copy of a thread goes its own way, and a thread may take the agent’s own session with it", async ({
      agent,
      open,
      project
    }) => {
      agent.settle(keeper(agent, { offers: { session: everything } }))
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      await tab.prompt("Remember the siding")
      await tab.ended("Completed")
      await tab.button("More about this thread").click()
      await tab.button("Go on in a copy").click()
      await tab.heading("Remember the siding, a copy").waitFor()
      await tab.page.getByRole("link", { name: "another thread" }).waitFor()
      await tab.prompt("And the spur")
      await tab.ended("Completed")
      await tab.button("More about this thread").click()
      await tab.button("Delete…").click()
      await tab.page.getByRole("checkbox", { name: new RegExp(`^${agent.name} deletes what it keeps`) }).check()
      await tab.button("Delete").click()
      await tab.page.getByRole("dialog").waitFor({ state: "detached" })
      assert.strictEqual(sessionsOf(agent).length, 1)
    })

    test("a thread may have more folders than one, where the agent takes them; elsewhere that is refused in words", async ({
      agent,
      open,
      project
    }) => {
      const also = join(project, "src")
      agent.settle(keeper(agent, { offers: { session: { additionalDirectories: {} } } }))
      const tab = await open(agent.server.link)
      const start = async (agent: string) => {
        await tab.button("New thread").click()
        await tab.button(`Start a thread with ${agent}`).click()
        await tab.page.getByLabel(`Folder in which ${agent} works`).fill(project)
        await tab.page.getByText("More folders").click()
        await tab.page.getByLabel(/^One a line/).fill(`${also}\n`)
        await tab.page.getByRole("button", { name: /^Start in / }).click()
        await tab.composer.waitFor()
      }
      await start(agent.name)
      await tab.nowLine.getByText("Ready").waitFor()
      const panel = tab.page.getByRole("complementary", { name: "State of the thread" })
      await panel.getByText(also, { exact: true }).waitFor()
      assert.include(readFileSync(join(agent.home, "keeper.json"), "utf8"), also)
      await start("Eliza")
      await tab.reads(/additionalDirectories|one folder/)
    })

    test("MCP servers of the settings are shown without their secrets, and switched for one thread", async ({
      alone,
      open,
      project
    }) => {
      alone.settle({
        mcpServers: {
          clock: { command: process.execPath, args: ["clock.js"], env: { CLOCK_KEY: "s3cret-value" } },
          lamp: { type: "http", url: "https://lamp.example/mcp", enabled: false }
        },
        projects: { [project]: { mcpServers: { local: { command: "no-such-program" } } } }
      })
      const tab = await open(alone.link)
      await tab.startThread(project, "Eliza")
      await tab.nowLine.getByText("Ready").waitFor()
      await tab.button("More about this thread").click()
      await tab.button("MCP servers…").click()
      const dialog = tab.page.getByRole("dialog", { name: "MCP servers of this thread" })
      await dialog.getByRole("switch", { name: "clock", checked: true }).waitFor()
      await dialog.getByRole("switch", { name: "lamp", checked: false }).press("Space")
      await dialog.getByRole("switch", { name: "lamp", checked: true }).waitFor()
      await dialog.getByText(/gets what is chosen here from its next start on/).waitFor()
      await dialog.getByText("for this folder").waitFor()
      assert.notInclude(await dialog.textContent(), "s3cret-value")
      await dialog.getByText("CLOCK_KEY").waitFor()
      await dialog.getByRole("button", { name: "As the settings say" }).click()
      await dialog.getByRole("switch", { name: "lamp", checked: false }).waitFor()
      assert.strictEqual(await tab.sideways(), 0)
    })

    test("who is signed in is shown when somebody asks, and can be signed out", async ({ agent, open }) => {
      const offers = { auth: { status: {}, logout: {} } }
      agent.settle(keeper(agent, { offers, authMethods: [{ id: "web", name: "In the browser" }] }))
      const tab = await open(agent.server.link)
      await tab.button("New thread").click()
      await tab.button(`Sign-in of ${agent.name}…`).click()
      const account = tab.page.getByRole("dialog", { name: `Sign-in of ${agent.name}` })
      await account.getByText("Nobody is signed in.").waitFor()
      await account.getByRole("button", { name: "Sign in: In the browser" }).click()
      await account.getByText("Signed in as", { exact: true }).waitFor()
      await account.getByText("ada@keeper.example").waitFor()
      await account.getByRole("button", { name: "Sign out" }).click()
      await account.getByText("Nobody is signed in.").waitFor()
    })

    test("settings that can’t be read are reported with what to do, and are read again once they are mended", async ({
      alone,
      open
    }) => {
      alone.settle({ agents: { keeper: keeper(alone, {}) } })
      const tab = await open(alone.link)
      const card = tab.page.getByRole("article", { name: "Keeper", exact: true })
      await card.getByText(/keeper\.mjs/).waitFor()
      writeFileSync(join(alone.home, "state", "settings.json"), '{ "agents": { ')
      const problems = tab.page.getByRole("region", { name: "Problems of the settings file" })
      await problems.waitFor()
      await card.waitFor()
      alone.settle({ agents: {} })
      await problems.waitFor({ state: "detached" })
      await card.waitFor({ state: "detached" })
    })
  })
