/**
 * Compares two texts of a file in the editor's own view for that. Both are texts that an agent sent: the file itself may be
 * another one meanwhile.
 */
import * as path from "node:path"
import * as vscode from "vscode"
import { plain } from "../words/Plain.ts"
import type { ReadOnlyTexts } from "./ReadOnlyTexts.ts"

/** Most characters of a name: its end, by which the editor chooses the language. */
const longestName = 120

export interface Change {
  readonly path: string
  /** Null if the file is new. */
  readonly oldText: string | null
  readonly newText: string
}

export const open = async (texts: ReadOnlyTexts, change: Change): Promise<void> => {
  const name = plain(path.basename(change.path)).slice(-longestName) || "file"
  const sides = [
    texts.keep(`before/${name}`, change.oldText ?? ""),
    texts.keep(`after/${name}`, change.newText)
  ] as const
  const what = change.oldText === null ? "a new file" : "before ↔ after"
  try {
    await vscode.commands.executeCommand("vscode.diff", ...sides, `${name}: ${what}, as the agent sent it`, {
      preview: true
    })
  } catch (error) {
    void vscode.window.showWarningMessage(plain(`The change of ${name} can't be compared: ${String(error)}`))
  }
  texts.forgetUnshown(sides)
}
