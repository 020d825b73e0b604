/** The local host: every thread of this server in this process, each in its own lane, in memory while it is in use. */
import type { AnsweringClient } from "@signalbox/contracts/AgentRequest"
import { type CommandEnvelope, CommandRejected, type ThreadCommand } from "@signalbox/contracts/Command"
import { BootId, type Sequence, type ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderRef } from "@signalbox/contracts/Provider"
import { defaultTurnLimit, ThreadNotFound, ThreadUnreadable } from "@signalbox/contracts/Rpc"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as RcMap from "effect/RcMap"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { RememberedSettings } from "../storage/RememberedSettings.ts"
import { StorageError } from "../storage/StorageError.ts"
import { ThreadStore } from "../storage/ThreadStore.ts"
import { ProviderCatalog } from "../provider/Services/ProviderCatalog.ts"
import { ProviderService } from "../provider/Services/ProviderService.ts"
import { Tapes, type TapesUnusable } from "../tape/Tapes.ts"
import * as ProviderRuntimeIngestion from "./ProviderRuntimeIngestion.ts"
import * as ThreadActor from "./ThreadActor.ts"
import * as ThreadExport from "./ThreadExport.ts"
import * as ThreadList from "./ThreadList.ts"
import { Threads } from "./Threads.ts"
import { untilPossible } from "./UntilPossible.ts"

export interface Options {
  /** `on-prompt` unless given. */
  readonly resume?: ThreadActor.Resume
  /** Tells what became of processes that an earlier server's agents had left running. Tells nothing unless given. */
  readonly leftRunning?: ThreadActor.Host["leftRunning"]
}

