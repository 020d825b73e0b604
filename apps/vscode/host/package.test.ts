import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Vsix from "../scripts/Vsix.ts"
import { Bench, extensionFolder, missing } from "./Bench.ts"
import { serverProgram } from "./Installation.ts"

describe.skipIf(missing !== undefined)("the package of the extension", () => {
  let bench: Bench
  beforeAll(async () => {
    bench = await Bench.open()
  })
  afterAll(() => bench.close())

  it("installs into VS Code, and holds a conversation there", async () => {
    const file = join(bench.home, "signalbox.vsix")
    await Vsix.write(extensionFolder, file)
    const extensions = join(bench.home, "code", "extensions")
    const words = [
      "--install-extension",
      file,
      "--extensions-dir",
      extensions,
      "--server-data-dir",
      join(bench.home, "code")
    ]
    const installed = spawnSync(process.execPath, [serverProgram, ...words, "--accept-server-license-terms"], {
      encoding: "utf8",
      env: { ...process.env, HOME: bench.home }
    })
    assert.strictEqual(installed.status, 0, installed.stdout + installed.stderr)

    const window = await bench.window(null)
    await window.go("Signalbox")
    const chat = await window.chat("h2")
    await chat.getByRole("button", { name: "Start a thread with Eliza" }).click()
    await chat.getByText("for the first prompt").waitFor()
    await chat.locator("textarea").fill("I am installed")
    await chat.getByRole("button", { name: "Send" }).click()
    await chat.getByText("Completed", { exact: true }).waitFor()
  })

  it("has a main file, a view and five commands, and nothing of the repository", () => {
    const { contributes, main, ...rest } = JSON.parse(readFileSync(join(extensionFolder, "package.json"), "utf8"))
    assert.strictEqual(main, "./dist/extension.cjs")
    assert.isAtLeast(contributes.views.signalbox.length, 1)
    assert.isAtLeast(contributes.commands.length, 5)
    assert.isString(rest.publisher)
  })
})
