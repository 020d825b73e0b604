/** Questions about code as agents ask them: the file that each is about, and the shape of its answer. */
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as IdeOperation from "@signalbox/contracts/IdeOperation"
import * as FileUri from "@signalbox/lsp/FileUri"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { JsonObject } from "effect/Schema"
import * as Struct from "effect/Struct"

/** The file of a question. */
export interface Subject {
  /** Absolute, or from the session's folder on. */
  readonly path: string
  /** The parameters that name the file, with another absolute name of it. */
  readonly named: (name: string, nameInFolder: string) => JsonObject
}

export interface Kind {
  /** Undefined if it is about no certain file. Fails if the request has a wrong shape. */
  readonly subjectOf: (params: JsonObject) => Effect.Effect<Subject | undefined, RpcError>
  readonly check: (answer: unknown) => Effect.Effect<unknown, { readonly message: string }>
}

const wrong = Effect.mapError(({ message }: { readonly message: string }) => RpcError.invalidParams(message))

const decodeObject = Schema.decodeUnknownEffect(Schema.Record(Schema.String, Schema.Json))

/** The parameters of any question. */
export const read = (params: unknown): Effect.Effect<JsonObject, RpcError> => wrong(decodeObject(params))

const kind = <A, B>(
  asked: Schema.Codec<A, unknown>,
  answered: Schema.Codec<B, unknown>,
  subjectOf: (asked: A) => Effect.Effect<Subject | undefined, RpcError> = () => Effect.undefined
): Kind => {
  const decode = Schema.decodeUnknownEffect(asked)
  return {
    subjectOf: (params) => Effect.flatMap(wrong(decode(params)), subjectOf),
    check: Schema.decodeUnknownEffect(answered)
  }
}

/** Only what is read here is asked about: an editor may read other spellings in another way. */
const ofUri = (uri: string, named: (uri: string) => JsonObject): Effect.Effect<Subject, RpcError> => {
  const path = FileUri.pathOf(uri)
  if (path !== undefined) return Effect.succeed({ path, named: (name) => named(FileUri.of(name)) })
  const shown = JSON.stringify(uri.slice(0, 200))
  return Effect.fail(
    RpcError.invalidParams(`${shown} names no file of this machine. Ask about a file of the session's folders.`)
  )
}

const ofDocument = Effect.fnUntraced(function* (given: unknown) {
  const params = yield* read(given)
  const document = yield* read(params["textDocument"])
  const uri = yield* wrong(Schema.decodeUnknownEffect(Schema.String)(document["uri"]))
  return yield* ofUri(uri, (uri) => ({
    params: Struct.assign(params, { textDocument: Struct.assign(document, { uri }) })
  }))
})

const { methods } = IdeOperation

export const kinds: { readonly [method in (typeof methods)[keyof typeof methods]]: Kind } = {
  [methods.resolveSymbol]: kind(IdeOperation.ResolveSymbolParams, IdeOperation.ResolveSymbolResult),
  [methods.references]: kind(IdeOperation.ReferencesParams, IdeOperation.ReferencesResult, ({ symbol }) =>
    Effect.succeed({
      path: symbol.definedAt.path,
      named: (_, path) => ({ symbol: { ...symbol, definedAt: { ...symbol.definedAt, path } } })
    })
  ),
  [methods.lsp]: kind(IdeOperation.LspParams, Schema.Json, ({ method, params }) =>
    method === "workspace/symbol" ? Effect.undefined : ofDocument(params)
  ),
  [methods.diagnostics]: kind(IdeOperation.DiagnosticsParams, IdeOperation.DiagnosticsResult, ({ uri }) =>
    uri === undefined ? Effect.undefined : ofUri(uri, (uri) => ({ uri }))
  ),
  [methods.selection]: kind(IdeOperation.SelectionParams, IdeOperation.SelectionResult)
}

export type Method = keyof typeof kinds

export const isMethod = (method: string): method is Method => Object.hasOwn(kinds, method)
