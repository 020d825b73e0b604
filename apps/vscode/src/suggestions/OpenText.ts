/** Documents and editors of VS Code as suggestions know them: by the path of the file, with plain places. */
import * as vscode from "vscode"
import type { Scene } from "./Offer.ts"
import type { OpenDocument } from "./Reports.ts"

export const placeOf = ({ character, line }: vscode.Position) => ({ line, character })

export const rangeOf = ({ end, start }: vscode.Range) => ({ start: placeOf(start), end: placeOf(end) })

export const openOf = (document: vscode.TextDocument): OpenDocument => ({
  path: document.uri.fsPath,
  version: document.version,
  lineEnd: document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n",
  text: () => document.getText()
})

/** The text of an editor, and its caret. */
export const sceneOf = ({ document, selection }: vscode.TextEditor): Scene => ({
  ...openOf(document),
  text: document.getText(),
  caret: placeOf(selection.active),
  hasGhosts: vscode.workspace.getConfiguration("editor", document).get<unknown>("inlineSuggest.enabled") !== false
})

/** The files that people have open in tabs. Extensions open further documents, which nobody looks at. */
export const tabbed = (): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const { tabs } of vscode.window.tabGroups.all)
    for (const { input } of tabs) {
      if (input instanceof vscode.TabInputText) found.add(input.uri.toString())
      if (input instanceof vscode.TabInputTextDiff) found.add(input.modified.toString())
    }
  return found
}