const make = Effect.fnUntraced(function* ({ leftRunning = () => [], resume = "on-prompt" }: Options) {
  const store = yield* ThreadStore
  const provider = yield* ProviderService
  const tapes = yield* Tapes
  const remembered = yield* RememberedSettings
  const list = yield* ThreadList.make(yield* store.summaries)
  const checkCreation = yield* makeCreationCheck
  const background = yield* FiberSet.make()

  /** Threads in which an earlier server did not end its work, until that is settled. */
  const leftBehind = new Set(yield* store.unsettled)
  let closing = false
  const bootId = BootId.make(randomUUID())

  /** Threads that something in the background keeps in memory, and how often. */
  const kept = new Map<ThreadId, { readonly actor: ThreadActor.ThreadActor; times: number }>()
  const keeping = (actor: ThreadActor.ThreadActor) => {
    const { threadId } = actor
    const keep = Effect.sync(() => {
      const entry = kept.get(threadId)
      if (entry?.actor === actor) entry.times++
      else kept.set(threadId, { actor, times: 1 })
    })
    const release = Effect.sync(() => {
      const entry = kept.get(threadId)
      if (entry?.actor === actor && --entry.times === 0) kept.delete(threadId)
    })
    return Effect.acquireRelease(keep, () => release)
  }

  const host: ThreadActor.Host = {
    bootId,
    resume,
    leftRunning,
    changed: (head) => list.changed(ThreadProjection.summary(head)),
    fork: (threadId, effect) =>
      closing
        ? Effect.void
        : actorOf(threadId).pipe(
            Effect.flatMap(keeping),
            Effect.andThen(effect),
            Effect.scoped,
            (kept) => FiberSet.run(background, kept),
            Effect.asVoid
          )
  }
  const actors = yield* RcMap.make({
    lookup: (threadId: ThreadId) =>
      Effect.tap(ThreadActor.make(threadId, host, leftBehind.has(threadId)), () =>
        Effect.sync(() => leftBehind.delete(threadId))
      ),
    idleTimeToLive: "5 minutes"
  })
  const actorOf = (threadId: ThreadId): Effect.Effect<ThreadActor.ThreadActor, StorageError, Scope.Scope> =>
    // A thread that could not be read is tried again by the next who asks.
    RcMap.get(actors, threadId).pipe(Effect.tapError(() => RcMap.invalidate(actors, threadId)))

  yield* Effect.forkScoped(
    ProviderRuntimeIngestion.run({
      has: list.has,
      kept: (threadId) => kept.get(threadId)?.actor,
      actor: actorOf
    })
  )

  // Before anybody sees a row of the list: settle what an earlier server left, and run what it had accepted.
  yield* Effect.forEach(
    [...leftBehind],
    (threadId) => {
      const settled = Effect.scoped(actorOf(threadId))
      const damaged = Effect.catch((error: StorageError) =>
        Effect.logError("A thread can't be read.", { threadId }, error.message)
      )
      return settled.pipe(
        // A disk that refuses is waited for, but not by whoever waits for the server.
        Effect.catchIf(
          ({ passing }) => passing,
          () => FiberSet.run(background, untilPossible(settled).pipe(damaged))
        ),
        damaged
      )
    },
    { discard: true }
  )

  // The first thing to happen at the end: nothing is begun any more, agents stop, and what they say last is still taken in.
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      closing = true
      yield* FiberSet.clear(background)
      const sessions = yield* provider.listSessions
      yield* provider.stopAll
      yield* Effect.forEach(
        sessions,
        ({ threadId }) =>
          Effect.flatMap(actorOf(threadId), (actor) => actor.until(({ session }) => session.state === "exited")),
        { concurrency: "unbounded", discard: true }
      )
    }).pipe(Effect.scoped, Effect.timeoutOption("3 seconds"), Effect.ignore)
  )

  /** A thread that is there, for as long as the scope lasts. */
  const existing = Effect.fnUntraced(function* (threadId: ThreadId) {
    if (!list.has(threadId)) return yield* new ThreadNotFound({ threadId })
    return yield* actorOf(threadId)
  })

  /** What a thread streams; it stays in memory meanwhile. */
  const streamed = <A, E>(threadId: ThreadId, use: (actor: ThreadActor.ThreadActor) => Stream.Stream<A, E>) =>
    Stream.unwrap(Effect.map(existing(threadId), use))

  const factsOf = Effect.fnUntraced(function* (command: CreateThread) {
    const chosen = yield* remembered.list({ providerId: command.provider, cwd: command.cwd })
    return {
      creation: yield* checkCreation(command),
      remembered: Object.fromEntries(chosen.map(({ settingId, value }) => [settingId, value]))
    }
  })

  const send = Effect.fn("Threads.send")(function* (envelope: CommandEnvelope, client: AnsweringClient | undefined) {
    const { command, threadId } = envelope
    const facts = command.type === "thread.create" ? yield* factsOf(command) : client === undefined ? {} : { client }
    return yield* Effect.scoped(Effect.flatMap(actorOf(threadId), (actor) => actor.commands.handle(envelope, facts)))
  })

  /** Tapes first: as long as anything is kept, the thread is in the list and can be deleted again. */
  const erase = (threadId: ThreadId): Effect.Effect<void, StorageError | TapesUnusable> =>
    tapes
      .remove(threadId)
      .pipe(Effect.andThen(store.remove(threadId)), Effect.andThen(Effect.sync(() => list.removed(threadId))))

  const remove = Effect.fn("Threads.remove")(
    function* (threadId: ThreadId, ifSequence?: Sequence) {
      if (!list.has(threadId)) return
      const actor = yield* Effect.result(actorOf(threadId))
      // A thread that can't be read can still be deleted. Its agent may run since it could be.
      yield* Result.isSuccess(actor)
        ? actor.success.remove(erase(threadId), ifSequence)
        : Effect.andThen(provider.stopSession(threadId), erase(threadId))
      yield* RcMap.invalidate(actors, threadId)
    },
    Effect.scoped,
    Effect.uninterruptible,
    (effect, threadId) =>
      Effect.catchTags(effect, {
        StorageError: unreadable(threadId),
        TapesUnusable: (error) => Effect.fail(new ThreadUnreadable({ threadId, problem: tapesLeft(error) }))
      })
  )

  return Threads.of({
    send: (envelope, client) =>
      Effect.catchTag(
        send(envelope, client),
        "StorageError",
        ({ problem }) => new CommandRejected({ commandId: envelope.commandId, problem })
      ),
    bootId,
    inMemory: Effect.map(RcMap.keys(actors), (threadIds) => [...threadIds].length),
    watch: (threadId, { after, turnLimit } = {}) =>
      streamed(threadId, (actor) =>
        actor.reading.watch({
          ...(after?.bootId === bootId && { after: after.sequence }),
          ...(turnLimit !== undefined && { turnLimit })
        })
      ).pipe(Stream.catchTag("StorageError", (error) => Stream.fromEffect(unreadable(threadId)(error)))),
    earlier: (threadId, before, turnLimit = defaultTurnLimit) =>
      Effect.flatMap(existing(threadId), (actor) => actor.reading.earlier(before, turnLimit)).pipe(
        Effect.scoped,
        Effect.catchTag("StorageError", unreadable(threadId))
      ),
    later: (threadId, from, until) =>
      Effect.flatMap(existing(threadId), (actor) => actor.reading.later(from, until)).pipe(
        Effect.scoped,
        Effect.catchTag("StorageError", unreadable(threadId))
      ),
    output: (threadId, itemId, part) =>
      streamed(threadId, (actor) => actor.reading.output(itemId, part)).pipe(
        Stream.catchTag("StorageError", (error) => Stream.fromEffect(unreadable(threadId)(error)))
      ),
    export: (threadId) =>
      streamed(threadId, (actor) =>
        Stream.unwrap(Effect.as(actor.fold, ThreadExport.exportThread(store, threadId)))
      ).pipe(Stream.catchTag("StorageError", (error) => Stream.fromEffect(unreadable(threadId)(error)))),
    remove,
    watchAll: list.watch
  })
})

