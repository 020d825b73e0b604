/** Answers of the direct tools: what the Language Server Protocol has in several shapes, in one shape for models. */
import { Range } from "@signalbox/acp/Positions"
import * as IdeOperation from "@signalbox/contracts/IdeOperation"
import type { SessionFolder } from "@signalbox/ide/files/SessionFolder"
import { type Ide, IdeFailure } from "@signalbox/ide/Ide"
import * as LspText from "@signalbox/ide/operations/LspText"
import * as SourceLines from "@signalbox/ide/operations/SourceLines"
import * as FileUri from "@signalbox/lsp/FileUri"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as ProposedEdits from "./ProposedEdits.ts"

/** A place as the direct tools name it: both count from 0. */
export interface At {
  readonly file_path: string
  readonly line: number
  readonly character: number
}

type Answer = Effect.Effect<Schema.Json, IdeFailure>

const readLocation = Schema.decodeUnknownOption(Schema.Struct({ uri: Schema.String, range: Range }))
const readLink = Schema.decodeUnknownOption(Schema.Struct({ targetUri: Schema.String, targetSelectionRange: Range }))

/** Most places and symbols that are returned. */
const most = 500
const mostProposals = 100

const severities = ["error", "warning", "information", "hint"]

interface Place {
  readonly uri: string
  readonly range: Range
}

const listOf = (answer: unknown): ReadonlyArray<unknown> =>
  Array.isArray(answer) ? answer : answer === null || answer === undefined ? [] : [answer]

const placesIn = (answer: unknown): ReadonlyArray<Place> =>
  listOf(answer).flatMap((one): ReadonlyArray<Place> => {
    const location = readLocation(one)
    if (Option.isSome(location)) return [location.value]
    const link = readLink(one)
    return Option.isSome(link) ? [{ uri: link.value.targetUri, range: link.value.targetSelectionRange }] : []
  })

const plainRange = ({ end, start }: Range) => ({
  start: { line: start.line, character: start.character },
  end: { line: end.line, character: end.character }
})

const pathIn = (uri: string): string => FileUri.pathOf(uri) ?? uri

const kindIn = (value: object): { readonly kind?: string } => {
  const word = "kind" in value && typeof value.kind === "number" ? IdeOperation.symbolKinds[value.kind - 1] : undefined
  return word === undefined ? {} : { kind: word }
}

const readRange = Schema.decodeUnknownOption(Range)

