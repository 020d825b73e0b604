/** Texts that the editor shows in tabs, which are no files and can't be changed. They are kept as long as a tab shows them. */
import { randomUUID } from "node:crypto"
import * as vscode from "vscode"

const scheme = "signalbox"

/** What a tab shows that an earlier window has left. */
const gone = "This text ended with its window. Open it again from Signalbox.\n"

export interface ReadOnlyTexts extends vscode.Disposable {
  /** Keeps a text for the tab that is opened next. The editor chooses the language by the end of the name. */
  readonly keep: (name: string, text: string) => vscode.Uri
  /** Forgets the texts that no tab shows, but for those. */
  readonly forgetUnshown: (but: ReadonlyArray<vscode.Uri>) => void
}

export const make = (): ReadOnlyTexts => {
  const texts = new Map<string, string>()
  const parts = [
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? gone
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => texts.delete(uri.toString()))
  ]
  return {
    keep: (name, text) => {
      const uri = vscode.Uri.from({ scheme, path: `/${randomUUID()}/${name}` })
      texts.set(uri.toString(), text)
      return uri
    },
    forgetUnshown: (but) => {
      const kept = new Set([...but, ...vscode.workspace.textDocuments.map(({ uri }) => uri)].map(String))
      for (const address of texts.keys()) if (!kept.has(address)) texts.delete(address)
    },
    dispose: () => {
      for (const part of parts) part.dispose()
      texts.clear()
    }
  }
}
