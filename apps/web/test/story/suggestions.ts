/** Suggestions in the editor: what is shown, held against the text, the disk, and what the agent heard. */
import { assert, describe, vi } from "vitest"
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { emulatorFolder, type Server } from "../support/Server.ts"
import { test } from "../support/story.ts"
import { patience, type Tab } from "../support/Tab.ts"

/** Makes a project a repository: what Git can't say of a file is not sent. */
const initialize = (project: string): void => {
  rmSync(join(project, ".git"), { recursive: true })
  execFileSync("git", ["init", "--quiet", project])
}

/** The reference agent, with a copy of all that it hears. */
const referenceAgent = (heard: string, ...options: ReadonlyArray<string>) => ({
  name: "Next Edit",
  command: "/bin/sh",
  args: ["-c", `tee -a "$0" | "$@"`, heard, join(emulatorFolder, "signalbox-nes"), ...options]
})

const settle = (server: Server, project: string, ...options: ReadonlyArray<string>) => {
  initialize(project)
  const heard = join(server.home, "heard.ndjson")
  server.settle({ agents: { nes: referenceAgent(heard, ...options) }, suggestions: { provider: "nes", debounce: 20 } })
  return {
    /** The messages of a method that the agent has heard. */
    messages: (method: string): ReadonlyArray<{ readonly params: Record<string, unknown> }> =>
      existsSync(heard)
        ? readFileSync(heard, "utf8")
            .split("\n")
            .filter((line) => line.includes(`"${method}"`))
            .map((line) => JSON.parse(line))
        : []
  }
}

const watchPolicy = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ sample, violatedDirective }) => {
      console.error(`The policy stops ${violatedDirective}: ${sample}`)
    })
  })
}

const editorOf = ({ page }: Tab) => {
  const room = page.getByRole("region", { name: "Editor", exact: true })
  const code = (path: string) => room.getByRole("textbox", { name: `Text of ${path}` })
  const status = room.getByRole("region", { name: "State of the file" })
  return {
    room,
    code,
    status,
    ghost: room.locator(".cm-ghost"),
    hint: room.locator(".cm-hint"),
    /** Opens a file by its name. */
    open: async (path: string) => {
      await page.keyboard.press("Control+p")
      const dialog = page.getByRole("dialog", { name: "Open a file" })
      await dialog.getByRole("combobox").fill(path)
      await dialog.getByRole("option", { name: path, selected: true }).waitFor()
      await page.keyboard.press("Enter")
      await code(path).waitFor()
    },
    says: (words: string | RegExp) => status.getByText(words).waitFor(),
    /** The text of the file in the editor, line by line. */
    lines: (path: string) =>
      code(path)
        .locator(".cm-line")
        .evaluateAll((lines) =>
          lines.map((line) => {
            const copy = line.cloneNode(true)
            if (copy instanceof Element) for (const drawn of copy.querySelectorAll("[aria-hidden]")) drawn.remove()
            return copy.textContent
          })
        )
  }
}

export const suggestions = () =>
  describe("suggestions", () => {
    test("an insertion is ghost text, kept while people type it, accepted by Tab and undone at once", async ({
      alone,
      open,
      project
    }) => {
      const agent = settle(alone, project)
      const file = join(project, "rows.ts")
      const text = "const row1 = 1\nconst row2 = 2\n"
      writeFileSync(file, text)
      const tab = await open(alone.link, watchPolicy)
      await tab.startThread(project)
      await tab.button("Editor").click()
      const editor = editorOf(tab)
      await editor.open("rows.ts")
      await editor.says("Suggestions by Next Edit")
      await editor.code("rows.ts").click()
      await tab.press("Control+End")
      await tab.page.keyboard.type("const row")
      await editor.ghost.getByText("3 = 3", { exact: true }).waitFor()
      assert.deepStrictEqual(await editor.lines("rows.ts"), ["const row1 = 1", "const row2 = 2", "const row"])
      // What it says is typed: the rest stays, and nobody is asked again.
      await tab.page.keyboard.type("3 ")
      await editor.ghost.getByText("= 3", { exact: true }).waitFor()
      await tab.press("Tab")
      await editor.ghost.waitFor({ state: "detached" })
      assert.deepStrictEqual(await editor.lines("rows.ts"), ["const row1 = 1", "const row2 = 2", "const row3 = 3"])
      assert.strictEqual(readFileSync(file, "utf8"), text)
      await vi.waitFor(() => assert.strictEqual(agent.messages("nes/accept").length, 1), { timeout: patience })
      await tab.press("Control+z")
      assert.deepStrictEqual(await editor.lines("rows.ts"), ["const row1 = 1", "const row2 = 2", "const row3 "])
    })
  })
