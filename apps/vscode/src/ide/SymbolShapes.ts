/** Symbols of the editor as language servers have them. Pure. */
import type { DocumentSymbol, WorkspaceSymbol } from "@signalbox/lsp/features/Symbols"
import * as FileUri from "@signalbox/lsp/FileUri"
import * as SymbolKind from "@signalbox/lsp/features/SymbolKind"
import type { SessionFiles } from "./FileNames.ts"
import { type Found, locationOf, rangeOf, type Span } from "./Places.ts"

interface Listed {
  readonly name: string
  readonly kind: number
  readonly tags?: ReadonlyArray<number>
}

/** A symbol with those that are in it. */
export interface Nested extends Listed {
  readonly detail: string
  readonly range: Span
  readonly selectionRange: Span
  readonly children: ReadonlyArray<Nested>
}

/** A symbol of a list. */
export interface Flat extends Listed {
  readonly containerName: string
  readonly location: Found
}

/** Deeper ones are left out. Real code is never so deep. */
const deepest = 64

/** Numbers of the editor begin with 0, those of the protocol with 1. */
const kindOf = (kind: number): SymbolKind.SymbolKind => SymbolKind.of(kind + 1)

const isDeprecated = ({ tags }: Listed): boolean => tags?.includes(1) === true

/** Undefined if it is nowhere in the file. */
export const documentSymbolOf = (symbol: Nested | Flat, depth = 0): DocumentSymbol | undefined => {
  const { kind, name } = symbol
  const common = { name, kind: kindOf(kind), isDeprecated: isDeprecated(symbol) }
  if (!("selectionRange" in symbol)) {
    const { containerName, location } = symbol
    if (location.range === undefined) return undefined
    const range = rangeOf(location.range)
    return { ...common, range, selectionRange: range, ...(containerName && { containerName }), children: [] }
  }
  const { children, detail, range, selectionRange } = symbol
  return {
    ...common,
    ...(detail && { detail }),
    range: rangeOf(range),
    selectionRange: rangeOf(selectionRange),
    children: depth >= deepest ? [] : children.flatMap((child) => documentSymbolOf(child, depth + 1) ?? [])
  }
}

/** Undefined if it is in no file of the session. Some extensions show a function with `()` behind its name. */
export const workspaceSymbolOf = (symbol: Flat, { has, withoutLinks }: SessionFiles): WorkspaceSymbol | undefined => {
  const { containerName, kind, name } = symbol
  const found = locationOf(symbol.location)
  if (found?.path === undefined) return undefined
  const path = withoutLinks(found.path)
  if (!has(path)) return undefined
  return {
    name: name.endsWith("()") ? name.slice(0, -2) : name,
    kind: kindOf(kind),
    ...(containerName && { containerName }),
    isDeprecated: isDeprecated(symbol),
    location: { ...found, path, uri: FileUri.of(path) }
  }
}
