import { assert, describe, it } from "vitest"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { missing, repository } from "./Bench.ts"
import { sharedWindow } from "./sharedWindow.ts"

/** An agent that does what its prompt says, step by step, and that may write files and run programs. */
const scripted = {
  command: process.execPath,
  args: [join(repository, "packages", "stand-in-agents", "src", "scripted", "main.ts")],
  files: "write",
  terminals: true
}

describe.skipIf(missing !== undefined)("an agent whose thread stands in VS Code", () => {
  const options = { agents: { scripts: scripted }, settings: { "files.autoSave": "off" } }
  const opened = sharedWindow(options, async ({ window }) => {
    const chat = await window.chat("h2")
    await chat.getByRole("button", { name: "Start a thread with scripts" }).click()
    await chat.getByText("for the first prompt").waitFor()
    await window.openFile("deliver.ts")
  })
  let turns = 0

  const inFolder = (path: string): string => join(opened().bench.folder, path)
  const onDisk = (path: string): string => readFileSync(inFolder(path), "utf8")
  const request = (method: string, params: object) => ({ request: { method, params } })
  const write = (path: string, content: string) => request("fs/write_text_file", { path: inFolder(path), content })

  /** Sends the steps, and resolves with all that the chat shows when their turn has ended. */
  const prompt = async (...steps: ReadonlyArray<object>): Promise<string> => {
    const chat = await opened().window.chat("textarea")
    await chat.locator("textarea").fill(JSON.stringify(steps))
    await chat.getByRole("button", { name: "Send" }).click()
    await chat.getByText("Completed", { exact: true }).nth(turns).waitFor()
    turns += 1
    return chat.getByRole("log").innerText()
  }
  const editor = () => opened().window.page.locator(".editor-instance .view-lines").first()
  const editorHas = (text: string) => editor().filter({ hasText: text }).waitFor()

  it("reads what is typed and not saved", async () => {
    const { window } = opened()
    await editor().click({ position: { x: 5, y: 5 } })
    await window.page.keyboard.press("Control+Home")
    await window.page.keyboard.type("// unsaved\n")
    await editorHas("unsaved")
    const shown = await prompt(request("fs/read_text_file", { path: inFolder("src/deliver.ts"), line: 1, limit: 1 }))
    assert.include(shown, "// unsaved")
    assert.notInclude(onDisk("src/deliver.ts"), "unsaved")
  })

  it("writes into the editor: saved at once, and undone by one key", async () => {
    const { window } = opened()
    const text = "// unsaved\nexport const tries = 3\nexport const wait: string = 42\n"
    await prompt(write("src/deliver.ts", text))
    assert.strictEqual(onDisk("src/deliver.ts"), text)
    await editorHas("42")
    assert.strictEqual(await window.page.locator(".tab.active.dirty").count(), 0)
    await editor().click({ position: { x: 5, y: 5 } })
    await window.page.keyboard.press("Control+Z")
    await window.page.locator(".tab.active.dirty").waitFor()
    assert.notInclude(await editor().innerText(), "42")
    await window.page.keyboard.press("Control+Y")
    await window.page.keyboard.press("Control+S")
  })

  it("makes new files with their folders, and none outside", async () => {
    await prompt(write("new/deep/x.ts", "one\r\nTWO 😀\r\n"))
    assert.strictEqual(onDisk("new/deep/x.ts"), "one\r\nTWO 😀\r\n")
    await prompt(request("fs/write_text_file", { path: join(opened().bench.home, "outside.txt"), content: "x" }))
    assert.isFalse(existsSync(join(opened().bench.home, "outside.txt")))
  })

  it("runs a program in a terminal of the editor, with its output and its end", async () => {
    const shown = await prompt(
      request("terminal/create", { command: "sh", args: ["-c", "echo from-the-terminal; exit 3"] }),
      request("terminal/wait_for_exit", { terminalId: "{terminal:1}" }),
      request("terminal/output", { terminalId: "{terminal:1}" })
    )
    assert.include(shown, "from-the-terminal")
    assert.match(shown, /"exitCode": ?3/)
  })

  it("compares a change side by side in the editor, as the agent sent it", async () => {
    const { window } = opened()
    const change = { type: "diff", path: inFolder("src/deliver.ts"), oldText: "one\ntwo\n", newText: "one\nTWO\n" }
    await prompt({
      update: {
        sessionUpdate: "tool_call",
        toolCallId: "edit",
        title: "Edit",
        kind: "edit",
        status: "completed",
        content: [change]
      }
    })
    const chat = await window.chat("textarea")
    await chat.getByRole("button", { name: "Compare in the editor" }).click()
    const tab = window.page.locator(".tab.active").filter({ hasText: "before ↔ after, as the agent sent it" })
    await tab.waitFor()
    const sides = window.page.locator(".monaco-diff-editor")
    await sides.locator(".editor.original").filter({ hasText: "two" }).waitFor()
    await sides.locator(".editor.modified").filter({ hasText: "TWO" }).waitFor()
    assert.include(onDisk("src/deliver.ts"), "tries")
  })
})
