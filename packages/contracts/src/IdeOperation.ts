/**
 * Questions about code that a client with `ide_operations` answers: who has that key in `_meta.symposium` of its capabilities gets them as
 * requests of these names. A chain answers them by language servers where the client can't.
 */
import * as Schema from "effect/Schema"

/** The key in `_meta.symposium` of the client's capabilities. */
export const capability = "ide_operations"

/** The names of the requests. Each has the `sessionId` of the session that asks. */
export const methods = {
  resolveSymbol: "_ide/resolve_symbol",
  references: "_ide/references",
  lsp: "_ide/lsp",
  diagnostics: "_ide/diagnostics",
  selection: "_ide/selection"
} as const

const Counted = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 31 }))

/** A place in a text. Both count from 1, columns in UTF-16. */
export const FileLocation = Schema.Struct({ line: Counted, column: Counted })
export type FileLocation = typeof FileLocation.Type

/** A part of a file. Its end is the first place behind it. */
export const FileRange = Schema.Struct({
  /** From the session's folder on, with `/`. Absolute where the file is elsewhere, such as a library. */
  path: Schema.String,
  start: FileLocation,
  end: FileLocation,
  /** The text there, or its line. */
  content: Schema.optionalKey(Schema.String)
})
export type FileRange = typeof FileRange.Type

const symbol = {
  name: Schema.String,
  /** In words: `class`, `function`, `variable`. */
  kind: Schema.optionalKey(Schema.String),
  /** The name of what it belongs to. */
  container: Schema.optionalKey(Schema.String),
  /** The place of its name in its definition. */
  definedAt: FileRange
}

export const SymbolDef = Schema.Struct(symbol)
export type SymbolDef = typeof SymbolDef.Type

/** A use of a symbol, also that in its definition. */
export const SymbolRef = Schema.Struct({ ...symbol, referencedAt: FileRange })
export type SymbolRef = typeof SymbolRef.Type

/** Kinds of symbols in words; the Language Server Protocol numbers them in this order, from 1. */
export const symbolKinds: ReadonlyArray<string> =
  "file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null enumMember struct event operator typeParameter".split(
    " "
  )

const sessionId = Schema.String

/** Asks for the definitions of a name. `Outer.name` asks for what belongs to `Outer`. */
export const ResolveSymbolParams = Schema.Struct({ sessionId, name: Schema.String })
export const ResolveSymbolResult = Schema.Struct({ symbols: Schema.Array(SymbolDef) })

export const ReferencesParams = Schema.Struct({ sessionId, symbol: SymbolDef })
export const ReferencesResult = Schema.Struct({ references: Schema.Array(SymbolRef) })

/** Methods of the Language Server Protocol that change nothing. Their results have its shapes, with positions in UTF-16. */
export const LspMethod = Schema.Literals([
  "textDocument/hover",
  "textDocument/definition",
  "textDocument/references",
  "textDocument/completion",
  "textDocument/documentSymbol",
  "textDocument/formatting",
  "textDocument/codeAction",
  "textDocument/rename",
  "workspace/symbol"
])
export type LspMethod = typeof LspMethod.Type

export const LspParams = Schema.Struct({ sessionId, method: LspMethod, params: Schema.Unknown })

/** A finding of a compiler or a linter about a place of a file. */
export const Finding = Schema.Struct({
  severity: Schema.Literals(["error", "warning", "information", "hint"]),
  message: Schema.String,
  at: FileRange,
  code: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite])),
  /** The tool that says so. */
  source: Schema.optionalKey(Schema.String)
})
export type Finding = typeof Finding.Type

/** Without a uri: all that is known of the session's folder. */
export const DiagnosticsParams = Schema.Struct({ sessionId, uri: Schema.optionalKey(Schema.String) })
export const DiagnosticsResult = Schema.Struct({ diagnostics: Schema.Array(Finding) })

/** What the user has selected in an editor. Its content is the selected text. */
export const SelectionParams = Schema.Struct({ sessionId })
export const SelectionResult = Schema.Struct({ selection: Schema.NullOr(FileRange) })
