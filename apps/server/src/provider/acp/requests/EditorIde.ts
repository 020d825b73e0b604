/**
 * Questions about code, answered by the editor that has the thread open. Whether there is one is known to the agent from its start on: its
 * chain has an adapter otherwise. So an editor that comes later is not asked, and one that leaves is missed.
 */
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { ThreadId } from "@signalbox/contracts/Ids"
import { isWithin } from "@signalbox/contracts/Paths"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { relative, resolve } from "node:path"
import type { EditorDesk, EditorLeft, EditorRefused } from "../../../editors/EditorDesk.ts"
import * as EditorPath from "../../../editors/EditorPath.ts"
import type { Grant } from "../../../workspace/ProtectedPaths.ts"
import * as TextFiles from "../../../workspace/TextFiles.ts"
import type { AccessGuard } from "./AccessGuard.ts"
import * as EditorQuestion from "./EditorQuestion.ts"
import { rpcErrorOf } from "./FileRequests.ts"
import type * as RefusedAccess from "./RefusedAccess.ts"

export interface Options {
  readonly desk: EditorDesk
  readonly threadId: ThreadId
  readonly grant: Grant
  /** Files are asked about as they are read: what rules deny is refused, and what they ask about is put to people. */
  readonly guard: Pick<AccessGuard, "question">
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

/** Undefined: no editor of the thread answers questions about code now. */
export const make = ({ desk, folders, grant, guard, refused, threadId }: Options): Answer | undefined => {
  const editorNow = () => desk.offering(threadId, "ideOperations")
  const first = editorNow()
  if (first === undefined) return undefined

  /** The parameters by which the editor is asked about a file that may be read. */
  const admitted = Effect.fnUntraced(function* ({ named, path }: EditorQuestion.Subject) {
    const given = resolve(folders[0], path)
    const real = yield* guard.question(given).pipe(
      Effect.flatMap((real) => TextFiles.admit({ ...grant, real }, given)),
      Effect.tapError((error) => Effect.sync(() => refused("read a file", error))),
      Effect.mapError(rpcErrorOf)
    )
    const name = yield* EditorPath.of(folders, real)
    return named(name, isWithin(folders[0], name) ? relative(folders[0], name) : name)
  })

  const ask = Effect.fnUntraced(function* (method: EditorQuestion.Method, given: unknown) {
    const params = yield* EditorQuestion.read(given)
    if (JSON.stringify(params).length > mostAsked)
      return yield* RpcError.invalidParams(
        `A question about code has at most ${mostAsked} characters. Ask a shorter one.`
      )
    const { check, subjectOf } = EditorQuestion.kinds[method]
    const subject = yield* subjectOf(params)
    const file = subject === undefined ? {} : yield* admitted(subject)
    const editor = editorNow()
    if (editor === undefined) return yield* left(first.name)
    const answer = yield* editor
      .ask(method, Struct.assign(params, Struct.assign(file, { sessionId: threadId })), { folders })
      .pipe(
        Effect.mapError((error) => failed(editor.name, error)),
        Effect.timeoutOrElse({
          duration: answeredWithin,
          orElse: () =>
            RpcError.internal(
              `${editor.name} did not answer ${method} within ${answeredWithin}. Ask again in a moment.`
            )
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
  return (method, params) => (EditorQuestion.isMethod(method) ? ask(method, params) : undefined)
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
