/** Documents of the editor, and whether they have the text that is on the disk. */
import * as vscode from "vscode"
import * as DiskFile from "./DiskFile.ts"
import { areEqual } from "./EqualTexts.ts"

/** Milliseconds that the editor gets to see a change of the disk, and between two looks. */
const freshWithin = 2000
const lookEvery = 50

export const byteOrderMark = "\ufeff"

export const withoutMark = (text: string): string => (text.startsWith(byteOrderMark) ? text.slice(1) : text)

/** The open document of a file, by any of its names. */
export const openAt = (...names: ReadonlyArray<string>): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find(
    ({ isClosed, uri }) => !isClosed && uri.scheme === "file" && names.includes(uri.fsPath)
  )

/** Whether a document has a text of the disk. */
export type Comparison = (document: vscode.TextDocument, bytes: Uint8Array) => Promise<boolean>

const decoded = async (document: vscode.TextDocument, bytes: Uint8Array): Promise<string> =>
  withoutMark(await vscode.workspace.decode(bytes, { encoding: document.encoding }))

/** Whether these bytes are the text of the document. */
export const isOnDisk: Comparison = async (document, bytes) =>
  (await decoded(document, bytes)) === withoutMark(document.getText())

/** Whether these bytes have the lines of the document. An editor never has a text of mixed line ends as the disk has it. */
export const hasLinesOfDisk: Comparison = async (document, bytes) =>
  areEqual(await decoded(document, bytes), withoutMark(document.getText()))

/** Waits for the editor to see what the disk has. What is not saved is left as it is. */
export const untilFresh = async (document: vscode.TextDocument, place: string, isSame: Comparison): Promise<void> => {
  const end = Date.now() + freshWithin
  while (!document.isDirty && Date.now() < end && !(await isSame(document, await DiskFile.read(place))))
    await new Promise((resolve) => setTimeout(resolve, lookEvery))
}
