import { assert, describe, it } from "vitest"
import { missing } from "./Bench.ts"
import { sharedWindow } from "./sharedWindow.ts"

describe.skipIf(missing !== undefined)("the chat as a tab of the editor", () => {
  const opened = sharedWindow({}, async ({ window }) => {
    const chat = await window.chat("h2")
    await chat.getByRole("button", { name: "Start a thread with Eliza" }).waitFor()
    await window.go("Explorer")
    await window.run("Signalbox: Open the Chat in an Editor Tab")
  })

  it("holds a conversation, and shows it again after the window was reloaded", async () => {
    const { window } = opened()
    const chat = await window.chat("h2")
    await chat.getByRole("button", { name: "Start a thread with Eliza" }).click()
    await chat.locator("textarea").fill("I am in a tab")
    await chat.getByRole("button", { name: "Send" }).click()
    await chat.getByText("Completed", { exact: true }).waitFor()
    // VS Code writes down later what its tabs keep, and a window that is reloaded before has lost it.
    await window.keeps("threadId")
    await window.page.reload()
    await window.page.waitForSelector(".monaco-workbench")
    const back = await window.chat("textarea")
    const said = back.getByRole("log").getByText("I am in a tab", { exact: true })
    await said.waitFor()
    assert.strictEqual(await said.count(), 1)
  })

  it("has what happened while another tab hid it", async () => {
    const { window } = opened()
    const chat = await window.chat("textarea")
    await chat.locator("textarea").fill("I am hidden now")
    await chat.getByRole("button", { name: "Send" }).click()
    await window.openFile("deliver.ts")
    await window.page.locator(".tab").filter({ hasText: "Signalbox" }).click()
    const back = await window.chat("textarea")
    await back.getByText("Completed", { exact: true }).nth(1).waitFor()
    assert.strictEqual(await back.getByText("I am hidden now", { exact: true }).count(), 1)
    assert.strictEqual(await back.locator("textarea").inputValue(), "")
  })
})
