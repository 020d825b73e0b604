/** What is written and not sent: in the server and in every page, whatever is closed, hidden or restarted in between. */
import { assert, describe } from "vitest"
import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import { attached, give, shot } from "../support/Given.ts"
import { gone } from "../support/Server.ts"
import { test } from "../support/story.ts"
import { patience, type Tab } from "../support/Tab.ts"

const row = (tab: Tab) => tab.page.locator('nav[aria-label="Threads"] a[aria-current="page"]')

/** Waits until the list shows that the open thread has a draft, which only the server can say. */
const marked = (tab: Tab) => row(tab).filter({ hasText: "Draft" }).waitFor()
const unmarked = (tab: Tab) => row(tab).filter({ hasNotText: "Draft" }).waitFor()

/** Waits until the field has this text. */
const holds = (tab: Tab, text: string) =>
  tab.page.waitForFunction((wanted) => document.querySelector<HTMLTextAreaElement>("#prompt")?.value === wanted, text)

export const drafts = () =>
  describe("a prompt that was written and not sent", () => {
    test("is back after a reload and in another browser, and leaves both when it is sent", async ({
      open,
      openAnew,
      project,
      server
    }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.composer.pressSequentially("Write this down")
      await marked(tab)
      await tab.page.reload()
      await holds(tab, "Write this down")
      const far = await openAnew(server.link)
      await far.page.goto(tab.page.url())
      await holds(far, "Write this down")
      await tab.composer.press("Control+Enter")
      await holds(tab, "")
      await holds(far, "")
      await unmarked(tab)
      await tab.page.reload()
      await tab.ended("Completed")
      await holds(tab, "")
    })

    test("is back after the server was killed, in a browser that never had it", async ({
      open,
      openAnew,
      project,
      alone
    }) => {
      const tab = await open(alone.link)
      tab.expect(...gone)
      await tab.startThread(project)
      await tab.composer.fill("Survive this")
      await marked(tab)
      const address = new URL(tab.page.url()).hash
      await alone.crash()
      await alone.start()
      const far = await openAnew(alone.link)
      await far.page.goto(`${alone.url}/${address}`)
      await holds(far, "Survive this")
    })

    test("stays with its thread, and is there in a page that is left a moment after the last key", async ({
      open,
      openAnew,
      project,
      server
    }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.composer.fill("For the first one")
      const first = tab.page.url()
      await tab.startThread(project)
      await holds(tab, "")
      await tab.composer.fill("For the second one")
      // Nobody waits for a pause in typing: the thread is left at once.
      await tab.page.goto(first)
      await holds(tab, "For the first one")
      await tab.page.locator('nav[aria-label="Threads"] a').filter({ hasText: "Draft" }).nth(1).waitFor()
      await tab.page.goBack()
      await holds(tab, "For the second one")
      const second = tab.page.url()
      await tab.composer.fill("For the second one, and more")
      // No last word is relied on: this browser has what the server did not get any more.
      await tab.leave()
      const next = await open(second)
      await holds(next, "For the second one, and more")
      await marked(next)
      const far = await openAnew(server.link)
      await far.page.goto(second)
      await holds(far, "For the second one, and more")
    })

    test("is saved at once when its page is hidden", async ({ open, openAnew, project, server }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.composer.fill("Hidden in the middle of a wo")
      await tab.page.evaluate(() => {
        Object.defineProperty(document, "visibilityState", { value: "hidden" })
        document.dispatchEvent(new Event("visibilitychange"))
      })
      await marked(tab)
      const far = await openAnew(server.link)
      await far.page.goto(tab.page.url())
      await holds(far, "Hidden in the middle of a wo")
    })

    test("is followed by another page, and two texts are never decided by the page", async ({
      open,
      project,
      server
    }) => {
      const one = await open(server.link)
      await one.startThread(project)
      const two = await open(one.page.url())
      await two.composer.waitFor()
      await one.composer.fill("From the first page")
      await holds(two, "From the first page")
      await two.composer.fill("From the second page")
      await holds(one, "From the second page")

      await Promise.all([one.composer.fill("One way"), two.composer.fill("Another way")])
      const line = (tab: Tab) => tab.desk.getByText("Another page has written")
      const asked = await Promise.race([
        line(one)
          .waitFor()
          .then(() => one),
        line(two)
          .waitFor()
          .then(() => two)
      ])
      const other = asked === one ? two : one
      const [mine, theirs] = asked === one ? ["One way", "Another way"] : ["Another way", "One way"]
      assert.strictEqual(await asked.composer.inputValue(), mine)
      await asked.desk.getByText(theirs).waitFor()
      await asked.desk.getByText("Your text is kept in this browser until you choose.").waitFor()
      await asked.button("Keep mine").click()
      await line(asked).waitFor({ state: "detached" })
      await holds(other, mine)
    })

    test("keeps its files over a reload, and they go along with the prompt", async ({ open, project, server }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.nowLine.getByText("Ready").waitFor()
      await give(tab, "paste", [shot])
      await attached(tab).getByText("shot.png").waitFor()
      await marked(tab)
      await tab.page.reload()
      await attached(tab).getByText("shot.png").waitFor()
      await attached(tab).locator("img").waitFor()
      await tab.composer.fill("[[fake:image-in]]")
      await tab.composer.press("Control+Enter")
      await tab.ended("Completed")
      await tab.reads(/image\/png/)
      await unmarked(tab)
      await tab.page.reload()
      await tab.ended("Completed")
      assert.strictEqual(await attached(tab).count(), 0)
    })

    test("leaves the field when it is sent before the part of the page that keeps drafts is there", async ({
      open,
      project,
      server
    }) => {
      const begun = await open(server.link)
      await begun.startThread(project)
      const part = Promise.withResolvers<void>()
      const tab = await open(begun.page.url(), async (page) => {
        await page.route(/draftKeeping-/, async (route) => {
          await part.promise
          await route.continue()
        })
      })
      await tab.composer.fill("Sent early")
      await tab.composer.press("Control+Enter")
      await tab.ended("Completed")
      part.resolve()
      await holds(tab, "")
      await holds(begun, "")
    })

    test("is in this browser where that part can't be loaded, and the page says so", async ({
      open,
      project,
      server
    }) => {
      const begun = await open(server.link)
      await begun.startThread(project)
      const address = begun.page.url()
      const tab = await open(address, async (page) => {
        await page.route(/draftKeeping-/, (route) => route.abort())
      })
      tab.expect(/ERR_FAILED/, /draftKeeping/)
      await tab.desk.getByText("Not saved in the server: a part of this page can’t be loaded.").waitFor()
      await tab.composer.fill("Written anyway")
      await tab.page.unroute(/draftKeeping-/)
      await tab.page.reload()
      await holds(tab, "Written anyway")
      await marked(tab)
      await holds(begun, "Written anyway")
    })

    test("is said to be in this browser only, as long as the server can't save it", async ({
      open,
      project,
      alone
    }) => {
      const tab = await open(alone.link)
      await tab.startThread(project)
      const other = new DatabaseSync(join(alone.home, "state", "signalbox.sqlite"), { timeout: patience })
      try {
        other.exec("BEGIN IMMEDIATE")
        await tab.composer.fill("Where am I?")
        const note = tab.desk.getByText(/^Not saved in the server\..*Your text is kept in this browser\.$/)
        await note.waitFor()
        other.exec("ROLLBACK")
        await note.waitFor({ state: "detached" })
      } finally {
        other.close()
      }
      await marked(tab)
      assert.strictEqual(await tab.composer.inputValue(), "Where am I?")
    })
  })