export const make = (ide: Ide, folder: SessionFolder) => {
  const uriOf = (path: string) =>
    Effect.mapBoth(folder.follow(path), {
      onSuccess: FileUri.of,
      onFailure: ({ message }) => new IdeFailure({ message })
    })

  const at = (method: IdeOperation.LspMethod, { character, file_path, line }: At, more: object = {}) =>
    Effect.flatMap(uriOf(file_path), (uri) =>
      ide.lsp(method, { textDocument: { uri }, position: { line, character }, ...more })
    )

  /** Each with the text of its line. */
  const shown = Effect.fnUntraced(function* (answer: unknown) {
    const places = placesIn(answer)
    const ranges = places.slice(0, most).map(({ range: { end, start }, uri }) => ({
      path: folder.nameOf(pathIn(uri)),
      start: { line: start.line + 1, column: start.character + 1 },
      end: { line: end.line + 1, column: end.character + 1 }
    }))
    const withLines = yield* SourceLines.added(folder, ranges).pipe(
      Effect.mapError(({ message }) => new IdeFailure({ message }))
    )
    return {
      places: withLines.map(({ content, path }, index) => ({
        file_path: path,
        range: plainRange(places[index]?.range ?? { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }),
        ...(content !== undefined && { text: content })
      })),
      isCut: places.length > most
    }
  })

  const symbolsIn = (answer: unknown, outer?: string): ReadonlyArray<{ readonly [name: string]: Schema.Json }> =>
    listOf(answer).flatMap((one) => {
      if (!Predicate.isObject(one) || !("name" in one) || typeof one.name !== "string") return []
      const [location] = "location" in one ? placesIn(one.location) : []
      const range = "selectionRange" in one ? Option.getOrUndefined(readRange(one.selectionRange)) : location?.range
      const container = "containerName" in one && typeof one.containerName === "string" ? one.containerName : outer
      const symbol = {
        name: one.name,
        ...kindIn(one),
        ...(container !== undefined && container !== "" && { container }),
        ...(location !== undefined && { file_path: folder.nameOf(pathIn(location.uri)) }),
        ...(range !== undefined && { range: plainRange(range) })
      }
      return [symbol, ...("children" in one ? symbolsIn(one.children, one.name) : [])]
    })

  const symbols = ({
    file_path,
    query
  }: {
    readonly file_path?: string | undefined
    readonly query?: string | undefined
  }) => {
    if (file_path === undefined && query === undefined)
      return Effect.fail(new IdeFailure({ message: "Give file_path, or query for the whole project." }))
    const answer =
      file_path === undefined
        ? ide.lsp("workspace/symbol", { query })
        : Effect.flatMap(uriOf(file_path), (uri) => ide.lsp("textDocument/documentSymbol", { textDocument: { uri } }))
    return Effect.map(answer, (found) => {
      const all = symbolsIn(found)
      const named =
        file_path === undefined || query === undefined
          ? all
          : all.filter(({ name }) => typeof name === "string" && name.includes(query))
      return { symbols: named.slice(0, most), isCut: named.length > most }
    })
  }

  /** Names and kinds, as far as they are texts. */
  const textIn = (value: object, key: string): { readonly [name: string]: string } => {
    const found: unknown = Reflect.get(value, key)
    return typeof found === "string" ? { [key]: found.slice(0, 1000) } : {}
  }

  const proposalsIn = (answer: unknown): Schema.Json => {
    const all = listOf(Predicate.isObject(answer) && "items" in answer ? answer.items : answer).filter(
      Predicate.isObject
    )
    const proposals = all.slice(0, mostProposals).map((one) => ({
      ...textIn(one, "label"),
      ...textIn(one, "detail"),
      ...textIn(one, "insertText")
    }))
    return { proposals, isCut: all.length > mostProposals }
  }

  const actionOf = Effect.fnUntraced(function* (action: object) {
    const edit = yield* ProposedEdits.ofWorkspace(folder, "edit" in action ? action.edit : undefined)
    return { ...textIn(action, "title"), ...textIn(action, "kind"), ...edit }
  })

  /** Fixes and refactorings at a place, with the findings that are known there. */
  const actions = Effect.fnUntraced(function* ({ character, file_path, line }: At) {
    const uri = yield* uriOf(file_path)
    const found = yield* Effect.orElseSucceed(ide.diagnostics(uri), (): ReadonlyArray<IdeOperation.Finding> => [])
    const diagnostics = found.flatMap(({ at: { end, start }, code, message, severity, source }) => {
      const range = {
        start: { line: start.line - 1, character: start.column - 1 },
        end: { line: end.line - 1, character: end.column - 1 }
      }
      if (line < range.start.line || line > range.end.line) return []
      return [
        {
          range,
          message,
          severity: severities.indexOf(severity) + 1,
          ...(code !== undefined && { code }),
          ...(source !== undefined && { source })
        }
      ]
    })
    const position = { line, character }
    const range = diagnostics[0]?.range ?? { start: position, end: position }
    const answer = yield* ide.lsp("textDocument/codeAction", { textDocument: { uri }, range, context: { diagnostics } })
    return yield* Effect.forEach(listOf(answer).filter(Predicate.isObject).slice(0, mostProposals), actionOf)
  })

  return {
    completion: (place: At): Answer => Effect.map(at("textDocument/completion", place), proposalsIn),
    actions: (place: At): Answer => actions(place),
    rename: (place: At & { readonly new_name: string }): Answer =>
      Effect.flatMap(at("textDocument/rename", place, { newName: place.new_name }), (answer) =>
        ProposedEdits.ofWorkspace(folder, answer)
      ),
    format: (path: string): Answer =>
      Effect.flatMap(uriOf(path), (uri) =>
        Effect.flatMap(
          ide.lsp("textDocument/formatting", { textDocument: { uri }, options: { tabSize: 2, insertSpaces: true } }),
          (answer) => ProposedEdits.ofFile(folder, uri, answer)
        )
      ),
    hover: (place: At): Answer => Effect.map(at("textDocument/hover", place), LspText.ofHover),
    definition: (place: At): Answer => Effect.flatMap(at("textDocument/definition", place), shown),
    references: (place: At): Answer =>
      Effect.flatMap(at("textDocument/references", place, { context: { includeDeclaration: true } }), shown),
    symbols: (asked: Parameters<typeof symbols>[0]): Answer => symbols(asked),
    diagnostics: (path: string | undefined): Answer =>
      Effect.gen(function* () {
        const found = yield* ide.diagnostics(path === undefined ? undefined : yield* uriOf(path))
        return found.slice(0, most).map(({ at: { end, path: file_path, start }, code, message, severity, source }) => ({
          severity,
          message,
          file_path,
          range: {
            start: { line: start.line - 1, character: start.column - 1 },
            end: { line: end.line - 1, character: end.column - 1 }
          },
          ...(code !== undefined && { code }),
          ...(source !== undefined && { source })
        }))
      })
  }
}
