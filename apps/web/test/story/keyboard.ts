/** The whole way without a mouse. */
import { assert, describe } from "vitest"
import { test } from "../support/story.ts"
import { simulated, type Tab } from "../support/Tab.ts"

/** The name of what has the focus. */
const focused = (tab: Tab): Promise<string> =>
  tab.page.evaluate(() => {
    const element = document.activeElement
    return element?.getAttribute("aria-label") ?? element?.textContent ?? ""
  })

/** Presses Tab until something of that name has the focus. */
const tabTo = async (tab: Tab, name: string): Promise<void> => {
  for (let step = 0; step < 60; step++) {
    if ((await focused(tab)) === name) return
    await tab.press("Tab")
  }
  assert.fail(`Tab never came to “${name}”`)
}

const hasFocus = (tab: Tab, selector: string) =>
  tab.page.waitForFunction((selector) => document.activeElement?.matches(selector), selector)

export const keyboard = () =>
  describe("the keyboard alone", () => {
    test("starts a thread, prompts, approves and stops", async ({ open, project, server }) => {
      const tab = await open(server.link)
      await tab.sees(`Connected, ${server.host}`)
      await tab.press("n")
      await hasFocus(tab, "[data-start]")
      await tabTo(tab, `Start a thread with ${simulated}`)
      await tab.press("Enter")
      await hasFocus(tab, "dialog input")
      await tab.press("Control+a")
      await tab.page.keyboard.type(project)
      await tab.press("Enter")
      await hasFocus(tab, "#prompt")
      await tab.page.keyboard.type("run `pwd`")
      await tab.press("Enter", "Control+Enter")
      await tab.settled("Allow once")
      // The card did not take the focus: in the composer, digits are text.
      await hasFocus(tab, "#prompt")
      await tab.press("1")
      assert.strictEqual(await tab.composer.inputValue(), "1")
      await tab.press("Backspace", "Escape", "1")
      await tab.ended("Completed")
      await tab.reads("you chose “Allow once”")
      await hasFocus(tab, '[aria-label="Now"]')

      await tabTo(tab, `Prompt for ${simulated}`)
      await tab.page.keyboard.type("hang")
      await tab.press("Control+Enter")
      await tab.nowLine.getByText("Working").waitFor()
      await tab.press("Control+.")
      await tab.ended("Cancelled")
    })

    test("goes to what waits, through the transcript, and lists its keys", async ({ alone, open, project }) => {
      // On a server of its own, where nobody else waits.
      const tab = await open(alone.link)
      await tab.startThread(project)
      await tab.prompt("run `pwd`")
      await tab.settled("Allow once")
      const thread = tab.page.url()
      await tab.press("Escape", "n")
      await tab.heading("Agents on this machine").waitFor()
      // The second letter counts for some time only: it follows before the page has answered the first.
      await Promise.all([tab.press("g"), tab.press("w")])
      await tab.page.waitForURL(thread)
      await hasFocus(tab, "[data-ask], [data-ask] *")
      await tab.settled("Allow once")
      await tabTo(tab, "Allow once1")
      await tab.press("Space")
      await tab.ended("Completed")
      await tab.press("k", "k")
      await hasFocus(tab, '[role="log"] *')
      await tab.press("?")
      await tab.page.getByRole("dialog", { name: "Keys" }).getByText("Next thread that waits for you").waitFor()
      await tab.press("Escape")
      await tab.page.getByRole("dialog").waitFor({ state: "detached" })
    })
  })
