/** What can be chosen about an agent. */
import { assert, describe } from "vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Locator } from "playwright-core"
import { scripted } from "../support/agents.ts"
import { drawFrame, holdFrames } from "../support/Frames.ts"
import { test } from "../support/story.ts"
import type { Tab } from "../support/Tab.ts"

const picker = (tab: Tab, name: string) => tab.desk.getByRole("button", { name: new RegExp(`^${name}: `) })

const pick = async (tab: Tab, name: string, choice: string): Promise<void> => {
  await picker(tab, name).click()
  await tab.page.getByRole("listbox", { name }).getByRole("option", { name: choice }).click()
}

/** Waits until the agent has confirmed it. */
const is = (tab: Tab, name: string, value: string): Promise<void> =>
  tab.desk.getByRole("button", { name: `${name}: ${value}`, exact: true }).waitFor()

export const settings = () =>
  describe("settings", () => {
    test("another model brings other parameters, and they are kept over a restart of the agent", async ({
      alone,
      open,
      project
    }) => {
      // Cursor keeps what was chosen last for all its sessions: others must not choose meanwhile.
      const tab = await open(alone.link)
      await tab.startThread(project)
      await pick(tab, "Model", "Auto")
      await is(tab, "Model", "Auto")
      await picker(tab, "Effort").waitFor({ state: "detached" })
      await pick(tab, "Model", "Opus 5")
      await is(tab, "Model", "Opus 5")
      await is(tab, "Context", "300K")
      // No room for the last one: it stands behind the others.
      await tab.button(/^\d more setting/).click()
      await tab.button(/^Effort High/).click()
      await tab.page.getByRole("listbox", { name: "Effort" }).getByRole("option", { name: "Max" }).click()
      await tab.button(/^Effort Max/).waitFor()
      await tab.press("Escape")
      await pick(tab, "Model", "GLM 5.2")
      await picker(tab, "Effort").waitFor({ state: "detached" })
      await picker(tab, "Reasoning").waitFor()
      await tab.prompt("[[fake:crash]]")
      await tab.ended("Failed")
      await tab.prompt("Are you there?")
      await tab.ended("Completed")
      await is(tab, "Model", "GLM 5.2")
    })

    test("the mode is chosen by keys alone, and counts", async ({ open, project, server }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await picker(tab, "Mode").focus()
      await tab.press("ArrowDown")
      await tab.page.getByRole("listbox", { name: "Mode" }).waitFor()
      await tab.press("ArrowDown", "Enter")
      await is(tab, "Mode", "Plan")
      await tab.prompt("edit notes.txt")
      await tab.ended("Completed")
      await tab.reads("Edits are blocked in plan mode.")
      await tab.reads("no result")
      assert.notInclude(await tab.story(), "Edited")
      assert.strictEqual(readFileSync(join(project, "notes.txt"), "utf8"), "one\ntwo\nthree\n")
    })

    test("a list that is opened at once keeps the focus, though the page is late to move it", async ({
      open,
      project,
      server
    }) => {
      const tab = await open(server.link, holdFrames)
      await tab.beginThread(project)
      await picker(tab, "Mode").click()
      const list = tab.page.getByRole("listbox", { name: "Mode" })
      await list.waitFor()
      await drawFrame(tab)
      await drawFrame(tab)
      await tab.press("ArrowDown", "Enter")
      await is(tab, "Mode", "Plan")
    })

    test("a key opens the model, letters find, and what has no room on a phone is behind one menu", async ({
      open,
      project,
      server
    }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await picker(tab, "Model").waitFor()
      await tab.resize({ width: 390, height: 844 })
      await tab.composer.focus()
      await tab.press("Alt+m")
      await tab.page.getByRole("listbox", { name: "Model" }).waitFor()
      await tab.press("o", "Enter")
      await is(tab, "Model", "Opus 5")
      const more = tab.button(/^\d more settings$/)
      await more.press("Enter")
      const first = tab.button(/^Context /)
      await first.and(tab.page.locator(":focus")).waitFor()
      await tab.press("ArrowDown", "ArrowUp", "Enter")
      await tab.page.getByRole("listbox", { name: "Context" }).waitFor()
      await tab.press("End", "Enter")
      // Back in the menu, which says what it is now.
      await first.and(tab.page.locator(":focus")).waitFor()
      await tab.button(/^Context 1M/).waitFor()
      await tab.press("Escape")
      await more.and(tab.page.locator(":focus")).waitFor()
      assert.strictEqual(await tab.sideways(), 0)
    })

    test("what gets room, or loses it, with a choice takes no focus away", async ({ agent, open, project }) => {
      const option = (id: string, category: string, ...values: ReadonlyArray<string>) => ({
        id,
        name: id,
        type: "select",
        category,
        currentValue: values[0],
        options: values.map((value) => ({ value, name: value }))
      })
      const long = "A name as long as this"
      agent.settle(
        scripted({
          newSession: {
            configOptions: [
              option("Mode", "mode", "Calm"),
              option("Model", "model", long, "Short"),
              option("Pace", "model_config", "Neither slow nor fast")
            ]
          }
        })
      )
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      await picker(tab, "Model").waitFor()
      await tab.resize({ width: 390, height: 844 })
      const focused = (button: Locator) => button.and(tab.page.locator(":focus")).waitFor()
      const one = tab.button("1 more setting")
      const two = tab.button("2 more settings")
      const list = tab.page.getByRole("listbox", { name: "Model" })
      // Its key opens it where it has no room, and no menu comes after it.
      await two.waitFor()
      await tab.composer.press("Alt+m")
      await list.waitFor()
      await tab.press("s", "Enter")
      await is(tab, "Model", "Short")
      await focused(one)
      await tab.button(/^Pace /).waitFor({ state: "detached" })
      // The one that was chosen has lost its room.
      await picker(tab, "Model").press("Enter")
      await list.waitFor()
      await tab.press("Home", "Enter")
      await focused(two)
      // From the menu, which it leaves.
      await tab.press("Enter")
      await focused(tab.button(/^Model A name/))
      await tab.press("Enter")
      await list.waitFor()
      await tab.press("s", "Enter")
      await focused(tab.button(/^Pace /))
      await tab.press("Escape")
      await focused(one)
    })

    test("a set that changes under an open list keeps the list and the focus; what is gone gives the focus back", async ({
      agent,
      open,
      project
    }) => {
      const option = (id: string, name: string, values: ReadonlyArray<string>, more: object = {}) => ({
        id,
        name,
        type: "select",
        currentValue: values[0],
        options: values.map((value) => ({ value, name: value })),
        ...more
      })
      const models = Array.from({ length: 14 }, (_, index) => ({ value: `m${index}`, name: `Model ${index}` }))
      const model = {
        ...option("model", "Model", [], { category: "model", description: "Who thinks" }),
        currentValue: "gone",
        options: [
          { group: "a", name: "Small ones", options: models.slice(0, 7) },
          { group: "b", name: "Large ones", options: models.slice(7) }
        ]
      }
      // The same setting, with other groups and one choice more.
      const larger = {
        ...model,
        options: [{ group: "b", name: "Large ones", options: [...models.slice(7), { value: "m90", name: "Model 90" }] }]
      }
      const fast = { id: "fast", name: "Fast", type: "boolean", currentValue: false, category: "model_config" }
      const dial = { id: "dial", name: "Dial", type: "slider", currentValue: 3 }
      const temper = option("temper", "Temper", ["calm", "wild"])
      agent.settle(
        scripted({
          newSession: { configOptions: [temper, model, dial, fast] },
          dependentOptions: {
            temper: { wild: [larger, fast, { ...temper, currentValue: "wild" }], calm: [fast, temper] }
          }
        })
      )
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      // The agent's order, but for what belongs to the model; a value that nobody offers is shown as it is; what we don't know isn't.
      await is(tab, "Model", "gone, not among what is offered")
      const names = await tab.desk.locator("[data-fits]").evaluateAll((all) => all.map((it) => it.textContent))
      assert.deepStrictEqual(names, ["Tempercalm", "gone?", "Fast off"])
      await tab.desk.getByRole("switch", { name: "Fast" }).press("Space")
      await tab.desk.getByRole("switch", { name: "Fast", checked: true }).waitFor()
      const other = await open(tab.page.url())
      await picker(tab, "Model").press("Enter")
      const find = tab.page.getByRole("combobox", { name: "Find: Model" })
      await tab.sees("Who thinks")
      await find.pressSequentially("large 9")
      await tab.page.getByRole("listbox", { name: "Model" }).getByRole("option", { name: "Model 9" }).waitFor()
      await pick(other, "Temper", "wild")
      await is(tab, "Temper", "wild")
      const list = tab.page.getByRole("listbox", { name: "Model" })
      await list.getByRole("option", { name: "Model 90" }).waitFor()
      await find.and(tab.page.locator(":focus")).waitFor()
      assert.strictEqual(await find.inputValue(), "large 9")
      await tab.press("Enter")
      await is(tab, "Model", "Model 9")
      await picker(tab, "Model").press("Enter")
      // Fewer than before: no field, and the list itself has the focus.
      await list.and(tab.page.locator(":focus")).waitFor()
      await pick(other, "Temper", "calm")
      await list.waitFor({ state: "detached" })
      await tab.composer.and(tab.page.locator(":focus")).waitFor()
    })

    test("a choice that the agent refuses is reported, and not shown as if it were made", async ({
      open,
      project,
      difficult
    }) => {
      const tab = await open(difficult.link)
      await tab.startThread(project, "Cursor")
      await picker(tab, "Model").waitFor()
      const before = await picker(tab, "Model").getAttribute("aria-label")
      await pick(tab, "Model", "Opus 5")
      await tab.reads(/Invalid model value: claude-opus-5/)
      await tab.desk.getByRole("button", { name: before ?? "", exact: true }).waitFor()
    })
  })
