/**
 * Writes files by the editor that has the thread open, after all that Signalbox checks itself has passed. A file has one
 * write at a time, from the checks to the record.
 */
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Editor, EditorDesk, EditorLeft, EditorRefused } from "../../../editors/EditorDesk.ts"
import * as EditorPath from "../../../editors/EditorPath.ts"
import { PathRefused } from "../../../workspace/Containment.ts"
import * as EditedFile from "../../../workspace/EditedFile.ts"
import * as ProtectedPaths from "../../../workspace/ProtectedPaths.ts"
import type { Grant } from "../../../workspace/ProtectedPaths.ts"
import * as TextFiles from "../../../workspace/TextFiles.ts"
import type { Emission } from "../projection/Emission.ts"
import * as FileProjection from "../projection/FileProjection.ts"
import * as Warnings from "../projection/Warnings.ts"
import type * as RefusedAccess from "./RefusedAccess.ts"

export interface Options {
  readonly desk: EditorDesk
  readonly threadId: ThreadId
  /** The folders of the session, by the names that they were given. */
  readonly folders: ReadonlyArray<string>
  readonly emission: Pick<Emission, "emit">
  readonly refused: RefusedAccess.Tell
}

export interface EditorWrites {
  /**
   * Without an editor, or for a file that it must not write: what `ours` does. Interrupting it withdraws the write from
   * the editor.
   */
  readonly write: (
    grant: Grant,
    path: string,
    content: string,
    ours: Effect.Effect<object, PathRefused>
  ) => Effect.Effect<object, PathRefused | RpcError>
  /** Withdraws all writes that no editor has answered. Does not wait. */
  readonly withdrawWrites: () => void
}

/** After so long the thread says what it waits for: people may have to agree in the editor. */
const saidAfter = "5 seconds"

/** The most bytes of text that wait for editors at once. */
const mostWaiting = 64 * 1024 * 1024

/** A write that is asked for, or waits for another one of its file. */
interface Open {
  readonly given: string
  readonly content: string
  readonly withdrawn: Deferred.Deferred<void>
}

