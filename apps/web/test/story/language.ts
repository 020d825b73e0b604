/** Language servers in the editor: what is shown, held against the text, the disk and the processes. */
import { assert, describe, vi } from "vitest"
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { typescriptIn } from "../support/typescript.ts"
import { editorOf, hears, watchPolicy } from "../support/EditorPane.ts"
import { test } from "../support/story.ts"
import { patience } from "../support/Tab.ts"

const files = {
  "code/tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, module: "nodenext" } }),
  "code/sum.ts": "/** Adds two numbers. */\nexport const sum = (one: number, two: number): number => one + two\n",
  "code/main.ts": 'import { sum } from "./sum.js"\n\nconsole.log(sum(1, "2"))\n'
}

const wrong = "Argument of type 'string' is not assignable to parameter of type 'number'."

export const language = (): void => {
  describe("language servers", () => {
    test(
      "mark what is wrong, say what stands at a place, and lead to definitions and uses",
      { timeout: 180_000 },
      async ({ alone, open, project }) => {
        alone.settle({ languageServers: { typescript: typescriptIn(alone.home) } })
        mkdirSync(join(project, "code"))
        for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text)
        const tab = await open(alone.link, watchPolicy)
        await tab.startThread(project)
        await tab.button("Editor").click()
        const editor = editorOf(tab)
        await editor.open("code/main.ts", "code/main.ts")
        const found = editor.status.getByRole("button", { name: "1 error" })
        await found.waitFor()
        const mark = editor.room.locator(".cm-finding-error")
        assert.strictEqual(await mark.innerText(), '"2"')

        // The pointer, and the keys.
        const card = tab.page.getByRole("tooltip")
        await mark.hover()
        await card.getByText(wrong).waitFor()
        await tab.page.mouse.move(0, 0)
        await card.waitFor({ state: "detached" })
        await editor.enter("code/main.ts")
        await tab.press("Control+Home", "F8")
        await hears(tab, `Error: ${wrong}`)
        await editor.says("Ln 3, Col 20")
        await tab.press("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "Control+k", "Control+i")
        await card.getByText("Adds two numbers.").waitFor()
        await hears(tab, /Adds two numbers\./)
        await tab.press("Escape")
        await card.waitFor({ state: "detached" })

        // To the definition, and from there to a use.
        await tab.press("F12")
        await editor.code("code/sum.ts").waitFor()
        await editor.says("Ln 2, Col 14")
        await tab.press("Shift+F12")
        const uses = tab.page.getByRole("dialog", { name: "Uses" })
        await uses.getByText("3 places in 2 files.").waitFor()
        assert.deepStrictEqual(
          (await uses.getByRole("listitem").allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ")).sort(),
          [
            '1 import { sum } from "./sum.js"',
            "2 export const sum = (one: number, two: number): number => one + two",
            '3 console.log(sum(1, "2"))'
          ]
        )
        await uses.getByRole("button", { name: /console\.log/ }).click()
        await editor.code("code/main.ts").waitFor()
        await editor.says("Ln 3, Col 13")

        // The list names the error, which goes once the text is right. Nobody has saved anything.
        await found.click()
        const list = tab.page.getByRole("dialog", { name: "Found by language servers" })
        await list.getByRole("button", { name: wrong }).click()
        await editor.says("Ln 3, Col 20")
        await tab.press("Delete", "ArrowRight", "Delete")
        await editor.status.getByRole("button", { name: "No errors" }).waitFor()
        assert.strictEqual(await mark.count(), 0)
        assert.strictEqual(readFileSync(join(project, "code/main.ts"), "utf8"), files["code/main.ts"])

        // A question that comes right behind a key is about the text with it.
        await tab.press("Control+End")
        await tab.page.keyboard.type("sum")
        await tab.press("F12")
        await editor.code("code/sum.ts").waitFor()
        await editor.says("Ln 2, Col 14")
        await editor.open("notes.txt", "notes.txt")
        await tab.press("F12")
        await hears(tab, "No language server is turned on for this file.")
        await tab.press("F8")
        await hears(tab, "No language server has looked at this text.")
        const said = editor.status.getByRole("note")
        await said.getByText("No language server has looked at this text.").waitFor()
        // It is not said of another file.
        await editor.open("code/main.ts", "code/main.ts")
        await said.waitFor({ state: "detached" })

        // Who finds this, and what runs.
        await editor.status.getByRole("button", { name: "No errors" }).click()
        await list.getByRole("button", { name: "Language servers" }).click()
        const servers = tab.page.getByRole("dialog", { name: "Language servers" })
        const facts = await servers.getByText(/^reads /).innerText()
        const pid = /pid (\d+)$/.exec(facts)?.[1] ?? assert.fail(facts)
        assert.include(readFileSync(`/proc/${pid}/cmdline`, "utf8"), "typescript-language-server")
        // The health of the page has the same one.
        await tab.press("Escape")
        await tab.button("Threads").click()
        await tab.button(/^Health: /).click()
        const health = tab.page.getByRole("region", { name: "Health" })
        await health.getByText("TypeScript language server is ready").waitFor()
        await health.getByText(`reads ${join(realpathSync(project), "code")}, pid ${pid}`).waitFor()
        await tab.press("Escape", "Escape")
        await editor.status.getByRole("button", { name: "No errors" }).click()
        await list.getByRole("button", { name: "Language servers" }).click()
        await servers.getByRole("button", { name: "Turn off" }).click()
        await vi.waitFor(() => assert.isFalse(existsSync(`/proc/${pid}`)), { timeout: patience })
        const settings: unknown = JSON.parse(readFileSync(join(alone.home, "state/settings.json"), "utf8"))
        assert.include(JSON.stringify(settings), '"off":true')
      }
    )
  })
}
