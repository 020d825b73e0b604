/** An IDE on the side of the client, asked by requests of the primitive `ide_operations`. It may be the client, or an adapter before it. */
import type { Neighbour } from "@signalbox/acp/AcpProxy"
import { ErrorCode, type RpcError } from "@signalbox/acp/JsonRpc"
import * as IdeOperation from "@signalbox/contracts/IdeOperation"
import { type Ide, IdeFailure } from "@signalbox/ide/Ide"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const decodeSymbols = Schema.decodeUnknownEffect(IdeOperation.ResolveSymbolResult)
const decodeReferences = Schema.decodeUnknownEffect(IdeOperation.ReferencesResult)
const decodeDiagnostics = Schema.decodeUnknownEffect(IdeOperation.DiagnosticsResult)
const decodeSelection = Schema.decodeUnknownEffect(IdeOperation.SelectionResult)

/** Most characters of an answer's words. */
const mostWords = 4000

const inWords =
  (method: string) =>
  ({ code, message }: RpcError): IdeFailure =>
    new IdeFailure({
      message:
        code === ErrorCode.MethodNotFound
          ? `The client does not know ${method}, and no language server stands in for it.`
          : message.slice(0, mostWords),
      // A refusal of the file stays one: to ask again would only ask people, or fill their log.
      ...(code === ErrorCode.InvalidParams && { isForGood: true })
    })

const unreadable = (method: string) => () =>
  new IdeFailure({ message: `The answer to ${method} can't be read. Report this to whoever made the client.` })

/** @param sessionId the session's id, once the agent has named it */
export const make = (client: Pick<Neighbour, "request">, sessionId: () => string | undefined): Ide => {
  const ask = (method: string, params: object): Effect.Effect<unknown, IdeFailure> =>
    Effect.suspend(() => {
      const id = sessionId()
      return id === undefined
        ? Effect.fail(new IdeFailure({ message: "The session is not open yet. Call again in a moment." }))
        : Effect.mapError(client.request(method, { sessionId: id, ...params }), inWords(method))
    })
  const { diagnostics, lsp, references, resolveSymbol, selection } = IdeOperation.methods
  return {
    resolveSymbol: (name) =>
      ask(resolveSymbol, { name }).pipe(
        Effect.flatMap((answer) => Effect.mapError(decodeSymbols(answer), unreadable(resolveSymbol))),
        Effect.map(({ symbols }) => symbols)
      ),
    references: (symbol) =>
      ask(references, { symbol }).pipe(
        Effect.flatMap((answer) => Effect.mapError(decodeReferences(answer), unreadable(references))),
        Effect.map((found) => found.references)
      ),
    lsp: (method, params) => ask(lsp, { method, params }),
    diagnostics: (uri) =>
      ask(diagnostics, uri === undefined ? {} : { uri }).pipe(
        Effect.flatMap((answer) => Effect.mapError(decodeDiagnostics(answer), unreadable(diagnostics))),
        Effect.map((found) => found.diagnostics)
      ),
    selection: ask(selection, {}).pipe(
      Effect.flatMap((answer) => Effect.mapError(decodeSelection(answer), unreadable(selection))),
      Effect.map((found) => found.selection ?? undefined)
    )
  }
}
