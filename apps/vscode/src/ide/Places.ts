/** Places of the editor in the shapes of the Language Server Protocol. Both count from 0, in UTF-16. Pure. */
import type { Range } from "@signalbox/acp/Positions"
import type { Location } from "@signalbox/lsp/features/Place"
import * as FileUri from "@signalbox/lsp/FileUri"
import type * as vscode from "vscode"

type Spot = Pick<vscode.Position, "line" | "character">

/** A range of the editor. */
export interface Span {
  readonly start: Spot
  readonly end: Spot
}

/** A uri of the editor. */
export type Address = Pick<vscode.Uri, "scheme" | "fsPath" | "toString">

/** A place of the editor. An extension may leave out where in the file it is. */
export interface Found {
  readonly uri: Address
  readonly range?: Span | undefined
}

/** A place of the editor with the whole that has it. */
export interface FoundLink {
  readonly targetUri: Address
  readonly targetRange: Span
  readonly targetSelectionRange?: Span
}

export const rangeOf = ({ end, start }: Span): Range => ({
  start: { line: start.line, character: start.character },
  end: { line: end.line, character: end.character }
})

/** The uri as language servers spell it. */
export const uriOf = (uri: Address): string => (uri.scheme === "file" ? FileUri.of(uri.fsPath) : uri.toString())

const placed = (uri: Address, range: Span): Location => ({
  uri: uriOf(uri),
  path: uri.scheme === "file" ? uri.fsPath : undefined,
  range: rangeOf(range)
})

/** The place of a definition or of a use. Of a link, it is the name that it leads to. Undefined if it is nowhere in a file. */
export const locationOf = (found: Found | FoundLink): Location | undefined => {
  if ("targetUri" in found) return placed(found.targetUri, found.targetSelectionRange ?? found.targetRange)
  return found.range === undefined ? undefined : placed(found.uri, found.range)
}
