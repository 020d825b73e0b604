/** The drafts of all threads, and who watches them. */
import type { PromptPart } from "@signalbox/contracts/Content"
import { type AttachmentId, type Draft, type DraftSaved, type DraftToSave, isEmpty } from "@signalbox/contracts/Draft"
import type { ThreadId } from "@signalbox/contracts/Ids"
import { Refused } from "@signalbox/contracts/Refused"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { DraftStore, type Refusal } from "../storage/DraftStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as DraftProblem from "./DraftProblem.ts"

export class Drafts extends Context.Service<
  Drafts,
  {
    /** Whether the draft of a thread has something to send. */
    readonly isWritten: (threadId: ThreadId) => boolean
    /** Calls `onMark` when `isWritten` changes, as long as the scope is open. */
    readonly listen: (onMark: (threadId: ThreadId) => void) => Effect.Effect<void, never, Scope.Scope>
    /** The draft of a thread, and then after each change the latest one. */
    readonly watch: (threadId: ThreadId) => Stream.Stream<Draft, Refused>
    readonly save: (draft: DraftToSave) => Effect.Effect<DraftSaved, Refused>
    readonly attach: (threadId: ThreadId, id: AttachmentId, part: PromptPart) => Effect.Effect<void, Refused>
    readonly read: (threadId: ThreadId, id: AttachmentId) => Effect.Effect<PromptPart, Refused>
    /** Shows what a command has changed. */
    readonly changed: (threadId: ThreadId) => Effect.Effect<void>
    /** Ends the streams of a thread that was deleted. */
    readonly removed: (threadId: ThreadId) => void
  }
>()("@signalbox/server/drafts/Drafts") {}

/** One watcher of a thread. It reads the latest draft when it is awake, however many it has missed. */
interface Watcher {
  readonly threadId: ThreadId
  readonly awake: Latch.Latch
}

const make = Effect.gen(function* () {
  const store = yield* DraftStore
  const written = new Set(yield* store.written)
  const turn = yield* Semaphore.make(1)
  const watchers = new Set<Watcher>()
  const listeners = new Set<(threadId: ThreadId) => void>()

  const mark = (threadId: ThreadId, isWritten: boolean): void => {
    if (written.has(threadId) === isWritten) return
    if (isWritten) written.add(threadId)
    else written.delete(threadId)
    for (const listener of listeners) listener(threadId)
  }
  const wake = (threadId: ThreadId): void => {
    for (const watcher of watchers) if (watcher.threadId === threadId) watcher.awake.openUnsafe()
  }

  // One after the other, so that the mark is that of the latest draft.
  const changed: Drafts["Service"]["changed"] = Effect.fnUntraced(
    function* (threadId: ThreadId) {
      const draft = yield* store.get(threadId)
      mark(threadId, draft !== undefined && !isEmpty(draft))
    },
    (marked, threadId) =>
      marked.pipe(
        Effect.catch(({ message }) => Effect.logWarning("A draft can't be read.", { threadId }, message)),
        Semaphore.withPermit(turn),
        Effect.ensuring(Effect.sync(() => wake(threadId)))
      )
  )

  const next = ({ awake, threadId }: Watcher) =>
    awake.await.pipe(
      Effect.andThen(Effect.sync(() => awake.closeUnsafe())),
      Effect.andThen(store.get(threadId)),
      Effect.mapError(unreadable),
      Effect.flatMap((draft) =>
        draft === undefined ? Effect.fail(DraftProblem.refused(threadId, "no-thread")) : Effect.succeed(draft)
      )
    )

  return Drafts.of({
    isWritten: (threadId) => written.has(threadId),
    listen: (onMark) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => listeners.add(onMark)),
          () => Effect.sync(() => listeners.delete(onMark))
        )
      ),
    watch: (threadId) =>
      Stream.unwrap(
        Effect.map(
          Effect.acquireRelease(
            Effect.sync(() => {
              const watcher: Watcher = { threadId, awake: Latch.makeUnsafe(true) }
              watchers.add(watcher)
              return watcher
            }),
            (watcher) => Effect.sync(() => watchers.delete(watcher))
          ),
          (watcher) => Stream.fromEffectRepeat(next(watcher))
        )
      ),
    save: Effect.fn("Drafts.save")(function* (draft: DraftToSave) {
      const { threadId } = draft
      const outcome = yield* Effect.mapError(store.save(draft), unreadable)
      if (isRefusal(outcome)) return yield* DraftProblem.refused(threadId, outcome)
      if (outcome.type === "saved") yield* changed(threadId)
      return outcome
    }, Effect.uninterruptible),
    attach: (threadId, id, part) =>
      Effect.flatMap(Effect.mapError(store.attach(threadId, id, part), unreadable), (refusal) =>
        refusal === undefined ? Effect.void : Effect.fail(DraftProblem.refused(threadId, refusal))
      ),
    read: (threadId, id) =>
      Effect.flatMap(Effect.mapError(store.part(threadId, id), unreadable), (part) =>
        part === undefined ? Effect.fail(DraftProblem.refused(threadId, "gone")) : Effect.succeed(part)
      ),
    changed,
    removed: (threadId) => {
      mark(threadId, false)
      wake(threadId)
    }
  })
})

const isRefusal = (outcome: DraftSaved | Refusal): outcome is Refusal => typeof outcome === "string"

const unreadable = ({ problem }: StorageError): Refused => new Refused({ problem })

export const layer = Layer.effect(Drafts, make)
