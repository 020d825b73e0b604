/** What is kept of threads: removed for good, and held up while the disk takes nothing. */
import { assert, describe } from "vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { remainsOf } from "../support/Processes.ts"
import { gone } from "../support/Server.ts"
import { test } from "../support/story.ts"
import { patience } from "../support/Tab.ts"

/** Files below a folder that hold a text, in whatever encoding has it byte by byte. */
const filesWith = (folder: string, text: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
    .filter((file) => readFileSync(file).includes(text))

export const kept = () =>
  describe("what is kept", () => {
    test("a thread that is deleted is gone from every page and from the disk", async ({ open, project, alone }) => {
      const secret = "the-word-is-tamarind"
      const state = join(alone.home, "state")
      const one = await open(alone.link)
      // What the simulated one keeps of its sessions is in the same folder, and stays with it.
      await one.startThread(project, "Cursor")
      await one.prompt(`Say ${secret} [[fake:stream n=3]]`)
      await one.ended("Completed")
      await one.composer.fill(`Not sent: ${secret}`)
      await one.page.getByRole("navigation", { name: "Threads" }).getByText("Draft").waitFor()
      const two = await open(one.page.url())
      await two.ended("Completed")
      const agent = new Set([await one.agentPid()])
      assert.isAbove(filesWith(state, secret).length, 0)

      await one.button("More about this thread").click()
      await one.button("Delete…").click()
      await one.page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click()
      for (const tab of [one, two]) {
        await tab.page.getByRole("region", { name: "News" }).getByText("was deleted").waitFor()
        // The page says so first, and then leaves.
        await tab.transcript.waitFor({ state: "detached" })
        const rows = tab.page.getByRole("navigation", { name: "Threads" }).locator('a[href^="#/threads/"]')
        assert.strictEqual(await rows.count(), 0)
      }
      assert.deepStrictEqual(await remainsOf(agent), [])
      for (const tab of [one, two]) tab.expect(...gone)
      await alone.stop()
      assert.deepStrictEqual(filesWith(state, secret), [])
    })

    test("a thread whose record is damaged says so and can be deleted, and the others are as they were", async ({
      open,
      project,
      alone
    }) => {
      const tab = await open(alone.link)
      tab.expect(...gone)
      await tab.startThread(project)
      await tab.prompt("The first")
      await tab.ended("Completed")
      const first = new URL(tab.page.url()).hash
      await tab.startThread(project)
      await tab.prompt("The second")
      await tab.ended("Completed")
      await alone.stop()
      const database = new DatabaseSync(join(alone.home, "state", "signalbox.sqlite"))
      const damage = database.prepare("UPDATE items SET payload = '{' WHERE thread_id = ?")
      assert.isAbove(Number(damage.run(first.slice(first.lastIndexOf("/") + 1)).changes), 0)
      database.close()
      await tab.nowLine.getByText("Not connected").waitFor()
      await alone.start()
      await tab.nowLine.getByText("Ready").waitFor()
      await tab.page.goto(`${alone.url}/${first}`)
      await tab.button("Try again").waitFor()
      await tab.sees("Other threads are not touched by this.")
      await tab.page.getByRole("link", { name: /The Second/i }).click()
      await tab.ended("Completed")
      await tab.prompt("Are you there?")
      await tab.ended("Completed", 2)
      await tab.page.goto(`${alone.url}/${first}`)
      await tab.button("More about this thread").click()
      await tab.button("Delete…").click()
      await tab.page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click()
      await tab.page.getByRole("region", { name: "News" }).getByText("was deleted").waitFor()
    })

    test("a thread is taken away as lines of JSON that hold all of it", async ({ open, project, server }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.prompt("Take this along [[fake:stream n=3]]")
      await tab.ended("Completed")
      await tab.button("More about this thread").click()
      const [download] = await Promise.all([tab.page.waitForEvent("download"), tab.button("Export").click()])
      assert.match(download.suggestedFilename(), /^take-this-along-\w{8}\.jsonl$/)
      const lines = readFileSync(await download.path(), "utf8")
        .trim()
        .split("\n")
      for (const line of lines) assert.isObject(JSON.parse(line))
      assert.include(lines.join("\n"), "chunk 3 of 3")
      await tab.sees(/^saved, /)
    })

    test("a disk that takes nothing is reported on every page, and its end too", async ({ open, project, alone }) => {
      const tab = await open(alone.link)
      await tab.startThread(project)
      await tab.prompt("Before [[fake:stream n=3]]")
      await tab.ended("Completed")
      // The server may be about to write: then this waits for its turn.
      const other = new DatabaseSync(join(alone.home, "state", "signalbox.sqlite"), { timeout: patience })
      try {
        other.exec("BEGIN IMMEDIATE")
        await tab.composer.fill("Meanwhile")
        await tab.composer.press("Control+Enter")
        const banner = tab.page.getByRole("region", { name: "Storage" })
        await banner.waitFor()
        await tab.desk.getByRole("article").waitFor()
        assert.strictEqual(await tab.composer.inputValue(), "Meanwhile")
        other.exec("ROLLBACK")
        await banner.waitFor({ state: "detached" })
      } finally {
        other.close()
      }
      await tab.composer.press("Control+Enter")
      await tab.ended("Completed", 2)
    })
  })
