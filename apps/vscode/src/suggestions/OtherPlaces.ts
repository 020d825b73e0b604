/** The places that a suggestion is about, in files of the disk and of the editor: only those whose line is still the same. */
import { resolvePath } from "@signalbox/contracts/Paths"
import type { SuggestedPlace, SuggestedPlaces } from "@signalbox/contracts/Suggestions"
import * as vscode from "vscode"
import { isSame, type PlacedText } from "./PlacedText.ts"

/** A file with the places that can be changed in it. */
export interface PlacesInFile {
  readonly document: vscode.TextDocument
  readonly places: ReadonlyArray<SuggestedPlace>
}

export interface FoundPlaces {
  readonly files: ReadonlyArray<PlacesInFile>
  /** How many places have changed since. */
  readonly changed: number
  /** How many are in files that can't be read. */
  readonly unread: number
}

/** `folder`: from which paths count that are not absolute. */
export const find = async (folder: string, { files }: SuggestedPlaces): Promise<FoundPlaces> => {
  const found: Array<PlacesInFile> = []
  let changed = 0
  let unread = 0
  for (const { path, places, version } of files) {
    const document = await opened(resolvePath(path, folder))
    if (document === undefined) {
      unread += places.length
      continue
    }
    const text: PlacedText = {
      lines: document.lineCount,
      line: (at) => document.lineAt(at).text,
      // A file that nobody has open is read from the disk.
      isSameText: version === undefined ? !document.isDirty : version === document.version
    }
    const same = places.filter((place) => isSame(text, place))
    changed += places.length - same.length
    if (same.length > 0) found.push({ document, places: same })
  }
  return { files: found, changed, unread }
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
