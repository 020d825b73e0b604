/** What went over the wire of a session, as the page draws it: held against the lines of the tape. */
import { assert, describe, vi } from "vitest"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { scripted } from "../support/agents.ts"
import { gateIn } from "../support/Gate.ts"
import { test } from "../support/story.ts"
import { patience, type Tab } from "../support/Tab.ts"
import { programOf } from "../../../../scripts/suite/Program.ts"

const arrow = programOf(new URL("../../../../packages/stand-in-agents/src/arrow/main.ts", import.meta.url))

/** The tape of a thread's only session. */
const tapeFile = (state: string, threadId: string): string => {
  const folder = join(state, "tapes")
  return join(folder, readdirSync(folder).find((one) => one.startsWith(threadId)) ?? "")
}

/** The lines of a tape: what each says, and which way. */
const tapeOf = (state: string, threadId: string) =>
  readFileSync(tapeFile(state, threadId), "utf8")
    .trimEnd()
    .split("\n")
    .map((line): { readonly dir: string; readonly line: unknown } => JSON.parse(line))

const idOf = (tab: Tab): string => /#\/threads\/([^/]+)/.exec(tab.page.url())?.[1] ?? ""

const wireOf = ({ page }: Tab) => {
  const room = page.getByRole("region", { name: "Wire", exact: true })
  const rows = room.getByRole("table", { name: "Messages" }).locator("tbody tr")
  return {
    room,
    rows,
    row: (method: string) => rows.filter({ has: page.getByRole("button", { name: method, exact: true }) }),
    only: (word: string, count: number) => room.getByRole("button", { name: `${word} ${count}`, exact: true }),
    detail: room.getByRole("region", { name: "Message" }),
    /** The cells of each row, as they are read. */
    read: () =>
      rows.evaluateAll((all) =>
        all.map((row) => {
          const [line, , way] = [...row.querySelectorAll("td")].map(({ textContent }) => textContent)
          const method = row.querySelector("button")?.textContent
          return { line: Number((line ?? "").replaceAll(",", "")), way, method }
        })
      )
  }
}

export const wire = () =>
  describe("the wire", () => {
    test("shows each message once on its way through the chain, while the session runs and afterwards", async ({
      agent,
      open,
      project
    }) => {
      const gate = gateIn(project)
      const initialize = { agentCapabilities: { mcpCapabilities: { acp: true } } }
      agent.settle({
        ...scripted({ initialize, prompts: [[{ text: "Hello" }, gate.step, { text: " you" }]] }),
        components: [{ component: "git" }, { command: process.execPath, args: [arrow], name: "First" }]
      })
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      await tab.prompt("Say it")
      await tab.reads("Hello")
      await tab.page.getByRole("link", { name: "Show the wire" }).first().click()
      const wire = wireOf(tab)
      // The agent has the prompt, and has not answered.
      await wire.row("session/prompt").getByText("no answer yet").waitFor()
      await wire.only("Open", 1).waitFor()
      const asked = (await wire.read()).find(({ method }) => method === "session/prompt")
      assert.strictEqual(asked?.way, `Signalbox to ${agent.name}`)
      gate.open()
      await wire.row("session/prompt").getByText("end_turn").waitFor()
      await wire.only("Open", 0).waitFor()

      const tape = tapeOf(join(agent.server.home, "state"), idOf(tab))
      // Each row names the line with which its message begins.
      for (const { line, method } of await wire.read()) {
        const { [line - 1]: found } = tape
        const said = JSON.stringify(found?.line)
        if (method === "note") assert.strictEqual(found?.dir, "note", said)
        else if (!/"result"|"payload"/.test(said)) assert.include(said, `"method":"${method}"`)
      }
      // The text of the agent goes up to First, which sends on another one.
      const updates = (await wire.read()).filter(({ method }) => method === "session/update")
      assert.deepStrictEqual(
        [...new Set(updates.map(({ way }) => way))],
        [`${agent.name} to First`, "First to Signalbox"]
      )

      await wire.room.getByRole("button", { name: "Changed 1" }).click()
      assert.deepStrictEqual(
        (await wire.read()).map(({ method, way }) => [method, way]),
        [["session/new", `git to ${agent.name}`]]
      )
      await wire.row("session/new").getByText("changed by git").waitFor()
      await wire.row("session/new").getByRole("button").click()
      await wire.detail.getByRole("heading", { name: "What git changed" }).waitFor()
      await wire.detail
        .getByRole("group", { name: "Changed lines of session/new" })
        .getByText('"name": "git"')
        .waitFor()
      const [changed] = await wire.read()
      await wire.detail.getByRole("button", { name: "Show all" }).first().click()
      await vi.waitFor(
        async () =>
          assert.deepStrictEqual(
            JSON.parse((await wire.detail.getByLabel("Request", { exact: true }).textContent()) ?? ""),
            tape[(changed?.line ?? 0) - 1]?.line
          ),
        { timeout: patience }
      )

      await wire.room.getByRole("button", { name: "Changed 1" }).click()
      const all = await wire.rows.count()
      await wire.room.getByRole("button", { name: `First, ${agent.name}` }).click()
      await vi.waitFor(async () => assert.isBelow(await wire.rows.count(), all), { timeout: patience })
      assert.isTrue((await wire.read()).every(({ method, way }) => method === "note" || way?.includes(agent.name)))
      await wire.room.getByRole("button", { name: "All hops" }).click()

      // Keys alone open the next message, and close it.
      await wire.row("session/new").first().getByRole("button").click()
      await tab.press("End")
      await wire.rows.last().and(tab.page.locator("[data-mark=current]")).waitFor()
      await tab.press("ArrowUp")
      await wire.rows.nth(-2).and(tab.page.locator("[data-mark=current]")).waitFor()
      await tab.press("Escape")
      await wire.detail.waitFor({ state: "detached" })

      for (const width of [320, 390, 768, 1100, 1440]) {
        await tab.resize({ width, height: 900 })
        assert.strictEqual(await tab.sideways(), 0, `The wire can be scrolled sideways at ${width} px`)
      }
      await tab.page.reload()
      await wire.row("session/prompt").getByText("end_turn").waitFor()
      await tab.button("Transcript").click()
      await tab.ended("Completed")
    })

    test("of an agent without components has one hop, takes words that rows are searched for, and says that its tape is gone", async ({
      agent,
      open,
      project
    }) => {
      agent.settle(scripted({ prompts: [[{ text: "Hello" }]] }))
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      await tab.prompt("Say it")
      await tab.ended("Completed")
      await tab.button("More about this thread").click()
      await tab.button("Wire").click()
      const wire = wireOf(tab)
      await wire.row("session/prompt").getByText("end_turn").waitFor()
      assert.strictEqual(await wire.room.getByRole("group", { name: "Hop" }).count(), 0)
      const words = wire.room.getByRole("searchbox", { name: "Words in a message" })
      await words.fill("session/prompt say")
      await vi.waitFor(async () => assert.strictEqual(await wire.rows.count(), 1), { timeout: patience })
      await words.fill("nobody says this")
      await wire.room.getByText("No row fits.").waitFor()
      await wire.room.getByRole("button", { name: "Show all" }).click()
      await wire.row("session/prompt").first().waitFor()
      rmSync(tapeFile(join(agent.server.home, "state"), idOf(tab)))
      await wire.room.getByText("The tape was deleted meanwhile.").waitFor()
      await wire.row("session/prompt").first().waitFor()
      await tab.page.reload()
      await wire.room.getByText("There is no tape of this session.").waitFor()
    })
  })
