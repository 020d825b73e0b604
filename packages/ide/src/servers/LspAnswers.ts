/** Answers questions in the shapes of the Language Server Protocol, by the servers of the file. */
import type * as Lenient from "@signalbox/acp/Lenient"
import { Position } from "@signalbox/acp/Positions"
import { type LspMethod, symbolKinds } from "@signalbox/contracts/IdeOperation"
import type { Location } from "@signalbox/lsp/features/Place"
import type { DocumentSymbol } from "@signalbox/lsp/features/Symbols"
import * as FileUri from "@signalbox/lsp/FileUri"
import type { LanguageServerError } from "@signalbox/lsp/LanguageServerError"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { IdeFailure } from "../Ide.ts"
import type { CodeServer } from "./CodeServer.ts"

const Document = Schema.Struct({ textDocument: Schema.Struct({ uri: Schema.String }) })
const At = Schema.Struct({ ...Document.fields, position: Position })
const References = Schema.Struct({
  ...At.fields,
  context: Schema.optionalKey(Schema.Struct({ includeDeclaration: Schema.optionalKey(Schema.Boolean) }))
})
const Query = Schema.Struct({ query: Schema.String })

/** What an answer needs of the session. */
export interface Asked {
  /** The absolute path of a uri. Fails if it is outside of the session's folders. */
  readonly pathOf: (uri: string) => Effect.Effect<string, IdeFailure>
  /** Asks the servers of a file one after the other, and returns the first answer that says something: an empty list does not. */
  readonly first: <A>(
    path: string,
    ask: (server: CodeServer) => Effect.Effect<A, LanguageServerError>
  ) => Effect.Effect<A, IdeFailure>
  /** Asks all servers of the session's folder. */
  readonly all: <A>(
    ask: (server: CodeServer) => Effect.Effect<ReadonlyArray<A>, LanguageServerError>
  ) => Effect.Effect<ReadonlyArray<A>, IdeFailure>
}

const decoded = <A>(
  schema: Schema.Codec<A, unknown>,
  method: LspMethod,
  params: unknown
): Effect.Effect<A, IdeFailure> =>
  Schema.decodeUnknownEffect(schema)(params).pipe(
    Effect.mapError(({ message }) => new IdeFailure({ message: `These are no parameters of ${method}: ${message}` }))
  )

const places = (found: ReadonlyArray<Location>) => found.map(({ range, uri }) => ({ uri, range }))

const kindOf = (word: string): number => symbolKinds.indexOf(word) + 1

const symbolOf = ({ children, detail, kind, name, range, selectionRange }: DocumentSymbol): object => ({
  name,
  kind: kindOf(kind),
  ...(detail !== undefined && { detail }),
  range,
  selectionRange,
  ...(children.length > 0 && { children: children.map(symbolOf) })
})

/** The result of a method. */
export const of = Effect.fnUntraced(function* (
  { all, first, pathOf }: Asked,
  method: LspMethod,
  params: object
): Effect.fn.Return<unknown, IdeFailure> {
  const at = Effect.gen(function* () {
    const { position, textDocument } = yield* decoded(At, method, params)
    return { position, path: yield* pathOf(textDocument.uri) }
  })
  switch (method) {
    case "textDocument/hover": {
      const { path, position } = yield* at
      return (yield* first(path, (server) => server.hover(path, position))) ?? null
    }
    case "textDocument/definition": {
      const { path, position } = yield* at
      return places(yield* first(path, (server) => server.definition(path, position)))
    }
    case "textDocument/references": {
      const { context, position, textDocument } = yield* decoded(References, method, params)
      const path = yield* pathOf(textDocument.uri)
      return places(yield* first(path, (server) => server.references(path, position, { ...context })))
    }
    case "textDocument/documentSymbol": {
      const { textDocument } = yield* decoded(Document, method, params)
      const path = yield* pathOf(textDocument.uri)
      return (yield* first(path, (server) => server.documentSymbols(path))).map(symbolOf)
    }
    case "workspace/symbol": {
      const { query } = yield* decoded(Query, method, params)
      const found = yield* all((server) => server.workspaceSymbols(query))
      return found.map(({ containerName, kind, location, name }) => ({
        name,
        kind: kindOf(kind),
        ...(containerName !== undefined && { containerName }),
        location: { uri: location.path === undefined ? location.uri : FileUri.of(location.path), range: location.range }
      }))
    }
    case "textDocument/completion":
    case "textDocument/formatting":
    case "textDocument/codeAction":
    case "textDocument/rename": {
      const { textDocument } = yield* decoded(Document, method, params)
      const path = yield* pathOf(textDocument.uri)
      const asked = { method, params: { ...params, textDocument: { uri: FileUri.of(path) } }, path, reader: asItIs }
      return yield* first(path, (server) => server.request(asked))
    }
  }
})

/** Whoever asked looks at the answer. */
const asItIs: Lenient.Reader<unknown> = (value) => Result.succeed({ value, dropped: [] })
