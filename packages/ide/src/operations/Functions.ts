/** The functions of Dialect: what a program can ask of an IDE, of the files of its session, and of their history. */
import type { FileRange, SymbolDef, SymbolRef } from "@signalbox/contracts/IdeOperation"
import * as Effect from "effect/Effect"
import { pathToFileURL } from "node:url"
import { type DialectFunction, FunctionFailure } from "../dialect/DialectFunction.ts"
import type { Value } from "../dialect/Expression.ts"
import type { SessionFolder } from "../files/SessionFolder.ts"
import * as TextSearch from "../files/TextSearch.ts"
import type { Ide } from "../Ide.ts"
import * as Catalogue from "./Catalogue.ts"
import * as Changes from "./Changes.ts"
import * as LspText from "./LspText.ts"
import * as SourceLines from "./SourceLines.ts"
import * as SymbolArguments from "./SymbolArguments.ts"

const failed = Effect.mapError(
  ({ message }: { readonly message: string }) => new FunctionFailure({ reason: "failed", message })
)

const wrong = (message: string) => Effect.fail(new FunctionFailure({ reason: "arguments", message }))

const shown = (value: Value): string => (JSON.stringify(value) ?? "undefined").slice(0, 60)

const text = (name: string, value: Value): Effect.Effect<string, FunctionFailure> =>
  typeof value === "string" ? Effect.succeed(value) : wrong(`${name} is a text, and not ${shown(value)}.`)

/** A text that may be left out. */
const textOrNone = (name: string, value: Value): Effect.Effect<string | undefined, FunctionFailure> =>
  value === undefined || value === null ? Effect.undefined : text(name, value)

const number = (name: string, value: Value): Effect.Effect<number, FunctionFailure> =>
  typeof value === "number" ? Effect.succeed(value) : wrong(`${name} is a number, and not ${shown(value)}.`)

const isTrue = (name: string, value: Value): Effect.Effect<boolean, FunctionFailure> =>
  typeof value === "boolean" || value === undefined || value === null
    ? Effect.succeed(value === true)
    : wrong(`${name} is true or false, and not ${shown(value)}.`)

/** JSON has no members that are undefined, and values of the language neither. */
const plain = (range: FileRange): Value => ({ ...range, start: { ...range.start }, end: { ...range.end } })

const plainSymbol = ({ container, definedAt, kind, name }: SymbolDef): { readonly [key: string]: Value } => ({
  name,
  ...(kind !== undefined && { kind }),
  ...(container !== undefined && { container }),
  definedAt: plain(definedAt)
})

const plainReference = (reference: SymbolRef): Value => ({
  ...plainSymbol(reference),
  referencedAt: plain(reference.referencedAt)
})

/** One of each. */
const distinct = <A>(all: ReadonlyArray<A>, keyOf: (one: A) => unknown): ReadonlyArray<A> => [
  ...new Map(all.map((one) => [JSON.stringify(keyOf(one)), one])).values()
]

/** What each function does in a session. */
export const make = (ide: Ide, folder: SessionFolder): ReadonlyArray<DialectFunction> => {
  const definitions = Effect.fnUntraced(function* ([symbols]: ReadonlyArray<Value>) {
    const named = yield* SymbolArguments.named(symbols)
    const found = yield* Effect.forEach(named, (one) =>
      typeof one === "string" ? Effect.mapError(ide.resolveSymbol(one), SymbolArguments.failed) : Effect.succeed([one])
    )
    const all = distinct(found.flat(), ({ definedAt: { path, start }, name }) => [name, path, start])
    const places = yield* failed(
      SourceLines.added(
        folder,
        all.map(({ definedAt }) => definedAt)
      )
    )
    return all.map((symbol, index) => plainSymbol({ ...symbol, definedAt: places[index] ?? symbol.definedAt }))
  })

  const references = Effect.fnUntraced(function* ([symbols]: ReadonlyArray<Value>) {
    const named = yield* SymbolArguments.named(symbols)
    const found = yield* Effect.forEach(named, (name) =>
      Effect.flatMap(SymbolArguments.one(ide, name), (symbol) =>
        Effect.mapError(ide.references(symbol), SymbolArguments.failed)
      )
    )
    const all = distinct(found.flat(), ({ name, referencedAt: { path, start } }) => [name, path, start])
    const places = yield* failed(
      SourceLines.added(
        folder,
        all.map(({ referencedAt }) => referencedAt)
      )
    )
    return all.map((one, index) => plainReference({ ...one, referencedAt: places[index] ?? one.referencedAt }))
  })

  const infoOf = Effect.fnUntraced(function* (symbol: SymbolDef) {
    const { path, start } = symbol.definedAt
    const uri = pathToFileURL(path.startsWith("/") ? path : `${folder.roots[0]}/${path}`).href
    const position = { line: start.line - 1, character: start.column - 1 }
    const hover = yield* ide.lsp("textDocument/hover", { textDocument: { uri }, position })
    return { ...plainSymbol(symbol), info: LspText.ofHover(hover) }
  })

  const info = Effect.fnUntraced(function* ([symbols]: ReadonlyArray<Value>) {
    const named = yield* SymbolArguments.named(symbols)
    return yield* Effect.forEach(named, (name) =>
      Effect.flatMap(SymbolArguments.one(ide, name), (symbol) =>
        Effect.mapError(infoOf(symbol), SymbolArguments.failed)
      )
    )
  })

  const search = Effect.fnUntraced(function* (path: Value, regex: Value, extension: Value) {
    const where = { path: yield* textOrNone("path", path), extension: yield* textOrNone("extension", extension) }
    const { matches, ...rest } = yield* failed(
      TextSearch.search(folder, yield* text("the regular expression", regex), where)
    )
    return { matches: matches.map(plain), ...rest }
  })

  const runs: { readonly [name in Catalogue.Name]: DialectFunction["run"] } = {
    findDefinitions: definitions,
    findDefinition: definitions,
    findReferences: references,
    getSymbolInfo: info,
    search: ([path, regex, extension]) => search(path, regex, extension),
    searchFiles: ([pattern, path]) => search(path, pattern, undefined),
    findFiles: Effect.fnUntraced(function* ([pattern, path]) {
      const name = yield* text("namePattern", pattern)
      return yield* failed(TextSearch.findFiles(folder, name, yield* textOrNone("path", path)))
    }),
    lines: Effect.fnUntraced(function* ([path, start, end]) {
      const [first, last] = [yield* number("start", start), yield* number("end", end)]
      return plain(yield* failed(SourceLines.between(folder, yield* text("path", path), first, last)))
    }),
    gitdiff: Effect.fnUntraced(function* ([range, excludeUnstaged, excludeStaged]) {
      const without = {
        unstaged: yield* isTrue("excludeUnstaged", excludeUnstaged),
        staged: yield* isTrue("excludeStaged", excludeStaged)
      }
      return yield* failed(Changes.of(folder.cwd, yield* text("range", range), without))
    }),
    diagnostics: Effect.fnUntraced(function* ([path]) {
      const given = yield* textOrNone("path", path)
      const uri = given === undefined ? undefined : pathToFileURL(yield* failed(folder.follow(given))).href
      const found = yield* Effect.mapError(ide.diagnostics(uri), SymbolArguments.failed)
      return found.map(({ at, ...rest }): Value => ({ ...rest, at: plain(at) }))
    }),
    selection: () =>
      Effect.map(Effect.mapError(ide.selection, SymbolArguments.failed), (range) =>
        range === undefined ? null : plain(range)
      )
  }
  return Catalogue.names.map((name) => ({ ...Catalogue.entryOf(name), run: runs[name] }))
}
