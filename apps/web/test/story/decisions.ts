/** The page of decisions, held against what the command line has of the audit log. */
import { assert, describe } from "vitest"
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { scripted } from "../support/agents.ts"
import { entry } from "../support/Server.ts"
import { test } from "../support/story.ts"

const asks = (toolCallId: string, command: string) => ({
  permission: {
    toolCall: { toolCallId, title: "Look", kind: "execute", rawInput: { command } },
    options: [
      { optionId: "yes", name: "Allow once", kind: "allow_once" },
      { optionId: "no", name: "Reject", kind: "reject_once" }
    ]
  }
})

export const decisions = () =>
  describe("the page of decisions", () => {
    test("has what the audit log has: by whom, by which rule, and it is filtered by thread, result and rule", async ({
      alone,
      open,
      project
    }) => {
      const state = join(alone.home, "state")
      writeFileSync(join(state, "rules.json"), '{"rules":[{"effect":"deny","match":{"command":"rm **"}}]}', {
        mode: 0o600
      })
      alone.settleAgent("script", scripted({ prompts: [[asks("a", "rm -r build"), asks("b", "make <b>all</b>")]] }))
      const tab = await open(alone.link)
      await tab.startThread(project, "Script")
      await tab.prompt("go")
      await (await tab.settled("Allow once")).click()
      await tab.ended("Completed")
      await tab.page.getByRole("link", { name: "Decisions", exact: true }).click()
      const list = tab.page.getByRole("list", { name: "Decisions" }).locator("details")
      await list.nth(1).waitFor()

      const logged = execFileSync(process.execPath, [entry, "audit", "list", "--json", "--state-dir", state], {
        encoding: "utf8"
      })
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).decision)
      assert.deepStrictEqual(
        logged.map(({ effect, by, title }) => [effect, by.type, title]),
        [
          ["allow", "person", "make <b>all</b>"],
          ["deny", "rule", "rm -r build"]
        ]
      )
      // Not what is drawn: rows out of view are not laid out.
      const rows = await list.allTextContents()
      assert.match(rows[0] ?? "", /^Allowed make <b>all<\/b>\s*you, on a page/)
      assert.match(rows[1] ?? "", /^Rejected rm -r build\s*rule 1/)

      await list.nth(1).locator("summary").click()
      const facts = list.nth(1)
      await facts.getByText(`${join(state, "rules.json")}:1`).waitFor()
      await facts.getByText(logged[1].why).first().waitFor()
      await facts.getByText('{"command":"rm -r build"}').waitFor()

      const only = async (name: string, choice: string | RegExp, count: number) => {
        const field = tab.page.getByLabel(name, { exact: true })
        const text = await field.locator("option").filter({ hasText: choice }).first().innerText()
        await field.selectOption({ label: text })
        await tab.page.getByText(`${count} decision`).first().waitFor()
        assert.strictEqual(await list.count(), count)
        await tab.button("Show all").click()
        await tab.page.getByText("2 decisions").waitFor()
      }
      await only("Result", "Rejected", 1)
      await only("Rule", /rm/, 1)
      await only("By", "You", 1)
      await only("Thread", /go/, 2)
      await only("Agent", "Script", 2)
    })
  })
