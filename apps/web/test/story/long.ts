/** Threads, turns and outputs that are too long to be on the page all at once. */
import { assert, describe } from "vitest"
import { test } from "../support/story.ts"
import type { Tab } from "../support/Tab.ts"

/** More than this takes longer than other things do: thousands of tool calls, on a machine that is busy. */
const atLength = { timeout: 120_000 }

const drawn = (tab: Tab): Promise<number> => tab.transcript.locator("[data-entry]").count()

/** Has what stands above the first entry shown, again and again, until nothing stands there. */
const toTheTop = (tab: Tab): Promise<void> =>
  tab.page.evaluate(
    () =>
      new Promise((top) => {
        const above = () =>
          [...document.querySelectorAll<HTMLElement>("#register button")].find(({ textContent }) =>
            /earlier (?:turns|entr)/i.test(textContent)
          )
        const step = () => {
          const button = above()
          if (button === undefined) return top()
          button.scrollIntoView()
          button.click()
          setTimeout(step, 20)
        }
        step()
      })
  )

export const long = () =>
  describe("what is long", () => {
    test("a thread opens with its last turns; those before come on the way up, and nothing moves", async ({
      open,
      project,
      swift
    }) => {
      const prompts = Array.from({ length: 23 }, (_, index) => `prompt ${String(index + 1).padStart(2, "0")}`)
      const tab = await open(swift.link)
      await tab.startThread(project, "Cursor")
      for (const prompt of prompts) await tab.prompt(`This is ${prompt}`)
      await tab.ended("Completed", 23)

      await tab.page.reload()
      await tab.reads("This is prompt 23")
      assert.include(await tab.story(), "This is prompt 04")
      assert.notInclude(await tab.story(), "This is prompt 03")
      const place = () =>
        tab.transcript
          .locator("[data-entry]", { hasText: "This is prompt 04" })
          .first()
          .evaluate((entry) => entry.getBoundingClientRect().top)
      await tab.transcript.evaluate((element) => element.scrollTo(0, 0))
      const before = await place()
      await tab.reads("This is prompt 03")
      assert.closeTo(await place(), before, 8, "less than half a line")

      await toTheTop(tab)
      await tab.reads(/^Turn 1,/)
      const story = await tab.story()
      for (const prompt of prompts) assert.strictEqual(story.split(`You This is ${prompt}`).length, 2, prompt)
      assert.strictEqual(await tab.transcript.getByRole("heading", { name: "Completed", exact: true }).count(), 23)
    })

    test("of a turn with thousands of entries the end is drawn, and all of it on the way up", async ({
      open,
      project,
      swift
    }) => {
      const tab = await open(swift.link)
      await tab.startThread(project, "Cursor")
      // Six entries each, and so a page more than the window of a thread.
      await tab.prompt("[[fake:parallel]]".repeat(350))
      await tab.transcript.getByRole("heading", { name: "Completed", exact: true }).waitFor(atLength)
      assert.isAtMost(await drawn(tab), 460)
      await tab.page.reload()
      await tab.ended("Completed")
      assert.isAtMost(await drawn(tab), 160)
      await toTheTop(tab)
      assert.strictEqual(await tab.transcript.getByText("All four are done.", { exact: true }).count(), 350)
    })

    test("a long output is begun, and shown whole when somebody asks", async ({ open, project, swift }) => {
      const tab = await open(swift.link)
      await tab.startThread(project, "Cursor")
      await tab.prompt("run `seq 1 40000`")
      await (await tab.settled("Allow once")).click()
      await tab.ended("Completed")
      const output = tab.transcript.getByLabel("Output")
      const begun = "The first 8 lines of 228,894 characters"
      await tab.reads(begun)
      assert.strictEqual(await output.textContent(), "1\n2\n3\n4\n5\n6\n7\n8")
      await tab.transcript.getByRole("button", { name: "Show all" }).click()
      await tab.reads("2,000 of 40,000 lines")
      assert.match((await output.textContent()) ?? "", /^38001\n.*\n40000$/s)
      await tab.page.reload()
      await tab.reads(begun)
    })
  })
