/** What VS Code says of its documents and of findings in them. */
import * as vscode from "vscode"
import type { Source } from "./Reports.ts"

export const source: Source = {
  open: () => vscode.workspace.textDocuments.map(({ uri }) => uri.toString()),
  hasFindings: (uri) => vscode.languages.getDiagnostics(vscode.Uri.parse(uri)).length > 0,
  listen: ({ changed, closed, found, opened }) => {
    const parts = [
      vscode.workspace.onDidOpenTextDocument(({ uri }) => opened(uri.toString())),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => closed(uri.toString())),
      vscode.workspace.onDidChangeTextDocument(({ contentChanges, document: { uri } }) => {
        if (contentChanges.length > 0) changed(uri.toString())
      }),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => found(uris.map((uri) => uri.toString())))
    ]
    return () => parts.forEach((part) => part.dispose())
  }
}
