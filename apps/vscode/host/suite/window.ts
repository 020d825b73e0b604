/** What the extension is in a window: activation, commands, settings, files, the view. */
import * as assert from "node:assert"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as vscode from "vscode"
import { extension, logged, until } from "./Extension.ts"

export const window: Readonly<Record<string, () => Promise<void>>> = {
  "the extension is there, and active once the window has started": async () => {
    await until("it is active", () => extension().isActive)
    await vscode.commands.executeCommand("signalbox.openChat")
  },

  "its commands are registered, and those for tests too": async () => {
    const commands = new Set(await vscode.commands.getCommands(true))
    for (const { command } of extension().packageJSON.contributes.commands) assert.ok(commands.has(command), command)
    assert.ok(commands.has("signalbox.test.sendPrompt"))
  },

  "the view is made, hidden and shown again": async () => {
    const log = logged()
    await vscode.commands.executeCommand("workbench.view.explorer")
    await until("hidden", () => log.events.some(({ message }) => message === "Webview became hidden"))
    await vscode.commands.executeCommand("signalbox.openChat")
    await until("visible", () => log.events.some(({ message }) => message === "Webview became visible"))
    await until("a new document listens", () => log.events.some(({ message }) => message === "Webview ready"))
    log.dispose()
  },

  "a setting of another kind is named in the log, and its default counts": async () => {
    const log = logged()
    const settings = vscode.workspace.getConfiguration("signalbox")
    await settings.update("restoreOnRestart", 3, vscode.ConfigurationTarget.Workspace)
    await vscode.commands.executeCommand("workbench.view.explorer")
    await vscode.commands.executeCommand("signalbox.openChat")
    await until("it is named", () => log.events.some(({ message }) => message.includes("signalbox.restoreOnRestart")))
    await settings.update("restoreOnRestart", undefined, vscode.ConfigurationTarget.Workspace)
    log.dispose()
  },

  "its state opens as JSON, with the server and without the token": async () => {
    await vscode.commands.executeCommand("signalbox.openChat")
    const stateFolder = vscode.workspace.getConfiguration("signalbox").get<string>("stateFolder") ?? ""
    const file = join(stateFolder, "server.json")
    await until("a server is there", () => existsSync(file))
    const shown = async (): Promise<string> => {
      await vscode.commands.executeCommand("signalbox.showState")
      const { document } = vscode.window.activeTextEditor ?? {}
      assert.strictEqual(document?.languageId, "json")
      assert.strictEqual(document.isDirty, false)
      const text = document.getText()
      await vscode.commands.executeCommand("workbench.action.closeActiveEditor")
      return text
    }
    let text = await shown()
    while (!text.includes('"state": "connected"')) text = await shown()
    const { token, url } = JSON.parse(readFileSync(file, "utf8"))
    assert.ok(text.includes(JSON.stringify(url)), text)
    assert.ok(!text.includes(token))
  }
}
