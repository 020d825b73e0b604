import { assert, beforeEach, describe, it } from "vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { missing } from "./Bench.ts"
import { sharedWindow } from "./sharedWindow.ts"

const steps = "const step1 = 1\nconst step2 = 2"
const names = "const price = 1\nconst sum = price + price\n"
const calls = "const a = send(one)\nconst b = send(two)\n"
const far = [
  "const first = load(ledger)",
  ...Array.from({ length: 60 }, (_, at) => `// ${at}`),
  "const last = load(ledger)"
]

/** Whether a text is drawn behind another one, which only its style has. */
const isDrawn = (text: string): string =>
  `[...document.querySelectorAll(".editor-instance .view-lines span")].some((span) =>
    getComputedStyle(span, "::after").content.replaceAll("\\u00a0", " ").includes(${JSON.stringify(text)}))`

describe.skipIf(missing !== undefined)("suggestions of the next edit in VS Code", () => {
  const options = {
    settings: { "files.autoSave": "off" },
    suggestions: { provider: "signalbox-nes" },
    files: {
      "steps.txt": steps,
      "more.txt": steps,
      "calls.txt": calls,
      "far.txt": far.join("\n"),
      "names.txt": names,
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
  const drawn = async (text: string): Promise<void> => void (await page().waitForFunction(isDrawn(text)))

  /** What agents have heard so far, by the records of their messages. */
  const tapes = (): ReadonlyMap<string, string> => {
    const folder = join(opened().bench.state, "tapes")
    const names = existsSync(folder) ? readdirSync(folder) : []
    return new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]))
  }
  let before: ReadonlyMap<string, string> = new Map()
  const news = (): string => [...tapes()].map(([name, text]) => text.slice(before.get(name)?.length ?? 0)).join("")
  const told = async (text: string): Promise<void> => {
    while (!news().includes(text)) await page().waitForTimeout(50)
  }
  beforeEach(async () => {
    // What the test before has left open.
    await press("Escape")
    before = tapes()
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
    // VS Code hides it once the agent has heard it.
    await greyText(/step3/).waitFor({ state: "detached" })
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
    // Nothing is saved by it, and the keys are in the list still.
    assert.strictEqual(onDisk("names.txt"), names)
    await open("names.txt")
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
    assert.isFalse(await page().evaluate<boolean>(isDrawn("KEY")))
  })
})

describe.skipIf(missing !== undefined)("suggested edits of another file in VS Code", () => {
  const agent = { name: "Remote", command: process.execPath, args: [join(import.meta.dirname, "RemoteEditAgent.ts")] }
  const options = {
    settings: { "files.autoSave": "off" },
    agents: { remote: agent },
    suggestions: { provider: "remote", debounce: 0 },
    files: { "from.txt": "one\n", "to.txt": "// to\nkeep(before)\n" }
  }
  const opened = sharedWindow(options, async ({ window }) => {
    const chat = await window.chat("h2")
    await chat.getByRole("heading", { name: "New thread in ledger" }).waitFor()
  })

  it("are drawn there after the first Tab, and put in by the next one", async () => {
    const { bench, window } = opened()
    const { page } = window
    const shown = (text: string) => page.waitForFunction(isDrawn(text))
    await window.openFile("to.txt")
    await window.openFile("from.txt")
    await page
      .locator(".editor-instance .view-lines")
      .first()
      .click({ position: { x: 5, y: 5 } })
    await page.keyboard.type("x")
    await shown("Tab: open to.txt")
    await page.keyboard.press("Tab")
    await page.locator(".tab.active").filter({ hasText: "to.txt" }).waitFor()
    await shown("after")
    await page.keyboard.press("Tab")
    await page.locator(".tab.active.dirty").waitFor()
    await page.keyboard.press("Control+S")
    await page.locator(".tab.active:not(.dirty)").waitFor()
    assert.strictEqual(readFileSync(join(bench.folder, "to.txt"), "utf8"), "// to\nkeep(after)\n")
  })
})
