import { assert, describe, it } from "vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { missing, repository } from "./Bench.ts"
import { sharedWindow } from "./sharedWindow.ts"

/** Language servers could not answer in the place of VS Code: the one for TypeScript is a program that is not there. */
const component = {
  component: "ide-operations",
  args: ["--server", "typescript=/no/such/program", "--only-these-servers"]
}

const standIn = (name: "tools" | "scripted") => join(repository, "packages", "stand-in-agents", "src", name, "main.ts")

/** An agent that calls the tools that its prompt names. */
const tools = { command: process.execPath, args: [standIn("tools"), "--http"], components: [component] }

/** An agent that does what its prompt says, step by step. */
const scripts = { command: process.execPath, args: [standIn("scripted")], files: "write", components: [component] }

const compilerOptions = JSON.stringify({ compilerOptions: { strict: true } })

describe.skipIf(missing !== undefined)("an agent with IDE operations, whose thread stands in VS Code", () => {
  const options = { agents: { tools }, settings: { "files.autoSave": "off" } }
  const opened = sharedWindow(options, async ({ bench, window }) => {
    writeFileSync(join(bench.folder, "tsconfig.json"), compilerOptions)
    const put = (name: string, text: string) => writeFileSync(join(bench.folder, "src", name), text)
    put("shop.ts", "export class Shop {\n  total(): number {\n    return 1\n  }\n}\n")
    put("main.ts", 'import { Shop } from "./shop"\n\nexport const total = "🚦" + new Shop().total()\n')
    put("empty.ts", "// Nothing is named here.\n")
    put("broken.ts", 'export const one: number = "1"\n')
    const chat = await window.chat("h2")
    await chat.getByRole("button", { name: "Start a thread with tools" }).click()
    await chat.getByText("for the first prompt").waitFor()
  })
  let turns = 0

  /** What a tool says when VS Code has its answer: while it starts, it says what it waits for. */
  const said = async (name: string, given: object): Promise<string> => {
    while (true) {
      const chat = await opened().window.chat("textarea")
      await chat.locator("textarea").fill(JSON.stringify([{ call: name, server: "ide-operations", with: given }]))
      await chat.getByRole("button", { name: "Send" }).click()
      await chat.getByText("Completed", { exact: true }).nth(turns).waitFor()
      turns += 1
      const text = (await chat.getByRole("log").innerText()).split(/(?=^(?:OK|ERROR): )/m).at(-1) ?? ""
      if (!/Ask again in a moment|took longer than|has closed this thread/.test(text)) return text
    }
  }
  const program = (text: string) => said("ide_operation", { program: text })

  it("gets VS Code's own answers: definitions, uses, symbols, proposed changes", async () => {
    const definition = await said("ide_definition", { file_path: "src/main.ts", line: 2, character: 33 })
    assert.include(definition, '"file_path":"src/shop.ts"')
    assert.include(definition, "export class Shop {")
    const uses = await program('findReferences("Shop")')
    for (const place of [
      '"path":"src/main.ts","start":{"line":3,"column":33}',
      '"path":"src/shop.ts","start":{"line":1'
    ])
      assert.include(uses, place)
    assert.include(await program('getSymbolInfo("Shop.total")'), "(method) Shop.total(): number")
    const rename = { file_path: "src/shop.ts", line: 0, character: 13, new_name: "Store" }
    assert.include(await said("ide_rename_preview", rename), '"new_text":"Store"')
    const proposals = await said("ide_completion", { file_path: "src/main.ts", line: 2, character: 39 })
    assert.include(proposals, '"label":"total"')
    assert.include(await said("ide_symbols", { file_path: "src/shop.ts" }), '"name":"total","kind":"method"')
    assert.notInclude(await said("ide_symbols", { file_path: "src/empty.ts" }), "VS Code knows no symbols")
  })

  it("hears of errors in what is not saved, and of what is selected", async () => {
    const { page } = opened().window
    await opened().window.openFile("broken.ts")
    const editor = page.locator(".editor-instance .view-lines").first()
    await editor.filter({ hasText: "number" }).click({ position: { x: 5, y: 5 } })
    await page.keyboard.press("Control+Home")
    await page.keyboard.type("export const two: string = 2\n")
    await editor.filter({ hasText: "two" }).waitFor()
    const found = await said("ide_diagnostics", { file_path: "src/broken.ts" })
    assert.include(found, "Type 'number' is not assignable to type 'string'.")
    await editor.click({ position: { x: 5, y: 5 } })
    await page.keyboard.press("Control+Home")
    await page.keyboard.press("Shift+End")
    const selected = await program("selection()")
    assert.include(selected, '"path":"src/broken.ts","start":{"line":1,"column":1}')
    assert.include(selected, "export const two: string = 2")
  })

  it("answers in a window that was loaded again, for the same agent", async () => {
    const { window } = opened()
    await window.page.reload()
    await window.page.waitForSelector(".monaco-workbench")
    const shop = await program('findDefinitions("Shop")')
    assert.include(shop, '"path":"src/shop.ts","start":{"line":1,"column":14}')
  })
})

describe.skipIf(missing !== undefined)("an edit that leaves an error, in VS Code", () => {
  const opened = sharedWindow({ agents: { scripts } }, async ({ bench, window }) => {
    writeFileSync(join(bench.folder, "tsconfig.json"), compilerOptions)
    const chat = await window.chat("h2")
    await chat.getByRole("button", { name: "Start a thread with scripts" }).click()
    await chat.getByText("for the first prompt").waitFor()
  })

  it("says so on the entry of the tool, by what VS Code finds in a file that is in no tab", async () => {
    const path = join(opened().bench.folder, "src", "new.ts")
    const content = 'export const one: number = "1"\n'
    const edit = { toolCallId: "edit", kind: "edit", title: "Edit" }
    const diff = { type: "diff", path, oldText: null, newText: content }
    const steps = [
      { update: { ...edit, sessionUpdate: "tool_call", status: "in_progress", locations: [{ path }] } },
      { request: { method: "fs/write_text_file", params: { path, content } } },
      { update: { ...edit, sessionUpdate: "tool_call_update", status: "completed", content: [diff] } }
    ]
    const chat = await opened().window.chat("textarea")
    await chat.locator("textarea").fill(JSON.stringify(steps))
    await chat.getByRole("button", { name: "Send" }).click()
    await chat.getByText("Completed", { exact: true }).waitFor()
    await chat.getByText("src/new.ts").first().click()
    const report = chat.getByText("After this edit, there is 1 error")
    await report.waitFor()
    assert.include(await report.innerText(), "src/new.ts:1:14: Type 'string' is not assignable to type 'number'.")
  })
})
