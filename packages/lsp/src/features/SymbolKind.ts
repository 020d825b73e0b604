/** Kinds of symbols, in words instead of the protocol's numbers. */

const kinds = [
  "file",
  "module",
  "namespace",
  "package",
  "class",
  "method",
  "property",
  "field",
  "constructor",
  "enum",
  "interface",
  "function",
  "variable",
  "constant",
  "string",
  "number",
  "boolean",
  "array",
  "object",
  "key",
  "null",
  "enumMember",
  "struct",
  "event",
  "operator",
  "typeParameter"
] as const

export type SymbolKind = (typeof kinds)[number] | "other"

/** The word for a number of the protocol, which counts from 1. */
export const of = (kind: number): SymbolKind => kinds[kind - 1] ?? "other"