/** Closing the scope withdraws what editors have not answered. */
export const make = Effect.fnUntraced(function* ({
  desk,
  emission,
  folders,
  refused,
  threadId
}: Options): Effect.fn.Return<EditorWrites, never, Scope.Scope> {
  const fibers = yield* FiberSet.make<object, PathRefused | RpcError>()
  const open = new Set<Open>()
  let waitingBytes = 0
  /** The writes of each file, by its path. */
  const queues = new Map<string, { readonly semaphore: Semaphore.Semaphore; writes: number }>()
  const withdraw = ({ withdrawn }: Open) => Deferred.doneUnsafe(withdrawn, Exit.void)
  const withdrawWrites = () => open.forEach(withdraw)
  // A write that was withdrawn still looks at the disk.
  yield* Effect.addFinalizer(() => Effect.andThen(Effect.sync(withdrawWrites), FiberSet.awaitEmpty(fibers)))
  const warn = (message: string, detail?: string) =>
    emission.emit((projection) => Warnings.warn(projection, message, detail))

  const recorded = (path: string, after: EditedFile.OnDisk, before: EditedFile.OnDisk | undefined) =>
    emission.emit((projection) => FileProjection.written(projection, { path, ...after, created: before === undefined }))

  /** Runs the writes of one file one after the other. */
  const inOrder = <A, E>(path: string, write: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const queue = queues.get(path) ?? { semaphore: Semaphore.makeUnsafe(1), writes: 0 }
      queues.set(path, queue)
      queue.writes += 1
      return Effect.ensuring(
        Semaphore.withPermit(queue.semaphore, write),
        Effect.sync(() => {
          queue.writes -= 1
          if (queue.writes === 0) queues.delete(path)
        })
      )
    })

  /** What has become of a write that the editor has taken. */
  const taken = Effect.fnUntraced(function* (name: string, { before, path }: EditedFile.Writable, content: string) {
    const disk = yield* Effect.result(EditedFile.now(path))
    if (Result.isFailure(disk))
      return warn(`${name} has written ${path}. What is on the disk can't be read.`, disk.failure.message)
    const after = disk.success
    const isAsGiven = after?.version === TextFiles.versionOf(content)
    if (after === undefined || (!isAsGiven && after.version === before?.version))
      return warn(`${name} has taken the text of ${path}, and has not saved it.`, unchanged(after))
    recorded(path, after, before)
    if (!isAsGiven)
      warn(
        `${name} has saved ${path} with another text than the agent gave.`,
        "Editors format what they save. The record is of what is on the disk."
      )
  })

  /** What has become of a write that the editor has not answered. */
  const unanswered = Effect.fnUntraced(function* (
    name: string,
    { before, path }: EditedFile.Writable,
    content: string
  ) {
    const disk = yield* Effect.result(EditedFile.now(path))
    const after = Result.getOrUndefined(disk)
    if (after?.version === TextFiles.versionOf(content)) return recorded(path, after, before)
    const there = Result.isFailure(disk)
      ? disk.failure.message
      : after === undefined || after.version === before?.version
        ? unchanged(after)
        : "The disk has another text than before, and than the agent gave."
    warn(`The write of ${path} was withdrawn from ${name}, which had not answered. It may still come.`, there)
  })

  const writeIn = Effect.fnUntraced(function* (
    editor: Editor,
    file: EditedFile.Writable,
    { content, given, withdrawn }: Open
  ): Effect.fn.Return<object, RpcError> {
    const { name } = editor
    const path = yield* EditorPath.of(folders, file.path)
    const answered = yield* Effect.raceAllFirst([
      Effect.asSome(editor.ask("fs/write_text_file", { sessionId: threadId, path, content })),
      Effect.as(Deferred.await(withdrawn), Option.none()),
      Effect.sleep(saidAfter).pipe(
        Effect.tap(() =>
          Effect.sync(() =>
            warn(
              `${name} was asked to write ${file.path}, and has not answered yet.`,
              "It may wait for somebody to agree there. Stopping the turn withdraws the write."
            )
          )
        ),
        Effect.andThen(Effect.never)
      )
    ]).pipe(
      Effect.mapError((error) => {
        const failure = failureOf(name, file.path, error)
        refused("write a file", new PathRefused({ reason: "system", path: given, message: failure.message }))
        return failure
      })
    )
    if (Option.isSome(answered)) {
      yield* taken(name, file, content)
      return {}
    }
    yield* unanswered(name, file, content)
    return yield* RpcError.internal(
      `The write was withdrawn from ${name}, which had not answered. ${unknown(file.path)}`
    )
  })

  const writeOne = (grant: Grant, one: Open, ours: Effect.Effect<object, PathRefused>) =>
    Effect.gen(function* () {
      const { content, given, withdrawn } = one
      if (Deferred.isDoneUnsafe(withdrawn)) return yield* notAsked(given)
      const editor = desk.offering(threadId, "writeTextFile")
      if (editor === undefined) return yield* ours
      const file = yield* EditedFile.writable(grant, given, content)
      // An editor writes in place, and would change the file under its other names, too.
      return yield* file.hasOtherNames ? ours : writeIn(editor, file, one)
    })

  return {
    withdrawWrites,
    write: (grant, given, content, ours) =>
      Effect.suspend(() => {
        if (desk.offering(threadId, "writeTextFile") === undefined) return ours
        const bytes = Buffer.byteLength(content)
        if (waitingBytes + bytes > mostWaiting) return Effect.fail(tooMuch)
        const one: Open = { given, content, withdrawn: Deferred.makeUnsafe() }
        open.add(one)
        waitingBytes += bytes
        const whole = Effect.option(ProtectedPaths.resolve(grant, given, "write")).pipe(
          Effect.flatMap((real) => inOrder(Option.isSome(real) ? real.value.path : given, writeOne(grant, one, ours))),
          Effect.ensuring(
            Effect.sync(() => {
              open.delete(one)
              waitingBytes -= bytes
            })
          )
        )
        return Effect.flatMap(FiberSet.run(fibers, whole), Fiber.join).pipe(
          Effect.onInterrupt(() => Effect.sync(() => withdraw(one)))
        )
      })
  }
})

const tooMuch = RpcError.internal(
  `${mostWaiting / 1024 / 1024} MiB of text wait for an editor already: write again after it has answered`
)

const unchanged = (after: EditedFile.OnDisk | undefined): string =>
  after === undefined ? "There is no such file on the disk." : "The disk has the text from before."

const unknown = (path: string): string => `Nobody knows whether it has written ${path}: read the file before you go on`

const notAsked = (path: string): RpcError =>
  RpcError.internal(`${path} was not written: the turn was stopped before an editor was asked`)

const failureOf = (name: string, path: string, error: EditorRefused | EditorLeft): RpcError =>
  error._tag === "EditorLeft"
    ? RpcError.internal(`${name} left before it answered. ${unknown(path)}`)
    : new RpcError({
        code: error.code,
        message: `${name} refused to write ${path}: ${error.message}`,
        ...(error.data !== undefined && { data: error.data })
      })
