/** Finds definitions, declarations, implementations and uses. */
import type { Position } from "@signalbox/acp/Positions"
import * as Effect from "effect/Effect"
import type { LanguageServerError } from "../LanguageServerError.ts"
import * as Place from "./Place.ts"
import type { Asking } from "./Session.ts"

type Find = (path: string, position: Position) => Effect.Effect<ReadonlyArray<Place.Location>, LanguageServerError>

export interface Navigation {
  readonly definition: Find
  readonly declaration: Find
  readonly typeDefinition: Find
  readonly implementation: Find
  /** With the declaration, unless `includeDeclaration` is false. */
  readonly references: (
    path: string,
    position: Position,
    options?: { readonly includeDeclaration?: boolean }
  ) => Effect.Effect<ReadonlyArray<Place.Location>, LanguageServerError>
}

export const make = (asking: Asking): Navigation => {
  const find = (method: string, path: string, position: Position, more?: object) =>
    asking((session) =>
      Effect.gen(function* () {
        const document = yield* session.send(path)
        const params = { textDocument: { uri: document.uri }, position, ...more }
        return yield* Place.list(session, method, yield* session.ask(method, params, document))
      })
    )
  return {
    definition: (path, position) => find("textDocument/definition", path, position),
    declaration: (path, position) => find("textDocument/declaration", path, position),
    typeDefinition: (path, position) => find("textDocument/typeDefinition", path, position),
    implementation: (path, position) => find("textDocument/implementation", path, position),
    references: (path, position, { includeDeclaration = true } = {}) =>
      find("textDocument/references", path, position, { context: { includeDeclaration } })
  }
}
