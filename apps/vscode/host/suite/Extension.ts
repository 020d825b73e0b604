/** The extension under test, and its commands for tests. */
import * as assert from "node:assert"
import * as vscode from "vscode"
import type { Exports } from "../../src/Window.ts"
import type { LogEvent } from "../../src/log/Log.ts"

export const extension = (): vscode.Extension<Exports> => {
  const found = vscode.extensions.getExtension<Exports>("signalbox.signalbox-vscode")
  assert.ok(found, "The extension is not there.")
  return found
}

/** Runs one of the commands that exist for tests only. */
export const test = (name: string, ...args: ReadonlyArray<string>): Thenable<unknown> =>
  vscode.commands.executeCommand(`signalbox.test.${name}`, ...args)

/** Collects what the extension logs, until it is disposed. */
export const logged = (): { readonly events: ReadonlyArray<LogEvent>; readonly dispose: () => void } => {
  const events: Array<LogEvent> = []
  const listener = extension().exports.onLog((event) => events.push(event))
  return { events, dispose: () => listener.dispose() }
}

/** Resolves when it is so. Looks each 50 ms, since not all of the editor has events. */
export const until = async (what: string, is: () => boolean | Thenable<boolean>, patience = 20_000): Promise<void> => {
  const end = Date.now() + patience
  while (!(await is())) {
    if (Date.now() > end) throw new Error(`After ${patience} ms it is not so: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
