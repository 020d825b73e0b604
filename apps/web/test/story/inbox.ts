/** The page of all that waits: one list over all threads, one answer for equal requests, and none for what people have not seen. */
import type { Locator } from "playwright-core"
import { assert, describe } from "vitest"
import { scripted } from "../support/agents.ts"
import type { Server } from "../support/Server.ts"
import { test } from "../support/story.ts"
import type { Tab } from "../support/Tab.ts"

const options = [
  { optionId: "yes", name: "Allow once", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" }
]
const always = { optionId: "ever", name: "Allow always", kind: "allow_always" }

const asks = (command: string, offered: ReadonlyArray<object> = options, title = "Look") => ({
  permission: { toolCall: { toolCallId: "c", title, kind: "execute", rawInput: { command } }, options: offered }
})

const cancelled = { on: { cancelled: [{ stop: "cancelled" }] } }

/** Starts a thread that asks at once. Returns its address. */
const asker =
  (tab: Tab, folder: string) =>
  async (...steps: ReadonlyArray<object>): Promise<string> => {
    await tab.startThread(folder, "Script")
    await tab.prompt(JSON.stringify(steps))
    await tab.desk.getByRole("article").waitFor()
    return tab.page.url()
  }

const settled = async (scope: Locator, name: string): Promise<Locator> => {
  const button = scope.getByRole("button", { name: new RegExp(`^${name}( ?\\d)?$`) })
  await button.and(scope.page().locator(":not([aria-disabled])")).waitFor()
  return button
}

const inboxOf = ({ page }: Tab) => ({
  entry: page.getByRole("link", { name: /^Waiting for you/ }),
  list: page.getByRole("region", { name: "Requests" }),
  open: page.getByRole("region", { name: "The request" }),
  rows: page.locator("[data-request]")
})

const withScript = (server: Server): Server => {
  server.settle({ agents: { script: scripted({}) } })
  return server
}

export const inbox = () =>
  describe("the inbox", () => {
    test("equal requests are one row, and one answer is given to each of them", async ({ alone, open, project }) => {
      const { link } = withScript(alone)
      const tab = await open(link)
      const ask = asker(tab, project)
      const one = await ask(asks("ls -l", [...options, always]))
      const two = await ask(asks("ls -l"))
      const other = await ask(asks("ls -l", options, "Look closely"))
      const { entry, open: card, rows } = inboxOf(tab)
      await entry.getByText("3", { exact: true }).waitFor()
      await entry.click()
      await rows.nth(1).waitFor()
      assert.strictEqual(await rows.count(), 2)
      const both = rows.filter({ hasText: "2 equal requests" })
      await both.click()
      await card.getByText("The same request in 2 places").waitFor()
      // One of them offers more. It is not offered here.
      await settled(card, "Allow once")
      assert.strictEqual(await card.getByRole("button", { name: /^Allow always/ }).count(), 0)
      await tab.press("Enter")
      await tab.press("2")
      await rows.filter({ hasText: "2 equal requests" }).waitFor({ state: "detached" })
      for (const address of [one, two]) {
        await tab.page.goto(address)
        await tab.ended("Completed")
        await tab.reads("permission no")
      }
      await tab.page.goto(other)
      await tab.settled("Allow once")
    })

    test("a box leaves a thread out, and its request goes on waiting", async ({ alone, open, project }) => {
      const tab = await open(withScript(alone).link)
      const ask = asker(tab, project)
      const one = await ask(asks("ls"))
      const two = await ask(asks("ls"))
      const { entry, open: card, rows } = inboxOf(tab)
      await entry.click()
      await card.getByText("The same request in 2 places").waitFor()
      await card.getByRole("checkbox").nth(0).uncheck()
      await (await settled(card, "Allow once")).click()
      await rows.filter({ hasText: "2 equal requests" }).waitFor({ state: "detached" })
      await entry.getByText("1", { exact: true }).waitFor()
      // Its card is a new one, which takes an answer of its own.
      await (await settled(card, "Reject")).click()
      await card.getByRole("article").waitFor({ state: "detached" })
      await tab.page.goto(two)
      await tab.ended("Completed")
      await tab.reads("permission yes")
      await tab.page.goto(one)
      await tab.ended("Completed")
      await tab.reads("permission no")
    })

    test("a request that was left out is not answered by the key for the one that went", async ({
      alone,
      open,
      project
    }) => {
      const tab = await open(withScript(alone).link)
      const ask = asker(tab, project)
      const one = await ask(asks("ls"))
      const gone = await ask({ ...asks("ls"), ...cancelled })
      const second = await open(alone.link)
      await second.page.goto(gone)
      await second.settled("Allow once")
      const { entry, open: card } = inboxOf(tab)
      await entry.click()
      await card.getByText("The same request in 2 places").waitFor()
      await card.getByRole("checkbox").nth(0).uncheck()
      await settled(card, "Allow once")
      // Presses the answer in the moment in which its request has gone.
      await tab.page.evaluate(() => {
        new MutationObserver((_, observer) => {
          if (document.querySelectorAll('[aria-label="The request"] [type="checkbox"]').length > 0) return
          observer.disconnect()
          dispatchEvent(new KeyboardEvent("keydown", { key: "1" }))
        }).observe(document.body, { subtree: true, childList: true })
      })
      await second.press("Control+.")
      await card
        .getByRole("status")
        .getByText(/is no longer open/)
        .waitFor()
      await (await settled(card, "Reject")).click()
      await tab.page.goto(one)
      await tab.ended("Completed")
      await tab.reads("permission no")
    })

    test("a request that is withdrawn while it is open says so, and the key that was meant for it answers no other", async ({
      alone,
      open,
      project
    }) => {
      const tab = await open(withScript(alone).link)
      const ask = asker(tab, project)
      const other = await ask(asks("pwd"))
      const gone = await ask({ ...asks("ls"), ...cancelled })
      const second = await open(alone.link)
      await second.page.goto(gone)
      await second.settled("Allow once")
      const { entry, open: card, rows } = inboxOf(tab)
      await entry.click()
      await card.getByText("ls", { exact: true }).first().waitFor()
      await settled(card, "Allow once")
      // Presses the answer in the moment in which the card goes, and in the one in which the next comes.
      await tab.page.evaluate(() => {
        const shown = () => document.querySelector('[aria-label="The request"] article')
        const before = shown()
        new MutationObserver((_, observer) => {
          if (before?.isConnected) return
          dispatchEvent(new KeyboardEvent("keydown", { key: "1" }))
          if (shown() !== null) observer.disconnect()
        }).observe(document.body, { subtree: true, childList: true })
      })
      await second.press("Control+.")
      await card
        .getByRole("status")
        .getByText(/is no longer open\. It was withdrawn/)
        .waitFor()
      await card.getByText("pwd", { exact: true }).first().waitFor()
      assert.strictEqual(await rows.count(), 1)
      // Had a key answered it before, this one would have come too late.
      await (await settled(card, "Reject")).click()
      await tab.page.goto(other)
      await tab.ended("Completed")
      await tab.reads("permission no")
    })

    test("J and K go through the list, and after an answer the next request opens, inert at first", async ({
      alone,
      open,
      project
    }) => {
      const tab = await open(withScript(alone).link)
      const ask = asker(tab, project)
      await ask(asks("echo 1"))
      await ask(asks("echo 2"))
      await ask(asks("echo 3"))
      const { open: card, rows } = inboxOf(tab)
      const shows = (command: string) => card.getByText(command, { exact: true }).first().waitFor()
      await tab.press("Escape", "g", "i")
      await shows("echo 3")
      await tab.press("j", "j")
      await shows("echo 1")
      await tab.press("j")
      await card.getByText("3 of 3").waitFor()
      await tab.press("k")
      await shows("echo 2")
      await settled(card, "Allow once")
      await tab.page.evaluate(() => {
        const before = document.querySelector('[aria-label="The request"] article')
        new MutationObserver((_, observer) => {
          const now = document.querySelector('[aria-label="The request"] article')
          if (now === null || now === before) return
          observer.disconnect()
          document.documentElement.dataset["inert"] = String(
            now.querySelectorAll("fieldset button:not([aria-disabled])").length
          )
        }).observe(document.body, { subtree: true, childList: true })
      })
      await tab.press("1")
      await shows("echo 1")
      assert.strictEqual(await tab.page.locator("html").getAttribute("data-inert"), "0")
      await rows.nth(1).waitFor()
      assert.strictEqual(await rows.count(), 2)
      await tab.page.getByText(/1 by you/).waitFor()
      await tab.page.getByText(/you, on a page/).waitFor()
    })

    test("two pages answer at once: one answer is taken, and the other page says that its request is gone", async ({
      alone,
      open,
      project
    }) => {
      const tab = await open(withScript(alone).link)
      const address = await asker(tab, project)(asks("ls"))
      const two = await open(alone.link)
      const cards = [inboxOf(tab), inboxOf(two)]
      for (const { entry, open: card } of cards) {
        await entry.click()
        await settled(card, "Reject")
      }
      await Promise.all([tab.press("1"), two.press("2")])
      for (const { open: card } of cards) await card.getByRole("article").waitFor({ state: "detached" })
      await tab.page.goto(address)
      await tab.ended("Completed")
      assert.strictEqual((await tab.story()).match(/permission (yes|no)/g)?.length, 1)
    })

    test("words of agents are only words, in the list and in the card", async ({ alone, open, project }) => {
      const tab = await open(withScript(alone).link)
      const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
      await asker(tab, project)(asks(`echo '${evil}'\u202e`, options, evil))
      const { entry, open: card, rows } = inboxOf(tab)
      await entry.click()
      await settled(card, "Reject")
      assert.include(await rows.first().textContent(), "<img src=x")
      assert.include(await rows.first().textContent(), "U+202E")
      assert.strictEqual(await tab.page.locator("main img, main script").count(), 0)
      assert.match(await tab.page.title(), /^\(1\) Waiting for you/)
    })
  })
