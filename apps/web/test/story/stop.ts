/** Stop stops. */
import { assert, describe } from "vitest"
import { noteTexts } from "../support/Passing.ts"
import { membersOf } from "../support/Processes.ts"
import { test } from "../support/story.ts"

export const stop = () =>
  describe("Stop", () => {
    test("cancels the turn, and the next prompt works", async ({ open, project, server }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.hang()
      await tab.button(/^Stop/).click()
      await tab.ended("Cancelled")
      await tab.reads("by you")
      await tab.prompt("Go on")
      await tab.reads(/You said:/)
      await tab.ended("Completed")
      assert.notInclude(await tab.story(), "Resumed", "the process was kept")
    })

    test("holds the prompts that wait: another joins them, one is sent now, and Resume sends the rest", async ({
      open,
      project,
      server
    }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.hang()
      await tab.prompt("First of them")
      await tab.prompt("Second of them")
      await tab.button(/^Stop/).first().click()
      await tab.ended("Cancelled")
      await tab.nowLine.getByText("until you resume").waitFor()
      await tab.desk.getByText("2 prompts held").waitFor()
      await tab.desk.getByText("you pressed Stop").waitFor()
      await tab.page.getByRole("status").filter({ hasText: "2 prompts held" }).first().waitFor({ state: "attached" })
      await tab.composer.fill("Third of them")
      await tab.desk.getByText("Joins 2 held prompts").waitFor()
      await tab.button("Queue").click()
      await tab.desk.getByText("3 prompts held").waitFor()
      await tab.composer.fill("Before all")
      await tab.button("Send now").click()
      await tab.ended("Completed")
      await tab.desk.getByText("3 prompts held").waitFor()
      await tab.page.locator('a[aria-current="page"]').getByText("held", { exact: true }).waitFor()
      await tab.button("Resume").click()
      await tab.ended("Completed", 4)
      assert.match(await tab.story(), /You said: ?Before all.*You said: ?First.*You said: ?Second.*You said: ?Third/)
    })

    test("is offered where an agent fell silent, with what is known of its process", async ({
      openAnew,
      project,
      server
    }) => {
      // Whoever moves the clock moves it for all pages of a browser: this one has been nowhere else.
      const tab = await openAnew(server.link, (page) => page.clock.install())
      await tab.startThread(project)
      // The last sign comes after this moment, so that it is not 40 seconds old in the time that the page is given, however late it is.
      const before = Date.now()
      await tab.hang()
      const stop = tab.transcript.getByRole("button", { name: "Stop the turn" })
      await tab.page.clock.setFixedTime(before + 39_000)
      await tab.nowLine.getByText(/last sign of life \d+ s ago/).waitFor()
      assert.strictEqual(await stop.count(), 0)
      await tab.page.clock.setFixedTime(Date.now() + 60_000)
      await tab.nowLine.getByText(/^silent for (?:\d+ m )?\d+ s, last: thinking/).waitFor()
      await tab.reads(new RegExp(`its process ${await tab.agentPid()} was running`))
      await stop.click()
      await tab.ended("Cancelled")
      assert.notInclude(await tab.story(), "No sign of")
    })

    test("withdraws what is asked", async ({ open, project, server }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.prompt("run `pwd`")
      await tab.settled("Allow once")
      await tab.press("Control+.")
      await tab.ended("Cancelled")
      await tab.reads("without an answer")
      assert.strictEqual(await tab.desk.getByRole("article").count(), 0)
    })

    test("counts down with an agent that ignores it, kills it, and the next prompt works", async ({
      open,
      project,
      difficult
    }) => {
      const tab = await open(difficult.link)
      await tab.startThread(project, "Cursor")
      await tab.hang()
      const deaf = new Set([await tab.agentPid()])
      assert.isAbove(membersOf(deaf).length, 0)
      const countdown = await noteTexts(tab, "button", /^(?:Stopping, \d s|Killing the process)$/)
      await tab.button(/^Stop/).click()
      await tab.ended("Cancelled")
      const said = await countdown.texts()
      assert.isAbove(said.length, 1)
      const left = said.map((text) => Number(/\d/.exec(text)?.[0] ?? 0))
      assert.deepStrictEqual(
        left,
        left.toSorted((one, other) => other - one),
        said.join(" · ")
      )
      assert.deepStrictEqual(membersOf(deaf), [])
      await tab.prompt("Go on")
      await tab.reads(/You said:/)
      await tab.ended("Completed")
      await tab.reads("Resumed by session/load")
    })
  })
