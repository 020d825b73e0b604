/** What the active editor has for a prompt: the selection, the file, its problems. */
import type { PromptPart } from "@signalbox/contracts/Content"
import { largestAttachment } from "@signalbox/contracts/Content"
import type { Offer } from "@signalbox/contracts/HostMessage"
import * as path from "node:path"
import * as vscode from "vscode"

const isUsual = ({ uri }: vscode.TextDocument): boolean => uri.scheme === "file"

const nameOf = ({ uri }: vscode.TextDocument): string => path.basename(uri.fsPath)

/** From the folder of the window. With several folders, only a whole path is the same for each thread. */
const pathOf = ({ uri }: vscode.TextDocument): string =>
  vscode.workspace.workspaceFolders?.length === 1 ? vscode.workspace.asRelativePath(uri, false) : uri.fsPath

const problemsOf = ({ uri }: vscode.TextDocument): ReadonlyArray<vscode.Diagnostic> =>
  vscode.languages.getDiagnostics(uri).filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning)

const count = (number: number): string => (number === 1 ? "1 problem" : `${number} problems`)

/** The last line that the selection has a character of, from 0. */
const lastLineOf = ({ end, isSingleLine }: vscode.Selection): number =>
  end.character === 0 && !isSingleLine ? end.line - 1 : end.line

/** What can be added now. Files that are not on the disk are not offered: an agent could not read them. */
export const offersOf = (editor: vscode.TextEditor | undefined): ReadonlyArray<Offer> => {
  if (editor === undefined || !isUsual(editor.document)) return []
  const problems = problemsOf(editor.document).length
  return [
    ...(editor.selection.isEmpty ? [] : [{ type: "selection", label: "Add selection" } as const]),
    { type: "file", label: `Add ${nameOf(editor.document)}` },
    ...(problems > 0 ? [{ type: "problems", label: `Add ${count(problems)}` } as const] : [])
  ]
}

/** The parts of a prompt that an offer stands for. A string says why there are none. */
export const partsOf = (
  type: Offer["type"],
  editor: vscode.TextEditor | undefined
): ReadonlyArray<PromptPart> | string => {
  if (editor === undefined || !isUsual(editor.document)) return "No file of the disk is open in the editor."
  const { document, selection } = editor
  const uri = document.uri.toString()
  switch (type) {
    case "selection": {
      if (selection.isEmpty) return `Nothing is selected in ${nameOf(document)}.`
      const text = document.getText(selection)
      if (Buffer.byteLength(text) > largestAttachment)
        return `The selection is longer than ${largestAttachment / 1_000_000} MB, which is the most that goes along with a prompt.`
      const lines = `#L${selection.start.line + 1}-L${lastLineOf(selection) + 1}`
      return [{ type: "resource", uri: `${uri}${lines}`, text, mimeType: "text/plain" }]
    }
    case "file":
      return [{ type: "resource_link", uri, name: pathOf(document) }]
    case "problems": {
      const problems = problemsOf(document)
      if (problems.length === 0) return `The editor shows no problems in ${nameOf(document)}.`
      const text = [
        `Problems that the editor shows in ${document.uri.fsPath}:`,
        ...problems.map(
          ({ message, range, severity, source }) =>
            `line ${range.start.line + 1}: ${severity === vscode.DiagnosticSeverity.Error ? "error" : "warning"}${source === undefined ? "" : ` (${source})`}: ${message}`
        )
      ].join("\n")
      const name = `${count(problems.length)} of ${nameOf(document)}`
      return [{ type: "resource", uri: `attachment:${encodeURIComponent(name)}`, text, mimeType: "text/plain" }]
    }
  }
}
