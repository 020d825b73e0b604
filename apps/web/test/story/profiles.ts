/** Who answers what no rule answers: chosen for a session, or in the settings, and visible as long as everything is allowed. */
import { assert, describe } from "vitest"
import { scripted } from "../support/agents.ts"
import { test } from "../support/story.ts"
import type { Tab } from "../support/Tab.ts"

const asks = [
  {
    permission: {
      toolCall: { toolCallId: "c", title: "Work", kind: "execute", rawInput: { command: "sudo make" } },
      options: [
        { optionId: "yes", name: "Allow", kind: "allow_once" },
        { optionId: "no", name: "Reject", kind: "reject_once" }
      ]
    }
  }
]

const bypass = (tab: Tab) => tab.desk.getByRole("region", { name: "Bypass" })

const choose = async (tab: Tab, profile: RegExp): Promise<void> => {
  await tab.button("More about this thread").click()
  await tab.button("Who answers…").click()
  await tab.page.getByRole("dialog").getByRole("radio", { name: profile }).click()
}

const close = (tab: Tab): Promise<void> =>
  tab.page.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).last().click()

export const profiles = () =>
  describe("a profile", () => {
    test("lets everything pass for one session: it answers what waits, stays in sight, and ends with the session", async ({
      agent,
      open,
      project
    }) => {
      agent.settle(scripted({ prompts: [asks, asks, [{ crash: 1 }]] }))
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      await tab.prompt("one")
      const card = tab.asked(/wants to run/)
      await card.waitFor()

      // Nothing changes before the second step.
      await choose(tab, /^Bypass/)
      assert.strictEqual(await bypass(tab).count(), 0)
      await tab.button("Bypass until this session ends").click()
      await bypass(tab).getByText("Bypass until this session ends").waitFor()
      await close(tab)
      await tab.ended("Completed")
      await tab.sees("permission yes")
      await tab.sees(/the profile bypass of this session chose “Allow”/)
      await tab.sees(/may do all that no rule denies, without asking you/)

      await bypass(tab).getByRole("button", { name: "Turn off" }).click()
      await bypass(tab).waitFor({ state: "detached" })
      await tab.prompt("two")
      await card.waitFor()
      await (await tab.settled("Reject")).click()
      await tab.ended("Completed", 2)

      await choose(tab, /^Bypass/)
      await tab.button("Bypass until this session ends").click()
      await bypass(tab).waitFor()
      await close(tab)
      await tab.prompt("three")
      await tab.ended("Failed")
      await bypass(tab).waitFor({ state: "detached" })
    })

    test("of the settings is in sight in each thread, and counts at once when it changes", async ({
      agent,
      open,
      project
    }) => {
      const entry = scripted({ prompts: [asks, asks] })
      agent.settle(entry)
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      await tab.prompt("one")
      await tab.asked(/wants to run/).waitFor()
      agent.settle({ ...entry, permissions: "bypass" })
      await bypass(tab).getByText(`Bypass, by the settings of ${agent.name}`).waitFor()
      await tab.ended("Completed")

      await bypass(tab).getByRole("button", { name: "Turn off here" }).click()
      await bypass(tab).waitFor({ state: "detached" })
      await tab.prompt("two")
      await tab.asked(/wants to run/).waitFor()
      await (await tab.settled("Reject")).click()
      await tab.ended("Completed", 2)
    })
  })
