/** VS Code in the place of a language server: the same questions, answered by what its extensions know. */
import { Position, Range } from "@signalbox/acp/Positions"
import type { CodeServer } from "@signalbox/ide/servers/CodeServer"
import { LanguageServerError } from "@signalbox/lsp/LanguageServerError"
import type { Location } from "@signalbox/lsp/features/Place"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as vscode from "vscode"
import { completionOf } from "./CompletionShape.ts"
import { codeActionOf, textEditOf, workspaceEditOf } from "./EditShapes.ts"
import type { SessionFiles } from "./FileNames.ts"
import { hoverOf } from "./HoverShape.ts"
import type { LanguageStart } from "./LanguageStart.ts"
import { locationOf } from "./Places.ts"
import { positionOf, type Providers, rangeOf } from "./Providers.ts"
import { documentSymbolOf, workspaceSymbolOf } from "./SymbolShapes.ts"

/** Most places, and most symbols at the top of a file or of a window. */
const mostPlaces = 5000
const mostSymbols = 2000
/** Most actions, and most of them whose changes are asked for. */
const mostActions = 100
const mostEdits = 20

const At = Schema.Struct({ position: Position })
const Rename = Schema.Struct({ position: Position, newName: Schema.String })
const Within = Schema.Struct({ range: Range })
const Formatting = Schema.Struct({
  options: Schema.Struct({ tabSize: Schema.Finite, insertSpaces: Schema.Boolean })
})

const placesOf = (found: ReadonlyArray<vscode.Location | vscode.LocationLink> | undefined) =>
  (found ?? []).slice(0, mostPlaces).flatMap((one) => locationOf(one) ?? [])

const keyOf = ({ range: { start }, uri }: Location): string => JSON.stringify([uri, start])

/** @param outlined languages in which VS Code has symbols of files: others may still start, or have no extension */
export const make = (
  { ask, document, symbols }: Providers,
  { outlined }: Pick<LanguageStart, "outlined">,
  session: SessionFiles
): CodeServer => {
  const definition: CodeServer["definition"] = (path, position) =>
    Effect.flatMap(document(path), (one) => Effect.map(ask("Definition", one, positionOf(position)), placesOf))

  const decoded = <A>(schema: Schema.Codec<A, unknown>, method: string, params: unknown) =>
    Effect.mapError(
      Schema.decodeUnknownEffect(schema)(params),
      ({ message }) =>
        new LanguageServerError({ reason: "Refused", message: `These are no parameters of ${method}: ${message}` })
    )

  const answer = Effect.fnUntraced(function* (method: string, params: unknown, one: vscode.TextDocument) {
    switch (method) {
      case "textDocument/completion": {
        const { position } = yield* decoded(At, method, params)
        const found = yield* ask("CompletionItem", one, positionOf(position))
        return found === undefined ? null : completionOf(found)
      }
      case "textDocument/formatting": {
        const { options } = yield* decoded(Formatting, method, params)
        return ((yield* ask("FormatDocument", one, options)) ?? []).map(textEditOf)
      }
      case "textDocument/rename": {
        const { newName, position } = yield* decoded(Rename, method, params)
        const edit = yield* ask("DocumentRename", one, positionOf(position), newName)
        return edit === undefined ? null : workspaceEditOf(edit)
      }
      case "textDocument/codeAction": {
        const { range } = yield* decoded(Within, method, params)
        const found = (yield* ask("CodeAction", one, rangeOf(range), undefined, mostEdits)) ?? []
        return found.slice(0, mostActions).map(codeActionOf)
      }
    }
    return yield* new LanguageServerError({ reason: "Unsupported", message: `VS Code is not asked by ${method}.` })
  })

  return {
    hover: (path, position) =>
      Effect.flatMap(document(path), (one) =>
        Effect.map(ask("Hover", one, positionOf(position)), (found) => hoverOf(found ?? []))
      ),
    definition,
    references: Effect.fnUntraced(function* (path, position, { includeDeclaration = true } = {}) {
      const found = placesOf(yield* ask("Reference", yield* document(path), positionOf(position)))
      if (includeDeclaration) return found
      const defined = new Set((yield* definition(path, position)).map(keyOf))
      return found.filter((one) => !defined.has(keyOf(one)))
    }),
    documentSymbols: Effect.fnUntraced(function* (path) {
      const one = yield* document(path)
      const found = yield* ask("DocumentSymbol", one)
      if (found !== undefined && found.length > 0) {
        outlined.add(one.languageId)
        return found.slice(0, mostSymbols).flatMap((symbol) => documentSymbolOf(symbol) ?? [])
      }
      if (outlined.has(one.languageId)) return []
      return yield* new LanguageServerError({
        reason: "NotReady",
        message: `VS Code knows no symbols in ${path}. An extension for ${one.languageId} may still start, or be missing. Ask again in a moment, or install one.`
      })
    }),
    workspaceSymbols: (query) =>
      Effect.map(symbols(query), (found) =>
        found.flatMap((symbol) => workspaceSymbolOf(symbol, session) ?? []).slice(0, mostSymbols)
      ),
    request: ({ method, params, path = "" }) => Effect.flatMap(document(path), (one) => answer(method, params, one))
  }
}
