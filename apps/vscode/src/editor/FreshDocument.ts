/** Documents of the editor, and whether they have the text that is on the disk. */
import * as vscode from "vscode"
import * as DiskFile from "./DiskFile.ts"
import { areEqual } from "./EqualTexts.ts"

/** Milliseconds that the editor gets to see a change of the disk, and between two looks. */
const freshWithin = 2000
const lookEvery = 50

const byteOrderMark = "\ufeff"

export const withoutMark = (text: string): string => (text.startsWith(byteOrderMark) ? text.slice(1) : text)

/** The open document of a file, by any of its names. */
export const openAt = (...names: ReadonlyArray<string>): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find(
    ({ isClosed, uri }) => !isClosed && uri.scheme === "file" && names.includes(uri.fsPath)
  )

/** Whether these bytes are the text of the document. */
export const isOnDisk = async (document: vscode.TextDocument, bytes: Uint8Array): Promise<boolean> => {
  const text = await vscode.workspace.decode(bytes, { encoding: document.encoding })
  return areEqual(withoutMark(text), withoutMark(document.getText()))
}

/** Waits for the editor to see what the disk has. What is not saved is left as it is. */
export const untilFresh = async (document: vscode.TextDocument, place: string): Promise<void> => {
  const end = Date.now() + freshWithin
  while (!document.isDirty && Date.now() < end && !(await isOnDisk(document, await DiskFile.read(place))))
    await new Promise((resolve) => setTimeout(resolve, lookEvery))
}
