/** The editor of a page, as people see and use it. */
import { assert, vi } from "vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { patience, type Tab } from "./Tab.ts"

/** Complains about what the content security policy stops. Each test asserts that there is nothing. */
export const watchPolicy = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ sample, violatedDirective }) => {
      console.error(`The policy stops ${violatedDirective}: ${sample}`)
    })
  })
}

export const editorOf = ({ page }: Tab) => {
  const room = page.getByRole("region", { name: "Editor", exact: true })
  const code = (path: string) => room.getByRole("textbox", { name: `Text of ${path}` })
  const status = room.getByRole("region", { name: "State of the file" })
  /** A text that can be changed. What people do before goes nowhere. */
  const writable = (path: string) => code(path).and(page.locator("[aria-readonly=false], :not([aria-readonly])"))
  /** Puts the caret into a text. */
  const enter = (path: string) => writable(path).click()
  return {
    room,
    code,
    status,
    tab: (name: RegExp | string) => room.getByRole("navigation", { name: "Open files" }).getByRole("link", { name }),
    bar: (name: string | RegExp) => room.getByRole("region", { name }),
    ghost: room.locator(".cm-ghost"),
    hint: room.locator(".cm-hint"),
    /** Who wrote lines of the shown file, as it stands beside them. */
    by: room.locator(".cm-by"),
    /** Opens a file by parts of its name, to change it. */
    open: async (query: string, path = query) => {
      await page.keyboard.press("Control+p")
      const dialog = page.getByRole("dialog", { name: "Open a file" })
      await dialog.getByRole("combobox").fill(query)
      await dialog.getByRole("option", { name: path, selected: true }).waitFor()
      await page.keyboard.press("Enter")
      await writable(path).waitFor()
    },
    enter,
    /** Writes at the end of the text. */
    write: async (path: string, text: string) => {
      await enter(path)
      await page.keyboard.press("Control+End")
      await page.keyboard.type(text)
    },
    /** Waits until the state of the file says exactly these words: "Saved" is no part of "Unsaved". */
    says: (words: string | RegExp) => status.getByText(words, { exact: true }).waitFor(),
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

export const onDisk = (project: string, path: string, text: string) =>
  vi.waitFor(() => assert.strictEqual(readFileSync(join(project, path), "utf8"), text), { timeout: patience })

/** Waits until words are read out. */
export const hears = (tab: Tab, words: string | RegExp) =>
  tab.page.locator("output").getByText(words).waitFor({ state: "attached" })
