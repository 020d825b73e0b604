import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { tellShown } from "../../../scripts/suite/Shown.ts"
import { Bench, type ChatWindow, missing, ownCommand } from "./Bench.ts"

describe.skipIf(missing !== undefined)("several windows and folders", () => {
  let bench: Bench
  const windows: Array<ChatWindow> = []

  beforeAll(async () => {
    const trusting = { command: process.execPath, args: ["--version"], permissions: "bypass" }
    bench = await Bench.open({ agents: { trusting } })
  })
  afterEach(async ({ task }) => {
    await tellShown(task, () => windows.flatMap((window) => window.documents()))
    for (const { page } of windows.splice(0)) await page.close()
  })
  afterAll(() => bench.close())

  const open = async (folder?: string): Promise<ChatWindow> => {
    const window = await bench.window(undefined, folder)
    windows.push(window)
    await window.go("Signalbox")
    return window
  }

  it("two windows on one folder show one request, which is answered once, and the same draft", async () => {
    const first = await open()
    const chat = await first.chat("h2")
    await chat.getByRole("button", { name: "Start a thread with Cursor" }).click()
    await chat.getByText("for the first prompt").waitFor()
    await chat.locator("textarea").fill("Run echo twice")
    await chat.getByRole("button", { name: "Send" }).click()
    await chat.getByRole("group", { name: /^Answers/ }).waitFor()

    // The second window opens with what waits in its folder.
    const second = await open()
    const other = await second.chat("textarea")
    await other
      .getByRole("group", { name: /^Answers/ })
      .getByRole("button", { name: "Allow once" })
      .click()
    for (const frame of [chat, other]) {
      await frame.getByText("Completed", { exact: true }).waitFor()
      assert.strictEqual(await frame.getByText("you chose “Allow once”").count(), 1)
      assert.strictEqual(await frame.getByText("Run echo twice", { exact: true }).count(), 1)
      assert.strictEqual(await frame.getByRole("group", { name: /^Answers/ }).count(), 0)
    }
    await chat.locator("textarea").fill("Begun in one, seen in the other")
    await second.fieldHas("Begun in one, seen in the other")
  })

  it("a window with several folders asks for one, and the agent works there", async () => {
    const second = join(bench.home, "billing")
    mkdirSync(second)
    const workspace = join(bench.home, "both.code-workspace")
    writeFileSync(workspace, JSON.stringify({ folders: [{ path: bench.folder }, { path: second }] }))
    const window = await open(workspace)
    await window.chat("button")
    await window.run("Signalbox: New Thread")
    const chat = await window.chat("select")
    await chat.getByLabel("Folder in which the agent works").selectOption(second)
    await chat.getByRole("heading", { name: "New thread in billing" }).waitFor()
    // Who answers for people is said before a thread begins.
    await chat.getByText("Bypass", { exact: true }).waitFor()
    await chat.getByRole("button", { name: "Start a thread with Eliza" }).click()
    await chat.locator("textarea").fill("I am in the second folder")
    await chat.getByRole("button", { name: "Send" }).click()
    await chat.getByText("Completed", { exact: true }).waitFor()
    const [program = "", ...words] = ownCommand
    const { stdout } = spawnSync(program, [...words, "threads", "list", "--json", "--state-dir", bench.state], {
      encoding: "utf8"
    })
    assert.include(stdout, JSON.stringify(second))
  })
})
