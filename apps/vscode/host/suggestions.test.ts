import { assert, beforeEach, describe, it } from "vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { missing } from "./Bench.ts"
import { sharedWindow } from "./sharedWindow.ts"

const steps = "const step1 = 1\nconst step2 = 2"
const calls = "const a = send(one)\nconst b = send(two)\n"
const far = [
  "const first = load(ledger)",
  ...Array.from({ length: 60 }, (_, at) => `// ${at}`),
  "const last = load(ledger)"
]

describe.skipIf(missing !== undefined)("suggestions of the next edit in VS Code", () => {
  const options = {
    settings: { "files.autoSave": "off" },
    suggestions: { provider: "signalbox-nes" },
    files: {
      "steps.txt": steps,
      "more.txt": steps,
      "calls.txt": calls,
      "far.txt": far.join("\n"),
      "names.txt": "const price = 1\nconst sum = price + price\n",
      "one.txt": "keep(everything)\n",
      "two.txt": "// two\nkeep(everything)\n",
      ".env": "KEY=1\nKEY2=2"
    }
  }
  const opened = sharedWindow(options, async ({ window }) => {
    // The chat starts the server.
    const chat = await window.chat("h2")
    await chat.getByRole("heading", { name: "New thread in ledger" }).waitFor()
  })

  const onDisk = (path: string): string => readFileSync(join(opened().bench.folder, path), "utf8")
  const press = async (...keys: ReadonlyArray<string>) => {
    for (const key of keys) await opened().window.page.keyboard.press(key)
  }
  const type = (text: string) => opened().window.page.keyboard.type(text)
  const page = () => opened().window.page
  const editor = () => page().locator(".editor-instance .view-lines").first()
  const save = async () => {
    await press("Control+S")
    await page().locator(".tab.active:not(.dirty)").waitFor()
  }
  const open = async (name: string) => {
    await opened().window.openFile(name)
    await editor().click({ position: { x: 5, y: 5 } })
  }
  const greyText = (text: RegExp) => page().locator(".ghost-text-decoration").filter({ hasText: text })
  /** What is drawn behind a text, which only its style has. */
  const drawn = async (text: string): Promise<void> => {
    const shown = `(text) => [...document.querySelectorAll(".editor-instance .view-lines span")].some((span) =>
      getComputedStyle(span, "::after").content.replaceAll("\\u00a0", " ").includes(text))`
    while (!(await page().evaluate<boolean>(`(${shown})(${JSON.stringify(text)})`))) await page().waitForTimeout(50)
  }
  const isDrawn = (text: string) =>
    page().evaluate<boolean>(
      `[...document.querySelectorAll(".editor-instance .view-lines span")].some((span) =>
        getComputedStyle(span, "::after").content.replaceAll("\\u00a0", " ").includes(${JSON.stringify(text)}))`
    )

  /** What the agent has heard so far, by the record of its messages. */
  const tape = (): string => {
    const folder = join(opened().bench.state, "tapes")
    return (existsSync(folder) ? readdirSync(folder) : [])
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("")
  }
  let before = 0
  const news = (): string => tape().slice(before)
  const told = async (text: string): Promise<void> => {
    while (!news().includes(text)) await page().waitForTimeout(50)
  }
  beforeEach(async () => {
    // What the test before has left open.
    await press("Escape")
    before = tape().length
  })

  it("shows an insertion as grey text, and Tab puts it in", async () => {
    await open("steps.txt")
    await press("Control+End", "Enter")
    await greyText(/step3/).waitFor()
    await press("Tab")
    await told('"nes/accept"')
    await save()
    assert.strictEqual(onDisk("steps.txt"), `${steps}\nconst step3 = 3`)
  })

  it("tells the agent that a person has dismissed grey text", async () => {
    await open("more.txt")
    await press("Control+End", "Enter")
    await greyText(/step3/).waitFor()
    await press("Escape")
    await told('"rejected"')
    assert.strictEqual(await greyText(/step3/).count(), 0)
    assert.notInclude(news(), '"nes/accept"')
    assert.strictEqual(onDisk("more.txt"), steps)
  })

  it("draws an edit of another line, Tab puts it in, and one undo takes it back", async () => {
    await open("calls.txt")
    // The first line is changed, so the second one shall be, too.
    await press("Control+Home", "End", "ArrowLeft")
    await type(", now")
    await drawn(", now")
    assert.strictEqual(await greyText(/now/).count(), 0)
    await press("Tab")
    await told('"nes/accept"')
    const edited = "const a = send(one, now)\nconst b = send(two, now)\n"
    await save()
    assert.strictEqual(onDisk("calls.txt"), edited)
    await press("Control+Z")
    await save()
    assert.strictEqual(onDisk("calls.txt"), "const a = send(one, now)\nconst b = send(two)\n")
  })

  it("goes to a far place by Tab, and the next one puts the edit in", async () => {
    await open("far.txt")
    await press("Control+Home", "End", "ArrowLeft")
    await type(", 2026")
    await drawn("Tab: go to line 62")
    await press("Tab")
    await told('"nes/accept"')
    await page().locator('.statusbar-item[id="status.editor.selection"]').filter({ hasText: "Ln 62" }).waitFor()
    await greyText(/2026/).waitFor()
    await press("Tab")
    await save()
    assert.strictEqual(onDisk("far.txt"), far.join("\n").replaceAll("(ledger)", "(ledger, 2026)"))
  })

  it("opens another file by Tab, at the place of the suggestion", async () => {
    await open("two.txt")
    await open("one.txt")
    await press("Control+Home", "End", "ArrowLeft")
    await type(", again")
    await drawn("Tab: open two.txt")
    await press("Tab")
    await page().locator(".tab.active").filter({ hasText: "two.txt" }).waitFor()
    await greyText(/again/).waitFor()
    await press("Tab")
    await save()
    assert.strictEqual(onDisk("two.txt"), "// two\nkeep(everything, again)\n")
  })

  it("lets people choose the places of a rename in VS Code's own list of changes", async () => {
    await open("names.txt")
    await press("Control+Home", "Control+ArrowRight", "Control+ArrowRight", "Control+Backspace")
    await type("fee")
    await drawn("Tab: rename to fee, after a look at all places")
    await press("Tab")
    // VS Code ticks no place by itself.
    await page().locator(".edit-checkbox").first().click()
    await page().getByRole("button", { name: "Apply" }).first().click()
    await told('"nes/accept"')
    await save()
    assert.strictEqual(onDisk("names.txt"), "const fee = 1\nconst sum = fee + fee\n")
  })

  it("sends no file that usually holds keys", async () => {
    await open(".env")
    await press("Control+End", "Enter")
    await type("KEY3")
    await page().locator('.statusbar-item[id="status.languageStatus"]').click()
    await page().getByText("Suggestions off for this file").first().waitFor()
    assert.notInclude(news(), "KEY")
    assert.isFalse(await isDrawn("KEY"))
  })
})
