/** The local host: every thread of this server runs in this process, in its own lane, and is in memory while in use. */
import type { AnsweringClient } from "@signalbox/contracts/AgentRequest"
import { type CommandEnvelope, CommandRejected } from "@signalbox/contracts/Command"
import { BootId, type ThreadId } from "@signalbox/contracts/Ids"
import { defaultTurnLimit } from "@signalbox/contracts/Rpc"
import { ThreadNotFound, ThreadUnreadable } from "@signalbox/contracts/ThreadErrors"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { Drafts } from "../drafts/Drafts.ts"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { ThreadStore } from "../storage/ThreadStore.ts"
import * as CreationFacts from "./CreationFacts.ts"
import * as ProviderRuntimeIngestion from "./ProviderRuntimeIngestion.ts"
import type * as ThreadActor from "./ThreadActor.ts"
import * as ThreadErasure from "./ThreadErasure.ts"
import * as ThreadExport from "./ThreadExport.ts"
import * as ThreadList from "./ThreadList.ts"
import { Threads } from "./Threads.ts"
import * as ThreadsInMemory from "./ThreadsInMemory.ts"
import * as WaitingRequests from "./WaitingRequests.ts"
import { untilPossible } from "./UntilPossible.ts"

export interface Options {
  /** Default: `on-prompt`. */
  readonly resume?: ThreadActor.Resume
  /** Warnings about processes that an earlier server's agents had left running. Default: none. */
  readonly leftRunning?: ThreadActor.Host["leftRunning"]
}

const make = Effect.fnUntraced(function* ({ leftRunning = () => [], resume = "on-prompt" }: Options) {
  const store = yield* ThreadStore
  const provider = yield* ProviderService
  const drafts = yield* Drafts
  const list = yield* ThreadList.make(yield* store.summaries, drafts.isWritten)
  yield* drafts.listen(list.marked)
  const creationFacts = yield* CreationFacts.make
  const leftBehind = new Set(yield* store.unsettled)
  const bootId = BootId.make(randomUUID())
  const waiting = yield* WaitingRequests.make
  const changed: ThreadActor.Host["changed"] = (head) => {
    list.changed(ThreadProjection.summary(head))
    waiting.changed(head)
  }
  const memory = yield* ThreadsInMemory.make({ bootId, resume, leftRunning, changed }, leftBehind)
  const removed = (threadId: ThreadId): void => {
    list.removed(threadId)
    drafts.removed(threadId)
    waiting.removed(threadId)
  }
  const remove = yield* ThreadErasure.make({ has: list.has, removed }, memory)

  yield* Effect.forkScoped(ProviderRuntimeIngestion.run({ has: list.has, kept: memory.kept, actor: memory.actor }))
  // Settles what an earlier server left, and runs its accepted prompts, before anybody sees the list.
  yield* Effect.forEach(leftBehind, (threadId) => settle(memory, threadId), { discard: true })
  yield* Effect.addFinalizer(() => end(memory, provider))

  /** An existing thread, for the life of the scope. */
  const existing = Effect.fnUntraced(function* (threadId: ThreadId) {
    if (!list.has(threadId)) return yield* new ThreadNotFound({ threadId })
    return yield* memory.actor(threadId)
  })

  /** Reads from a thread in one step. */
  const read = <A>(threadId: ThreadId, use: (actor: ThreadActor.ThreadActor) => Effect.Effect<A, StorageError>) =>
    Effect.flatMap(existing(threadId), use).pipe(
      Effect.scoped,
      Effect.catchTag("StorageError", ({ problem }) => Effect.fail(new ThreadUnreadable({ threadId, problem })))
    )

  /** Streams from a thread, which stays in memory until the stream ends. */
  const streamed = <A, E>(threadId: ThreadId, use: (actor: ThreadActor.ThreadActor) => Stream.Stream<A, E>) =>
    Stream.unwrap(Effect.map(existing(threadId), use))

  const send = Effect.fn("Threads.send")(function* (envelope: CommandEnvelope, client: AnsweringClient | undefined) {
    const { command, threadId } = envelope
    const facts =
      command.type === "thread.create" ? yield* creationFacts(command) : client === undefined ? {} : { client }
    const handled = Effect.scoped(
      Effect.flatMap(memory.actor(threadId), ({ commands }) => commands.handle(envelope, facts))
    )
    const isOfDraft = command.type === "turn.start" && command.draft !== undefined
    return yield* isOfDraft ? Effect.ensuring(handled, drafts.changed(threadId)) : handled
  })

  return Threads.of({
    send: (envelope, client) =>
      Effect.catchTag(
        send(envelope, client),
        "StorageError",
        ({ problem }) => new CommandRejected({ commandId: envelope.commandId, problem })
      ),
    bootId,
    inMemory: memory.count,
    watch: (threadId, { after, turnLimit } = {}) =>
      streamed(threadId, ({ reading }) =>
        reading.watch({
          ...(after?.bootId === bootId && { after: after.sequence }),
          ...(turnLimit !== undefined && { turnLimit })
        })
      ).pipe(Stream.catchTag("StorageError", unreadable(threadId))),
    earlier: (threadId, before, turnLimit = defaultTurnLimit) =>
      read(threadId, ({ reading }) => reading.earlier(before, turnLimit)),
    later: (threadId, from, until) => read(threadId, ({ reading }) => reading.later(from, until)),
    output: (threadId, itemId, part) =>
      streamed(threadId, ({ reading }) => reading.output(itemId, part)).pipe(
        Stream.catchTag("StorageError", unreadable(threadId))
      ),
    export: (threadId) =>
      streamed(threadId, ({ fold }) => Stream.unwrap(Effect.as(fold, ThreadExport.exportThread(store, threadId)))).pipe(
        Stream.catchTag("StorageError", unreadable(threadId))
      ),
    remove,
    watchAll: list.watch,
    watchRequests: waiting.watch
  })
})

const unreadable =
  (threadId: ThreadId) =>
  ({ problem }: StorageError): Stream.Stream<never, ThreadUnreadable> =>
    Stream.fail(new ThreadUnreadable({ threadId, problem }))

/** Settles what an earlier server left in a thread. */
const settle = (memory: ThreadsInMemory.ThreadsInMemory, threadId: ThreadId): Effect.Effect<void> => {
  const settled = Effect.asVoid(Effect.scoped(memory.actor(threadId)))
  const damaged = Effect.catch((error: StorageError) =>
    Effect.logError("A thread can't be read.", { threadId }, error.message)
  )
  return settled.pipe(
    // A disk that refuses is retried in the background, so that the server's start does not wait.
    Effect.catchIf(
      ({ passing }) => passing,
      () => memory.fork(untilPossible(settled).pipe(damaged))
    ),
    damaged
  )
}

/** Ends the threads first of all: nothing new begins, agents stop, and their last events are stored. */
const end = (memory: ThreadsInMemory.ThreadsInMemory, provider: ProviderService["Service"]): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* memory.close
    const sessions = yield* provider.listSessions
    yield* provider.stopAll
    yield* Effect.forEach(
      sessions,
      ({ threadId }) =>
        Effect.flatMap(memory.actor(threadId), (actor) => actor.until(({ session }) => session.state === "exited")),
      { concurrency: "unbounded", discard: true }
    )
  }).pipe(Effect.scoped, Effect.timeoutOption("3 seconds"), Effect.ignore)

export const layer = (options: Options = {}) => Layer.effect(Threads, make(options))
