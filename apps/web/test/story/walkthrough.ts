/** Walkthroughs: explanations in steps that an agent presents through a component. Each step opens its file at the line. */
import { assert, describe } from "vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { editorOf, watchPolicy } from "../support/EditorPane.ts"
import { test } from "../support/story.ts"
import { programOf } from "../../../../scripts/suite/Program.ts"

const tools = programOf(new URL("../../../../packages/stand-in-agents/src/tools/main.ts", import.meta.url))

const title = "How it greets"
const steps = [
  { title: "The greeting", text: "It says *hello*.\n\n```ts\ngreet(name)\n```", path: "src/greet.ts", firstLine: 1 },
  { title: "The notes", path: "notes.txt", firstLine: 2, lastLine: 3 },
  { title: "Hosts", text: "<img src=x onerror=alert(1)>", path: "/etc/hosts", firstLine: 1 },
  { title: "A \u202ehidden turn", path: "../../secret.txt" },
  { title: "No place at all" }
]

export const walkthrough = () =>
  describe("a walkthrough", () => {
    test("is a list under the call of its tool, whose steps open their files; it stands there after a reload", async ({
      agent,
      open,
      project
    }) => {
      writeFileSync(join(project, "notes.txt"), "one\ntwo\nthree\n")
      agent.settle({
        command: process.execPath,
        args: [tools, "--http"],
        components: [{ component: "walkthrough" }]
      })
      const tab = await open(agent.server.link, watchPolicy)
      await tab.startThread(project, agent.name)
      const call = { call: "present_walkthrough", server: "walkthrough", with: { title, steps } }
      const bad = { ...call, with: { title, steps: [] } }
      await tab.prompt(JSON.stringify([call, bad]))
      await tab.ended("Completed")

      const list = tab.transcript.getByRole("list", { name: `Walkthrough: ${title}` })
      await list.waitFor()
      // The second call is refused: the agent learns why, and nothing is drawn.
      await tab.reads("It has no steps. Give at least one.")
      assert.strictEqual(await list.count(), 1)
      await tab.transcript.getByRole("button", { name: `Presented ${title} 5 steps` }).waitFor()
      const drawn = await list
        .locator(":scope > li > :first-child")
        .evaluateAll((heads) =>
          heads.map((head) => [
            head.tagName,
            [...head.children].map((part) => part.textContent).join(" · "),
            (head.getAttribute("href") ?? "").replace(/^.*\/files\//, "")
          ])
        )
      assert.deepStrictEqual(drawn, [
        ["A", "1 · The greeting · src/greet.ts:1", "src/greet.ts:1"],
        ["A", "2 · The notes · notes.txt:2-3", "notes.txt:2"],
        ["P", "3 · Hosts · /etc/hosts:1 · Outside the project", ""],
        ["P", drawn[3]?.[1] ?? "", ""],
        ["P", "5 · No place at all", ""]
      ])
      // What hides is shown.
      assert.notInclude(drawn[3]?.[1], "\u202e")
      assert.include(drawn[3]?.[1], "hidden turn")
      assert.include(drawn[3]?.[1], "Outside the project")
      assert.strictEqual(await list.locator("em").textContent(), "hello")
      assert.strictEqual(await list.locator("img").count(), 0)
      assert.strictEqual(await list.getByRole("listitem").count(), steps.length)

      const alone = tab.page.url()
      // The keyboard opens a file, and a click does.
      const editor = editorOf(tab)
      await list.getByRole("link", { name: /The notes/ }).focus()
      await tab.page.keyboard.press("Enter")
      await editor.code("notes.txt").waitFor()
      await editor.says("Ln 2, Col 1")
      await list.getByRole("link", { name: /The greeting/ }).click()
      await editor.code("src/greet.ts").waitFor()

      await tab.page.reload()
      await list.getByRole("link", { name: /The greeting/ }).waitFor()
      assert.strictEqual(await list.count(), 1)
      // Beside an editor there is no room for it on a phone.
      await tab.page.goto(alone)
      await list.waitFor()
      for (const colorScheme of ["dark", "light"] as const) {
        await tab.page.emulateMedia({ colorScheme })
        for (const width of [320, 390, 768, 1440]) {
          await tab.resize({ width, height: 900 })
          assert.strictEqual(await tab.sideways(), 0, `sideways at ${width} px`)
          const beyond = await list.evaluate((element) => element.scrollWidth - element.clientWidth)
          assert.isAtMost(beyond, 0, `the list is wider than its place at ${width} px`)
        }
      }
    })
  })