type CreateThread = Extract<ThreadCommand, { readonly type: "thread.create" }>

/** Looks up the agent that a new thread names, and the folder: both must be there. */
const makeCreationCheck = Effect.gen(function* () {
  const catalog = yield* ProviderCatalog
  const files = yield* FileSystem.FileSystem
  const { isAbsolute } = yield* Path.Path

  const checkFolder = (cwd: string): Effect.Effect<void, Problem> => {
    if (!isAbsolute(cwd))
      return Effect.fail(unusable(cwd, "A thread needs the whole path of each of its folders, from the root."))
    return files.stat(cwd).pipe(
      Effect.mapError((error) => unusable(cwd, error.message)),
      Effect.flatMap(({ type }) =>
        type === "Directory" ? Effect.void : Effect.fail(unusable(cwd, "This is not a folder."))
      )
    )
  }
  return (command: CreateThread) =>
    Effect.gen(function* () {
      const { provider } = yield* Effect.mapError(catalog.get(command.provider), ({ problem }) => problem)
      yield* Effect.forEach([command.cwd, ...(command.additionalDirectories ?? [])], checkFolder, { discard: true })
      return provider
    }).pipe(Effect.result) satisfies Effect.Effect<Result.Result<ProviderRef, Problem>>
})

const tapesLeft = ({ folder, reason }: TapesUnusable): Problem => ({
  code: "storage",
  title: "The tapes of this thread can't be removed.",
  cause: reason,
  evidence: { path: folder },
  nextSteps: [{ action: "check-again", label: "Delete the thread again" }]
})

const unreadable =
  (threadId: ThreadId) =>
  ({ problem }: StorageError): Effect.Effect<never, ThreadUnreadable> =>
    Effect.fail(new ThreadUnreadable({ threadId, problem }))

const unusable = (cwd: string, cause: string): Problem => ({
  code: "cwd-unusable",
  title: `${cwd} can't be used.`,
  cause,
  evidence: { path: cwd },
  nextSteps: [{ action: "choose-folder", label: "Choose another folder" }]
})

export const layer = (options: Options = {}) => Layer.effect(Threads, make(options))
