/** The places that a suggestion is about, in files of the disk and of the editor: only those whose line is still the same. */
import { resolvePath } from "@signalbox/contracts/Paths"
import type { SuggestedPlace, SuggestedPlaces } from "@signalbox/contracts/Suggestions"
import * as vscode from "vscode"

/** A file with the places that can be changed in it. */
export interface PlacesInFile {
  readonly document: vscode.TextDocument
  readonly places: ReadonlyArray<SuggestedPlace>
}

export interface FoundPlaces {
  readonly files: ReadonlyArray<PlacesInFile>
  /** How many places have changed since, or can't be read. */
  readonly leftOut: number
}

/** `folder`: from which paths count that are not absolute. */
export const find = async (folder: string, { files }: SuggestedPlaces): Promise<FoundPlaces> => {
  const found: Array<PlacesInFile> = []
  let leftOut = 0
  for (const { path, places } of files) {
    const document = await opened(resolvePath(path, folder))
    const same = document === undefined ? [] : places.filter((place) => isSame(document, place))
    leftOut += places.length - same.length
    if (document !== undefined && same.length > 0) found.push({ document, places: same })
  }
  return { files: found, leftOut }
}

/** All places as one edit, of which people confirm each. */
export const editOf = (files: ReadonlyArray<PlacesInFile>, label: string): vscode.WorkspaceEdit => {
  const edit = new vscode.WorkspaceEdit()
  for (const { document, places } of files)
    for (const place of places)
      edit.replace(document.uri, rangeOf(place), place.newText, { needsConfirmation: true, label })
  return edit
}

export const rangeOf = ({ range: { end, start } }: Pick<SuggestedPlace, "range">): vscode.Range =>
  new vscode.Range(start.line, start.character, end.line, end.character)

const opened = async (path: string): Promise<vscode.TextDocument | undefined> => {
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.file(path))
  } catch {
    return undefined
  }
}

/** The server cuts long lines. */
const isSame = (document: vscode.TextDocument, { line, range }: SuggestedPlace): boolean =>
  range.start.line < document.lineCount && document.lineAt(range.start.line).text.startsWith(line)
