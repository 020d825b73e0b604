/**
 * Compares two texts of a file in the editor's own view for that. Both are texts that an agent sent: the file itself may be
 * another one meanwhile.
 */
import { randomUUID } from "node:crypto"
import * as path from "node:path"
import * as vscode from "vscode"
import { plain } from "../words/Plain.ts"

/** The kind of the documents that hold one side of a comparison. */
const scheme = "signalbox-diff"

/** What a tab shows that an earlier window has left. */
const gone = "This comparison ended with its window. Open it again from the chat.\n"

export interface Change {
  readonly path: string
  /** Null if the file is new. */
  readonly oldText: string | null
  readonly newText: string
}

export interface Diffs extends vscode.Disposable {
  readonly open: (change: Change) => Promise<void>
}

export const make = (): Diffs => {
  /** The texts by the addresses of their documents, as long as those are open. */
  const texts = new Map<string, string>()
  const keep = (name: string, side: string, text: string): vscode.Uri => {
    // The name comes last, since the editor chooses the language by it.
    const uri = vscode.Uri.from({ scheme, path: `/${randomUUID()}/${side}/${name}` })
    texts.set(uri.toString(), text)
    return uri
  }
  const parts = [
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? gone
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => texts.delete(uri.toString()))
  ]
  return {
    open: async (change) => {
      const name = path.basename(change.path) || "file"
      const before = keep(name, "before", change.oldText ?? "")
      const after = keep(name, "after", change.newText)
      const what = change.oldText === null ? "a new file" : "before ↔ after"
      try {
        await vscode.commands.executeCommand("vscode.diff", before, after, `${name}: ${what}, as the agent sent it`, {
          preview: true
        })
      } catch (error) {
        for (const side of [before, after]) texts.delete(side.toString())
        void vscode.window.showWarningMessage(plain(`The change of ${name} can't be compared: ${String(error)}`))
      }
    },
    dispose: () => {
      for (const part of parts) part.dispose()
      texts.clear()
    }
  }
}
