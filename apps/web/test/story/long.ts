/** Threads, turns and outputs that are too long to be on the page all at once. */
import { assert, describe, vi } from "vitest"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { scripted } from "../support/agents.ts"
import { noteTexts } from "../support/Passing.ts"
import { gone, type Server } from "../support/Server.ts"
import { fill } from "../support/LongThread.ts"
import { test } from "../support/story.ts"
import { patience, type Tab } from "../support/Tab.ts"

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

/** What the end of the turn says it amounts to, also where it is not painted. */
const footer = (tab: Tab): Promise<string | null> =>
  tab.transcript
    .locator("[data-entry]", { has: tab.page.getByRole("heading", { name: "Completed", exact: true }) })
    .last()
    .textContent()

const databaseOf = ({ home }: Server): string => join(home, "state", "signalbox.sqlite")

/** What another program counts in the thread that the tab shows. */
const toolsIn = (server: Server, tab: Tab): number => {
  const database = new DatabaseSync(databaseOf(server), { readOnly: true, timeout: patience })
  const thread = new URL(tab.page.url()).hash.split("/").at(-1) ?? ""
  const row = database.prepare("SELECT count(*) AS tools FROM items WHERE kind = 'tool' AND thread_id = ?").get(thread)
  database.close()
  return Number(row?.["tools"])
}

const figure = (amount: number): string => new Intl.NumberFormat("en-GB").format(amount)

/** Scrolls down until the entry `to` is drawn. Returns which entries never were, and how many were drawn at once. */
const walkDown = (tab: Tab, to: number) =>
  tab.page.evaluate(
    ({ last, mostStill }) =>
      new Promise<{ readonly missing: ReadonlyArray<number>; readonly mostDrawn: number }>((done) => {
        const scroller = document.querySelector("#register")
        const met = new Set<number>()
        let mostDrawn = 0
        let still = 0
        let place = -1
        const step = () => {
          const drawn = [...document.querySelectorAll("#register [data-entry]")]
          mostDrawn = Math.max(mostDrawn, drawn.length)
          for (const { textContent } of drawn) {
            const number = /Entry (\d+)/.exec(textContent ?? "")?.[1]
            if (number !== undefined) met.add(Number(number))
          }
          // Entries that are read from the server come late on a busy machine.
          const now = scroller?.scrollTop ?? 0
          still = now === place ? still + 1 : 0
          place = now
          if (met.has(last) || still > mostStill) {
            const missing = Array.from({ length: last - 1 }, (_, index) => index + 2).filter((n) => !met.has(n))
            return done({ missing, mostDrawn })
          }
          scroller?.scrollBy(0, 1500)
          setTimeout(step, 20)
        }
        step()
      }),
    { last: to, mostStill: patience / 20 }
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

    test("a message of several pieces reads as one, and so does the code block that they cut", async ({
      agent,
      open,
      project
    }) => {
      const code = Array.from({ length: 5000 }, (_, index) => `const line${index} = ${index}\n\n`).join("")
      const text = `Look at this:\n\n\`\`\`ts\n${code}\`\`\`\n\nThat was **all of it**.`
      const chunks = Array.from({ length: Math.ceil(text.length / 4000) }, (_, index) => ({
        text: text.slice(index * 4000, (index + 1) * 4000)
      }))
      agent.settle(scripted({ prompts: [chunks] }))
      const tab = await open(agent.server.link)
      await tab.page.context().grantPermissions(["clipboard-read", "clipboard-write"])
      await tab.startThread(project, agent.name)
      await tab.prompt("go")
      await tab.ended("Completed")
      await toTheTop(tab)
      for (const again of [false, true]) {
        if (again) await tab.page.reload()
        await tab.transcript.getByText("all of it", { exact: true }).and(tab.page.locator("strong")).waitFor()
        const blocks = tab.transcript.locator("figure")
        assert.isAbove(await blocks.count(), 2, "it is cut")
        assert.strictEqual((await blocks.locator("pre").allTextContents()).join("").trim(), code.trim())
        assert.strictEqual(await tab.transcript.getByRole("heading", { name: `${agent.name} wrote` }).count(), 1)
        assert.strictEqual(await blocks.locator("figcaption").count(), 1)
        // What is out of sight has no layout of its own yet: each seam is measured where it is seen.
        const seams = await blocks.evaluateAll(async (all) => {
          const seen: Array<number> = []
          for (const [at, one] of all.slice(1).entries()) {
            one.scrollIntoView()
            for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
            seen.push(one.getBoundingClientRect().top - (all[at]?.getBoundingClientRect().bottom ?? 0))
          }
          return seen
        })
        for (const seam of seams) assert.closeTo(seam, 0, 0.5)
      }
      const said = await noteTexts(tab, "#register output", /^copied$/)
      await tab.transcript.getByRole("button", { name: "Copy" }).first().click()
      await said.first()
      assert.strictEqual((await tab.page.evaluate(() => navigator.clipboard.readText())).trim(), code.trim())
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
      const before = await footer(tab)
      await tab.page.reload()
      await tab.ended("Completed")
      assert.isAtMost(await drawn(tab), 160)
      // What the page has loaded does not count: the database does.
      assert.deepStrictEqual(await footer(tab), before)
      // The end of a turn is shown before it is folded into the rows that are counted here.
      await vi.waitFor(() => assert.include(before ?? "", `${figure(toolsIn(swift, tab))} tools`), {
        timeout: patience
      })
      await toTheTop(tab)
      await tab.reads(/^Turn 1,/)
      assert.isAtMost(await drawn(tab), 460)
    })

    test("of a thread of 48,000 entries the first can be reached, and few are drawn on all the way", async ({
      alone,
      open,
      project
    }) => {
      const tab = await open(alone.link)
      tab.expect(...gone, /status of 401/)
      await tab.startThread(project, "Cursor")
      await tab.prompt("The very first words")
      await tab.ended("Completed")
      const thread = new URL(tab.page.url()).hash
      await alone.stop()
      fill(databaseOf(alone), 48_000)
      await alone.start()

      await tab.page.goto(alone.link)
      await tab.page.getByRole("navigation", { name: "Threads" }).getByRole("link").first().waitFor()
      await tab.page.goto(`${alone.url}/${thread}`)
      await tab.ended("Completed")
      await tab.transcript.evaluate((element) => element.scrollTo(0, 0))
      await tab.transcript.getByRole("button", { name: /^4[5-8],\d{3} earlier entries$/ }).waitFor()
      await tab.transcript.getByRole("button", { name: "Go to the beginning" }).click()
      await tab.reads("The very first words")
      await tab.reads("Entry 2")
      assert.isAtMost(await drawn(tab), 460)
      assert.strictEqual(await tab.transcript.getByRole("heading", { name: "Completed", exact: true }).count(), 0)

      // Down from there, page by page, without a gap, and not more and more.
      const seen = await walkDown(tab, 4500)
      assert.deepStrictEqual(seen.missing, [])
      assert.isAtMost(seen.mostDrawn, 460)

      await tab.page.getByRole("button", { name: /Go to the end/ }).click()
      await tab.ended("Completed")
      await tab.reads("Entry 48001")
      assert.isAtMost(await drawn(tab), 460)
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
