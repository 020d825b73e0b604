/**
 * Questions about code, answered by the editor that has the thread open. Whether there is one is known to the agent from its start on: its
 * chain has an adapter otherwise. So an editor that comes later is not asked, and one that leaves is missed.
 */
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as IdeOperation from "@signalbox/contracts/IdeOperation"
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as FileUri from "@signalbox/lsp/FileUri"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { JsonObject } from "effect/Schema"
import * as Struct from "effect/Struct"
import { resolve } from "node:path"
import type { EditorDesk, EditorLeft, EditorRefused } from "../../../editors/EditorDesk.ts"
import * as ProtectedPaths from "../../../workspace/ProtectedPaths.ts"
import { rpcErrorOf } from "./FileRequests.ts"
import type * as RefusedAccess from "./RefusedAccess.ts"

export interface Options {
  readonly desk: EditorDesk
  readonly threadId: ThreadId
  readonly grant: ProtectedPaths.Grant
  /** The folders of the session, by the names that they were given; its own first. */
  readonly folders: readonly [string, ...ReadonlyArray<string>]
  readonly refused: RefusedAccess.Tell
}

/** Answers a question. Undefined: the request is none. */
export type Answer = (method: string, params: unknown) => Effect.Effect<Schema.Json, RpcError> | undefined

/** The time for an editor to answer. Its language servers may still start. */
const answeredWithin = "30 seconds"

/** Most characters of a question and of an answer, as JSON. */
const mostAsked = 1024 * 1024
const mostAnswered = 8 * 1024 * 1024

const Asked = Schema.Record(Schema.String, Schema.Json)
const decodeAsked = Schema.decodeUnknownEffect(Asked)

const wrong = Effect.mapError(({ message }: { readonly message: string }) => RpcError.invalidParams(message))

const About = Schema.Struct({ textDocument: Schema.Struct({ uri: Schema.String }) })

/** What is special about a request: the file that it is about, and the shape of its answer. */
interface Kind {
  /** A path or a uri. Undefined if it is about no certain file. Fails if the request has a wrong shape. */
  readonly fileOf: (params: unknown) => Effect.Effect<string | undefined, RpcError>
  readonly check: (answer: unknown) => Effect.Effect<unknown, { readonly message: string }>
}

const kind = <A, B>(
  asked: Schema.Codec<A, unknown>,
  answered: Schema.Codec<B, unknown>,
  fileOf: (asked: A) => Effect.Effect<string | undefined, RpcError> = () => Effect.undefined
): Kind => {
  const decode = Schema.decodeUnknownEffect(asked)
  return {
    fileOf: (params) => Effect.flatMap(wrong(decode(params)), fileOf),
    check: Schema.decodeUnknownEffect(answered)
  }
}

const { methods } = IdeOperation

const kinds: { readonly [method in (typeof methods)[keyof typeof methods]]: Kind } = {
  [methods.resolveSymbol]: kind(IdeOperation.ResolveSymbolParams, IdeOperation.ResolveSymbolResult),
  [methods.references]: kind(IdeOperation.ReferencesParams, IdeOperation.ReferencesResult, ({ symbol }) =>
    Effect.succeed(symbol.definedAt.path)
  ),
  [methods.lsp]: kind(IdeOperation.LspParams, Schema.Json, ({ method, params }) =>
    method === "workspace/symbol"
      ? Effect.undefined
      : Effect.map(wrong(Schema.decodeUnknownEffect(About)(params)), ({ textDocument }) => textDocument.uri)
  ),
  [methods.diagnostics]: kind(IdeOperation.DiagnosticsParams, IdeOperation.DiagnosticsResult, ({ uri }) =>
    Effect.succeed(uri)
  ),
  [methods.selection]: kind(IdeOperation.SelectionParams, IdeOperation.SelectionResult)
}

const isMethod = (method: string): method is keyof typeof kinds => Object.hasOwn(kinds, method)

/** Undefined: no editor of the thread answers questions about code now. */
export const make = ({ desk, folders, grant, refused, threadId }: Options): Answer | undefined => {
  const editorNow = () => desk.offering(threadId, "ideOperations")
  const first = editorNow()
  if (first === undefined) return undefined

  const admit = Effect.fnUntraced(function* (file: string) {
    const path = file.startsWith("file:") ? FileUri.pathOf(file) : file.includes("://") ? undefined : file
    if (path === undefined)
      return yield* RpcError.invalidParams(
        `${file.slice(0, 200)} names no file of this machine. Ask about a file of the session's folders.`
      )
    yield* ProtectedPaths.resolve(grant, resolve(folders[0], path), "read").pipe(
      Effect.tapError((error) => Effect.sync(() => refused("read a file", error))),
      Effect.mapError(rpcErrorOf)
    )
  })

  const ask = Effect.fnUntraced(function* (method: keyof typeof kinds, given: unknown) {
    const params: JsonObject = yield* wrong(decodeAsked(given))
    if (JSON.stringify(params).length > mostAsked)
      return yield* RpcError.invalidParams(
        `A question about code has at most ${mostAsked} characters. Ask a shorter one.`
      )
    const { check, fileOf } = kinds[method]
    const file = yield* fileOf(params)
    if (file !== undefined) yield* admit(file)
    const editor = editorNow()
    if (editor === undefined) return yield* left(first.name)
    const answer = yield* editor.ask(method, Struct.assign(params, { sessionId: threadId }), { folders }).pipe(
      Effect.mapError((error) => failed(editor.name, error)),
      Effect.timeoutOrElse({
        duration: answeredWithin,
        orElse: () =>
          RpcError.internal(`${editor.name} did not answer ${method} within ${answeredWithin}. Ask again in a moment.`)
      })
    )
    if (JSON.stringify(answer).length > mostAnswered)
      return yield* RpcError.internal(
        `The answer of ${editor.name} to ${method} has more than ${mostAnswered} characters. Ask about less at once.`
      )
    yield* Effect.mapError(check(answer), ({ message }) =>
      RpcError.internal(
        `The answer of ${editor.name} to ${method} can't be read: ${message.slice(0, 1000)}. Report this to whoever made the editor.`
      )
    )
    return answer
  })
  return (method, params) => (isMethod(method) ? ask(method, params) : undefined)
}

const left = (name: string): RpcError =>
  RpcError.internal(
    `${name} answered questions about code, and has closed this thread. Open the thread there again, or start the agent again: then language servers answer.`
  )

const failed = (name: string, error: EditorRefused | EditorLeft): RpcError => {
  if (error._tag === "EditorLeft") return left(name)
  const { code, data, message } = error
  return new RpcError({ code, message, ...(data !== undefined && { data }) })
}
