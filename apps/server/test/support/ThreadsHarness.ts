/** A `Threads` host over a real database file and the fake provider. It has the words that its tests are written in. */
import type { CommandRejected, Receipt, ThreadCommand } from "@signalbox/contracts/Command"
import { CommandId, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type { ThreadFrame } from "@signalbox/contracts/ThreadFrame"
import { hasEnded } from "@signalbox/threads/TurnState"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Drafts from "../../src/drafts/Drafts.ts"
import * as DraftStore from "../../src/storage/DraftStore.ts"
import * as RememberedSettings from "../../src/storage/RememberedSettings.ts"
import * as Sqlite from "../../src/storage/Sqlite.ts"
import * as SqliteThreadStore from "../../src/storage/SqliteThreadStore.ts"
import * as Tapes from "../../src/tape/Tapes.ts"
import * as ThreadsLocal from "../../src/orchestration/ThreadsLocal.ts"
import { Threads } from "../../src/orchestration/Threads.ts"
import type { ProviderCatalog } from "../../src/provider/Services/ProviderCatalog.ts"
import type { ProviderService } from "../../src/provider/Services/ProviderService.ts"
import { randomUUID } from "node:crypto"
import * as FakeProvider from "./FakeProvider.ts"

export const threadId = (name: string) => ThreadId.make(name)
export const turnId = (name: string) => TurnId.make(name)

/** What hosts threads over a database file. */
export type Host<R = never> = (file: string) => Layer.Layer<Threads | R, unknown, ProviderService | ProviderCatalog>

export const local = (file: string, options?: ThreadsLocal.Options) => {
  const drafts = Layer.provide(Drafts.layer, DraftStore.layer)
  const persistence = Layer.mergeAll(SqliteThreadStore.layer, RememberedSettings.layer, drafts).pipe(
    Layer.provideMerge(Sqlite.layer(file))
  )
  return ThreadsLocal.layer(options).pipe(
    Layer.provideMerge(persistence),
    Layer.provide([Tapes.layer({ folder: `${file}-tapes` }), NodeFileSystem.layer, NodePath.layer])
  )
}

/** One life of a server on `file`. */
export const boot = (file: string) => bootOn(local, file)

export const bootOn = Effect.fnUntraced(function* <R>(host: Host<R>, file: string) {
  const scope = yield* Effect.acquireRelease(Scope.make(), (opened) => Scope.close(opened, Exit.void))
  const provider = yield* FakeProvider.make
  const layer = Layer.provide(host(file), provider.layer)
  const context = yield* Layer.buildWithScope(Layer.fresh(layer), scope)
  const threads = Context.get(context, Threads)

  const send = (
    thread: ThreadId,
    command: ThreadCommand,
    commandId = CommandId.make(randomUUID())
  ): Effect.Effect<Receipt, CommandRejected> => threads.send({ commandId, threadId: thread, command })

  const views = (thread: ThreadId) => viewsOf(threads.watch(thread))

  /** Waits until the thread is as `holds` says. */
  const until = (thread: ThreadId, holds: (view: ThreadView) => boolean) =>
    views(thread).pipe(Stream.filter(holds), Stream.runHead, Effect.flatMap(Effect.fromOption), Effect.orDie)

  return {
    provider,
    threads,
    context,
    send,
    views,
    until,
    create: (thread: ThreadId, cwd = "/tmp") =>
      send(thread, { type: "thread.create", provider: FakeProvider.fake.id, cwd }),
    prompt: (thread: ThreadId, turn: TurnId, text: string) =>
      send(thread, { type: "turn.start", turnId: turn, prompt: [{ type: "text", text }] }),
    /** Waits for the end of a turn. */
    ended: (thread: ThreadId, turn: TurnId) =>
      until(thread, ({ turns }) => turns.some((one) => one.turnId === turn && hasEnded(one.status))),
    /** Ends as `kill -9` would: nothing is stopped, ended or said. */
    kill: Effect.andThen(provider.vanish, Scope.close(scope, Exit.void)),
    /** Ends as SIGTERM would. */
    stop: Scope.close(scope, Exit.void)
  }
})

export type Server = Effect.Success<ReturnType<typeof bootOn<never>>>

/** A database file in a folder that is gone after the test. */
export const databaseFile = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  return `${yield* files.makeTempDirectoryScoped({ prefix: "signalbox-threads-" })}/signalbox.sqlite`
}).pipe(Effect.provide(NodeFileSystem.layer))

/** What a page makes of a frame. Dies where events leave a gap or come twice. */
export const followed = (view: ThreadView | undefined, frame: ThreadFrame): ThreadView => {
  if (frame.type === "snapshot") return frame.view
  frame.events.forEach(({ sequence }, index) => {
    const expected = (view?.sequence ?? Number.NaN) + index + 1
    if (sequence !== expected) throw new Error(`Expected event ${expected}, got ${sequence}.`)
  })
  return ThreadProjection.apply(view, frame.events)
}

const viewsOf = <E>(frames: Stream.Stream<ThreadFrame, E>): Stream.Stream<ThreadView, E> =>
  frames.pipe(
    Stream.scan((): ThreadView | undefined => undefined, followed),
    Stream.filter((view) => view !== undefined)
  )

export const messageText = (view: ThreadView, turn: TurnId): string =>
  view.items.flatMap((item) => (item.type === "message" && item.turnId === turn ? [item.text] : [])).join("")

export const statusOf = (view: ThreadView, turn: TurnId) => view.turns.find((one) => one.turnId === turn)?.status
