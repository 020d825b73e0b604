/** Opens files that a transcript names. */
import { plain } from "../words/Plain.ts"
import * as path from "node:path"
import * as vscode from "vscode"

/** `at`: absolute, or from `cwd`. `line`: from 1. Says so where there is no such file. */
export const openFile = async (cwd: string, at: string, line: number | undefined): Promise<void> => {
  const file = path.resolve(cwd, at)
  const position = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0)
  try {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file))
    await vscode.window.showTextDocument(document, {
      preview: true,
      ...(line !== undefined && { selection: new vscode.Range(position, position) })
    })
  } catch (error) {
    void vscode.window.showWarningMessage(
      plain(`${file} can't be opened: ${error instanceof Error ? error.message : String(error)}`)
    )
  }
}
