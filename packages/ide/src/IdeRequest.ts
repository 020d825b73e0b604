/** Requests of `ide_operations`, as whoever has an IDE answers them. */
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as IdeOperation from "@signalbox/contracts/IdeOperation"
import * as Predicate from "effect/Predicate"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Ide, IdeFailure } from "./Ide.ts"

/** A request that was read. */
export interface IdeRequest {
  readonly sessionId: string
  readonly answer: (ide: Ide) => Effect.Effect<unknown, RpcError>
}

/** Fails with what is wrong with the parameters. */
export type Reader = (params: unknown) => Effect.Effect<IdeRequest, RpcError>

export type Method = (typeof methods)[keyof typeof methods]

const { methods } = IdeOperation

const reader = <A extends { readonly sessionId: string }>(
  schema: Schema.Codec<A, unknown>,
  answer: (ide: Ide, asked: A) => Effect.Effect<unknown, IdeFailure>
): Reader => {
  const decode = Schema.decodeUnknownEffect(schema)
  return (params) =>
    decode(params).pipe(
      Effect.mapError(({ message }) => RpcError.invalidParams(message)),
      Effect.map((asked) => ({
        sessionId: asked.sessionId,
        answer: (ide) => Effect.mapError(answer(ide, asked), ({ message }) => RpcError.internal(message))
      }))
    )
}

export const readers: { readonly [method in Method]: Reader } = {
  [methods.resolveSymbol]: reader(IdeOperation.ResolveSymbolParams, (ide, { name }) =>
    Effect.map(ide.resolveSymbol(name), (symbols) => ({ symbols }))
  ),
  [methods.references]: reader(IdeOperation.ReferencesParams, (ide, { symbol }) =>
    Effect.map(ide.references(symbol), (references) => ({ references }))
  ),
  [methods.lsp]: reader(IdeOperation.LspParams, (ide, { method, params }) =>
    ide.lsp(method, Predicate.isObject(params) && !Array.isArray(params) ? params : {})
  ),
  [methods.diagnostics]: reader(IdeOperation.DiagnosticsParams, (ide, { uri }) =>
    Effect.map(ide.diagnostics(uri), (diagnostics) => ({ diagnostics }))
  ),
  [methods.selection]: reader(IdeOperation.SelectionParams, (ide) =>
    Effect.map(ide.selection, (selection) => ({ selection: selection ?? null }))
  )
}
