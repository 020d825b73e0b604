/** Reads and writes files by the editor that has the thread open, after all that Signalbox checks itself has passed. */
import { isRecord } from "@signalbox/contracts/Json"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { Editor } from "../../../editors/EditorDesk.ts"
import * as EditorPath from "../../../editors/EditorPath.ts"
import type { PathRefused } from "../../../workspace/Containment.ts"
import * as ProtectedPaths from "../../../workspace/ProtectedPaths.ts"
import type { Grant } from "../../../workspace/ProtectedPaths.ts"
import * as TextFiles from "../../../workspace/TextFiles.ts"
import * as Warnings from "../projection/Warnings.ts"
import * as EditorWrites from "./EditorWrites.ts"

type Ours<A> = Effect.Effect<A, PathRefused>

export interface EditorFiles extends EditorWrites.EditorWrites {
  /** The editor's text, which may not be on the disk. Without an editor that answers: what `ours` has read. */
  readonly read: (grant: Grant, path: string, excerpt: TextFiles.Excerpt, ours: Ours<string>) => Ours<string>
}

/** The time for an editor to answer a read. A silent one is not waited for until it has answered one. */
const readWithin = "5 seconds"

/** Closing the scope withdraws what editors have not written. */
export const make = Effect.fnUntraced(function* (
  options: EditorWrites.Options
): Effect.fn.Return<EditorFiles, never, Scope.Scope> {
  const { desk, emission, folders, threadId } = options
  const scope = yield* Effect.scope
  const writes = yield* EditorWrites.make(options)
  const silent = new WeakSet<Editor>()
  const warn = (message: string, detail?: string) =>
    emission.emit((projection) => Warnings.warn(projection, message, detail))

  /** Undefined: the editor has no text for it, or does not say it. */
  const textIn = Effect.fnUntraced(function* (
    editor: Editor,
    { limit, line }: TextFiles.Excerpt,
    real: string
  ): Effect.fn.Return<string | undefined> {
    const path = yield* EditorPath.of(folders, real)
    const lines = { ...(line !== undefined && { line }), ...(limit !== undefined && { limit }) }
    const asked = editor.ask("fs/read_text_file", { sessionId: threadId, path, ...lines }).pipe(
      Effect.catch(() => Effect.undefined),
      Effect.tap(() => Effect.sync(() => silent.delete(editor))),
      Effect.timeoutOption(readWithin)
    )
    if (silent.has(editor)) {
      yield* Effect.forkIn(asked, scope)
      return undefined
    }
    const answer = yield* asked
    if (Option.isNone(answer)) {
      if (!silent.has(editor))
        warn(
          `${editor.name} did not answer within ${readWithin} what is in ${real}. The agent got what is on the disk.`,
          "Text that is not saved is not known then. Reads do not wait for this editor again until it has answered one."
        )
      silent.add(editor)
      return undefined
    }
    const content = isRecord(answer.value) ? answer.value["content"] : undefined
    if (typeof content !== "string") return undefined
    if (Buffer.byteLength(content) <= TextFiles.mostBytes) return content
    warn(
      `${editor.name} has a text of ${real} that is too long. The agent got what is on the disk.`,
      `A read takes at most ${TextFiles.mostBytes / 1024 / 1024} MiB. Text that is not saved is not in it.`
    )
    return undefined
  })

  return {
    ...writes,
    read: Effect.fnUntraced(function* (grant, path, excerpt, ours) {
      const editor = desk.offering(threadId, "readTextFile")
      if (editor === undefined) return yield* ours
      const own = yield* Effect.result(ours)
      if (Result.isFailure(own) && own.failure.reason !== "missing") return yield* Effect.fromResult(own)
      const real = yield* Effect.option(ProtectedPaths.resolve(grant, path, "read"))
      if (Option.isNone(real) || (grant.real !== undefined && grant.real !== real.value.path))
        return yield* Effect.fromResult(own)
      return (yield* textIn(editor, excerpt, real.value.path)) ?? (yield* Effect.fromResult(own))
    })
  }
})
