/** Which agents there are, and where they are to work. */
import { assert, describe } from "vitest"
import { execFileSync } from "node:child_process"
import { basename, join } from "node:path"
import { emulatorFolder } from "../support/Server.ts"
import { openHeldBack } from "../support/HeldBack.ts"
import { test } from "../support/story.ts"
import { simulated, type Tab } from "../support/Tab.ts"

const card = (tab: Tab, agent: string) => tab.page.getByRole("article", { name: agent, exact: true })

export const agents = () =>
  describe("the agents", () => {
    // Nobody starts a thread there: with one, the page would open it.
    test("their places are there before the server has sent which they are", async ({ open, withoutCursor }) => {
      const { release, tab } = await openHeldBack(open, withoutCursor.link, '"checks"')
      const places = tab.page.getByRole("status", { name: "The agents are asked for" })
      await places.waitFor()
      assert.strictEqual(await tab.page.getByRole("article").count(), 0)
      release()
      await card(tab, simulated).waitFor()
      await places.waitFor({ state: "detached" })
    })

    test("a Cursor that is missing is named with what to do, and can't be started", async ({ open, withoutCursor }) => {
      const tab = await open(withoutCursor.link)
      const cursor = card(tab, "Cursor")
      await cursor.getByText("Not found", { exact: true }).waitFor()
      await cursor.getByText("curl https://cursor.com/install -fsS | bash").waitFor()
      await cursor.getByText("cursor-agent").first().waitFor()
      assert.strictEqual(await tab.button("Start a thread with Cursor").count(), 0)
      await card(tab, simulated).getByText("Ready", { exact: true }).waitFor()
      await tab.button("Start a thread with Eliza").waitFor()
    })

    test("a Cursor in PATH is shown with its path, version and login", async ({ open, server }) => {
      const tab = await open(server.link)
      await tab.button("New thread").click()
      const cursor = card(tab, "Cursor")
      await cursor.getByText("Ready", { exact: true }).waitFor()
      await cursor.getByText(join(emulatorFolder, "cursor-agent")).waitFor()
      await cursor.getByText(/^2026\.10\.\d\d-\w+$/).waitFor()
      const rows = await cursor.getByRole("listitem").allTextContents()
      assert.deepStrictEqual(
        rows.map((row) => /^(Found|Version|Sign in)/.exec(row)?.[0]),
        ["Found", "Version", "Sign in"]
      )
      await tab.button("Start a thread with Cursor").waitFor()
    })

    test("one more Cursor for another account is shown with how it is started, and works as Cursor", async ({
      alone,
      open,
      project
    }) => {
      const tab = await open(alone.link)
      const account = { FAKE_CURSOR_STATE: join(alone.home, "work"), FAKE_CURSOR_QUIRKS: "-ask_missing" }
      const entry = { binaryPath: join(emulatorFolder, "agent"), args: ["--force"], env: account }
      alone.settle({ agents: { work: { name: "Cursor (work)", providerOptions: { cursor: entry } } } })
      const work = card(tab, "Cursor (work)")
      await work.getByText("Ready", { exact: true }).waitFor()
      await work.getByText(`${join(emulatorFolder, "agent")} --force acp`).waitFor()
      await work.getByText("FAKE_CURSOR_STATE FAKE_CURSOR_QUIRKS").waitFor()
      assert.notInclude(await work.innerText(), account.FAKE_CURSOR_STATE)
      await tab.startThread(project, "Cursor (work)")
      await tab.prompt("[[fake:ask]]")
      await tab.page.getByText("Clarify").first().waitFor()
      alone.settle({ agents: {} })
    })

    test("a model is chosen before the thread has a session, and is what it begins with", async ({
      alone,
      open,
      project
    }) => {
      const tab = await open(alone.link)
      await tab.button("New thread").click()
      await tab.button("Start a thread with Cursor (simulated)").click()
      await tab.page.getByLabel("Folder in which Cursor (simulated) works").fill(project)
      await tab.page.getByRole("combobox", { name: "Model" }).selectOption("Opus 5")
      await tab.page.getByRole("button", { name: /^Start in / }).click()
      await tab.desk.getByRole("button", { name: /Opus 5/ }).waitFor()
      await tab.prompt("Hello")
      await tab.ended("Completed")
      await tab.desk.getByRole("button", { name: /Opus 5/ }).waitFor()
    })

    test("a login that is missing is named with its command, and is noticed once it is there", async ({
      loggedOut,
      open
    }) => {
      const tab = await open(loggedOut.link)
      const cursor = card(tab, "Cursor")
      await cursor.getByText("One step left", { exact: true }).waitFor()
      await cursor.getByText("Nobody is signed in to Cursor.").waitFor()
      await cursor.getByText("cursor-agent login", { exact: true }).waitFor()
      execFileSync(join(emulatorFolder, "cursor-agent"), ["login"], {
        env: { ...process.env, FAKE_CURSOR_AUTH: "none", FAKE_CURSOR_STATE: join(loggedOut.home, "cursor") }
      })
      await tab.button("Check again").click()
      await cursor.getByText("Ready", { exact: true }).waitFor()
    })

    test("the folder is found by steps or by its path, and one that isn't there is reported", async ({
      alone,
      open,
      project
    }) => {
      const tab = await open(alone.link)
      await tab.button(`Start a thread with ${simulated}`).click()
      const dialog = tab.page.getByRole("dialog", { name: `Start a thread with ${simulated}` })
      const field = dialog.getByLabel(`Folder in which ${simulated} works`)
      await field.fill(project)
      await dialog.getByText("A git repository", { exact: true }).waitFor()
      await dialog.getByRole("list", { name: "Folders" }).getByRole("button", { name: "src" }).click()
      await dialog.getByText("Not a git repository", { exact: true }).waitFor()
      assert.strictEqual(await field.inputValue(), join(project, "src"))
      await dialog.getByRole("button", { name: "The folder around it" }).click()
      assert.strictEqual(await field.inputValue(), project)
      await field.fill(join(project, "nowhere"))
      await dialog.getByText(/no such folder|can’t be used/).waitFor()
      await field.fill(project)
      await dialog.getByRole("button", { name: `Start in ${basename(project)}` }).click()
      await tab.composer.waitFor()
      await tab.page.getByRole("complementary", { name: "State of the thread" }).getByText(project).waitFor()
      await tab.nowLine.getByText("Ready").waitFor()
    })

    test("folders of an earlier path can't be chosen while another one is looked up", async ({
      openAnew,
      project,
      server
    }) => {
      const { hold, release, tab } = await openHeldBack(openAnew, server.link)
      await tab.button("New thread").click()
      await tab.button(`Start a thread with ${simulated}`).click()
      const dialog = tab.page.getByRole("dialog", { name: `Start a thread with ${simulated}` })
      const field = dialog.getByLabel(`Folder in which ${simulated} works`)
      await field.fill(project)
      const src = dialog.getByRole("list", { name: "Folders" }).getByRole("button", { name: "src" })
      // It may be drawn anew between the two: the list of the folder before has one of that name, too.
      let row = null
      while (row === null) {
        await src.waitFor()
        row = await src.boundingBox()
      }
      hold()
      await field.fill(join(project, ".git"))
      await tab.page.mouse.click(row.x + row.width / 2, row.y + row.height / 2)
      assert.strictEqual(await field.inputValue(), join(project, ".git"))
      release()
      await dialog.getByText("No folders in here.").waitFor()
      await dialog.getByRole("button", { name: "The folder around it" }).click()
      assert.strictEqual(await field.inputValue(), project)
    })
  })
