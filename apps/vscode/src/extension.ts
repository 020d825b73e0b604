/** The extension: the chat, the status bar, the commands, and one connection to the server for the latter two. */
import type * as vscode from "vscode"
import * as Window from "./Window.ts"

/** The window activates it once it has started: suggestions need no view. */
export const activate = (context: vscode.ExtensionContext): Window.Exports => {
  const window = Window.make(context)
  context.subscriptions.push(window)
  return window.exports
}
