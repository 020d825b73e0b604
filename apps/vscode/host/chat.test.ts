import { assert, describe, it } from "vitest"
import { ended, missing } from "./Bench.ts"
import { sharedWindow } from "./sharedWindow.ts"

describe.skipIf(missing !== undefined)("the chat in VS Code", () => {
  const opened = sharedWindow({})

  it("starts a server where none runs, and offers its agents for the folder of the window", async () => {
    const { bench, window } = opened()
    const chat = await window.chat("h2")
    await chat.getByRole("heading", { name: "New thread in ledger" }).waitFor()
    await chat.getByRole("button", { name: "Start a thread with Eliza" }).waitFor()
    assert.isDefined(bench.server())
    await window.status().filter({ hasText: "Signalbox: idle" }).waitFor()
  })

  it("holds a conversation, whose words are those of the record", async () => {
    const { window } = opened()
    const chat = await window.chat("h2")
    await chat.getByRole("button", { name: "Start a thread with Eliza" }).click()
    await chat.locator("textarea").fill("I am happy with tests")
    await chat.getByRole("button", { name: "Send" }).click()
    await chat.getByText("Completed", { exact: true }).last().waitFor()
    const log = await chat.getByRole("log").innerText()
    assert.include(log, "I am happy with tests")
    await window.status().filter({ hasText: "Signalbox: idle" }).waitFor()
  })

  it("shows an approval that came while it was hidden, and the answer is given once", async () => {
    const { window } = opened()
    const chat = await window.chat("textarea")
    await window.run("Signalbox: New Thread")
    await chat.getByRole("button", { name: "Start a thread with Cursor" }).click()
    await chat.getByText("for the first prompt").waitFor()
    await chat.locator("textarea").fill("Run echo kept")
    await chat.getByRole("button", { name: "Send" }).click()
    await window.go("Explorer")
    await window.status().filter({ hasText: "Signalbox: 1 waiting" }).waitFor()
    await window.go("Signalbox")
    const shown = await window.chat("textarea")
    const answers = shown.getByRole("group", { name: /^Answers/ })
    await answers.getByRole("button", { name: "Allow once" }).click()
    await shown.getByText("Completed", { exact: true }).last().waitFor()
    assert.strictEqual(await shown.getByText("you chose “Allow once”").count(), 1)
    assert.strictEqual(await shown.getByText("Run echo kept", { exact: true }).count(), 1)
  })

  it("tells of a request by a notification with the agent's own answers while it is hidden", async () => {
    const { window } = opened()
    const chat = await window.chat("textarea")
    await chat.locator("textarea").fill("Run echo told")
    await chat.getByRole("button", { name: "Send" }).click()
    await window.go("Explorer")
    await window.status().filter({ hasText: "Signalbox: 1 waiting" }).waitFor()
    const notification = await window.notification("wants to run: echo told")
    await notification.getByRole("button", { name: "Allow once" }).click()
    await window.status().filter({ hasText: "Signalbox: idle" }).waitFor()
    await window.go("Signalbox")
    const shown = await window.chat("textarea")
    await shown.getByText("Completed", { exact: true }).nth(1).waitFor()
    assert.strictEqual(await shown.getByText("you chose “Allow once”").count(), 2)
  })

  it("adds the selection and the file of the editor to the prompt", async () => {
    const { window } = opened()
    await window.openFile("deliver.ts")
    await window.page.locator(".monaco-editor .view-lines").first().click()
    await window.page.keyboard.press("Control+A")
    const chat = await window.chat("textarea")
    await chat.getByRole("button", { name: "Add selection" }).click()
    await chat.getByText("deliver.ts 1–2").waitFor()
    await chat.getByRole("button", { name: "Add deliver.ts" }).click()
    await window.fieldHas("@src/deliver.ts")
    assert.strictEqual(await chat.getByText("deliver.ts 1–2").count(), 1)
    await chat.getByRole("button", { name: "Add 1 problem" }).click()
    await chat.getByText("1 problem of deliver.ts").waitFor()
  })

  it("has what was typed a second ago after the window was reloaded", async () => {
    const { window } = opened()
    const before = await window.chat("textarea")
    const field = before.locator("textarea")
    await field.fill("Typed, and not sent")
    // The server has it: the row of the thread says so.
    await before.getByRole("button", { name: /threads$/ }).click()
    await before.getByText("draft", { exact: true }).first().waitFor()
    // The icon counts it.
    const icon = window.page.locator(".activitybar .action-item").filter({ has: window.page.getByLabel(/^Signalbox/) })
    await icon.locator(".badge-content").filter({ hasText: /^1$/ }).waitFor()
    await window.page.reload()
    await window.page.waitForSelector(".monaco-workbench")
    await window.go("Signalbox")
    const after = await window.chat("textarea")
    await window.fieldHas("Typed, and not sent")
    assert.strictEqual(await after.locator("textarea").inputValue(), "Typed, and not sent")
  })

  it("says that its server is gone, and goes on with the next one", async () => {
    const { bench, window } = opened()
    const server = bench.server()
    assert.isDefined(server)
    if (server !== undefined) await ended(server.pid, "SIGKILL")
    const chat = await window.chat("textarea")
    await chat.getByText("No Signalbox server is running").waitFor()
    await chat.getByText("echo told").first().waitFor()
    await chat.getByRole("button", { name: "Try now" }).click()
    await window
      .status()
      .filter({ hasText: /Signalbox: idle/ })
      .waitFor()
    assert.notStrictEqual(bench.server()?.pid, server?.pid)
  })

  it("gives its view no token", async () => {
    const { bench, window } = opened()
    const token = bench.server()?.token ?? "no token"
    const chat = await window.chat("textarea")
    const seen = await chat.evaluate("document.documentElement.outerHTML + JSON.stringify({ ...localStorage })")
    assert.isString(seen)
    assert.notInclude(seen, token)
  })

  it("opens a place of the page in a browser, which is let in once", async () => {
    const { bench, window } = opened()
    const popup = window.page.context().waitForEvent("page")
    await window.run("Signalbox: Open on the Page")
    const page = await popup
    await page.waitForURL(/#token=/)
    // code-server would bring a browser to our server by a proxy, which VS Code's own server does not have.
    await page.goto(`${bench.server()?.url}/${new URL(page.url()).hash}`)
    await page.getByRole("heading", { name: "Run Echo Kept" }).waitFor()
    assert.notInclude(page.url(), "token")
  })
})
