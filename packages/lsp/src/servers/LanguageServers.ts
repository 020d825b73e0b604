/** Several language servers for one or more folders, by language and root. The only owner of language servers. */
import { isWithin } from "@signalbox/contracts/Paths"
import type { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type * as Stream from "effect/Stream"
import { access } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Containment from "../documents/Containment.ts"
import * as DocumentStore from "../documents/DocumentStore.ts"
import * as LanguageId from "../LanguageId.ts"
import { LanguageServerError } from "../LanguageServerError.ts"
import type { Tapped } from "../running/Connection.ts"
import type { EditAnswer, EditWish, Said } from "../running/Incoming.ts"
import * as Limits from "../running/Limits.ts"
import type { ServerDefinition } from "../ServerDefinition.ts"
import * as ChangeFeed from "./ChangeFeed.ts"
import * as Diagnostics from "./Diagnostics.ts"
import * as DiagnosticStore from "./DiagnosticStore.ts"
import * as DiskWatch from "./DiskWatch.ts"
import * as Documents from "./Documents.ts"
import * as FirstFile from "./FirstFile.ts"
import * as LanguageServer from "./LanguageServer.ts"
import * as Publications from "./Publications.ts"
import * as Pulling from "./Pulling.ts"
import type { ServerState } from "./ServerState.ts"
import * as Slot from "./Slot.ts"

export interface Options {
  readonly servers: ReadonlyArray<ServerDefinition>
  /** Absolute folders of the workspace, as they are at the moment. Files outside of them are not asked about. */
  readonly folders: () => ReadonlyArray<string>
  readonly ledger: ProcessLedger["Service"]
  /** Most servers that run at the same time. Default 10. */
  readonly mostServers?: number | undefined
  /** A server that nobody has asked for so long is ended. Default 10 minutes. */
  readonly idle?: Duration.Duration | undefined
  readonly limits?: Partial<Limits.Limits> | undefined
  /** Sees every message in both directions. */
  readonly tap?: ((message: Tapped) => void) | undefined
  /** Decides about a change that a server wants to make by itself. Without it they are refused. */
  readonly onEdit?: ((wish: EditWish) => Effect.Effect<EditAnswer>) | undefined
  /** Hears what servers say to people and to the log. */
  readonly onSaid?: ((server: string, root: string, said: Said) => void) | undefined
}

export interface LanguageServers {
  /**
   * A ready server for each definition that knows the file's language. Starts what is missing. If some can't be had, the others are
   * returned; if none can, this fails with the reason of the first.
   */
  readonly forFile: (path: string) => Effect.Effect<ReadonlyArray<LanguageServer.LanguageServer>, LanguageServerError>
  /**
   * Servers for questions without a file. They are those that run for the folder or a root within it. Another definition gets a server if a
   * file of its language is found there. Each server has at least one file open, since some know no project before.
   */
  readonly forFolder: (
    folder: string
  ) => Effect.Effect<ReadonlyArray<LanguageServer.LanguageServer>, LanguageServerError>
  readonly states: Effect.Effect<ReadonlyArray<ServerState>>
  /** States that change from now on. */
  readonly changes: Stream.Stream<ServerState>
  readonly documents: Documents.Documents
  readonly diagnostics: Diagnostics.Diagnostics
}

const usual = { mostServers: 10, idle: Duration.minutes(10) }

const keyOf = (id: string, root: string): string => JSON.stringify([id, root])

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false
  )

/** The nearest folder upward from a file, within the workspace folder, that has one of the markers. */
const rootOf = (path: string, folder: string, markers: ReadonlyArray<string>): Effect.Effect<string> =>
  Effect.promise(async () => {
    for (let at = dirname(path); isWithin(folder, at); at = dirname(at)) {
      for (const marker of markers) if (await exists(join(at, marker))) return at
      if (at === folder) break
    }
    return folder
  })

/** Servers start when they are first asked for. Closing the scope ends them all. */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<LanguageServers, never, Scope.Scope> {
  const { folders, servers } = options
  const mostServers = Math.max(1, options.mostServers ?? usual.mostServers)
  const idle = options.idle ?? usual.idle
  const limits: Limits.Limits = { ...Limits.usual, ...options.limits }
  const scope = yield* Effect.scope
  const clock = yield* Clock.Clock
  const store = DocumentStore.make(folders)
  const found = DiagnosticStore.make(folders)
  const feed = ChangeFeed.make<string, ServerState>()
  const slots = new Map<string, Slot.Slot>()
  const over = yield* Deferred.make<never, LanguageServerError>()
  /** Held while a slot is made, so that the limit holds, and no server is started twice. */
  const making = Semaphore.makeUnsafe(1)

  const all = () => [...slots.values()]
  /** Nobody waits for servers that are ended with the scope. */
  const whileOpen = <A>(question: Effect.Effect<A, LanguageServerError>): Effect.Effect<A, LanguageServerError> =>
    Effect.raceFirst(question, Deferred.await(over))
  const documents = Documents.make(store, all)
  const pulling = yield* Pulling.make({ found, slots: all, edited: store.ofEditors })
  const disk = yield* DiskWatch.make({
    folders,
    slots: all,
    onChanged: (events) => Effect.andThen(documents.changedOnDisk(events), Effect.sync(pulling.moved))
  })

  const end = (key: string, slot: Slot.Slot) =>
    Effect.suspend(() => {
      if (slots.get(key) === slot) slots.delete(key)
      return slot.end
    })

  /** Makes room for one more server. */
  const makeRoom = Effect.gen(function* () {
    while (slots.size >= mostServers) {
      const byAge = [...slots].toSorted(([, one], [, other]) => one.usedAt() - other.usedAt())
      const [oldest] = byAge
      if (oldest === undefined || oldest[1].usedAt() === Infinity)
        return yield* new LanguageServerError({
          reason: "TooManyServers",
          message: `${slots.size} language servers run and are all busy, which is as many as the settings allow. Ask again soon, or allow more.`
        })
      yield* end(...oldest)
    }
  })

  /** Ends the server when nobody has asked for a while. */
  const endIdle = (key: string, slot: Slot.Slot) =>
    Effect.gen(function* () {
      for (;;) {
        const rest = slot.usedAt() + Duration.toMillis(idle) - clock.currentTimeMillisUnsafe()
        if (rest <= 0) return yield* end(key, slot)
        yield* Effect.sleep(Duration.millis(Math.min(rest, Duration.toMillis(idle))))
      }
    })

  const slotOf = (definition: ServerDefinition, root: string): Effect.Effect<Slot.Slot, LanguageServerError> => {
    const key = keyOf(definition.id, root)
    const make = Effect.gen(function* () {
      const known = slots.get(key)
      if (known !== undefined) return known
      yield* makeRoom
      const slot = yield* Slot.make({
        definition,
        root,
        ledger: options.ledger,
        limits,
        documents: store,
        tap: options.tap,
        onEdit: options.onEdit,
        onSaid: options.onSaid,
        covers: ({ languageId, path }) => definition.languages.includes(languageId) && isWithin(root, path),
        onState: (state) => {
          disk.refresh()
          pulling.look()
          feed.offer(key, state)
        },
        unheard: disk.unheard,
        onMoved: (path) => {
          found.moved(definition.id, root, path)
          pulling.moved()
        },
        onPublished: (params, run) =>
          Publications.publish(found, { server: definition.id, root, channel: "pushed" }, run, params),
        onDiagnosticsStale: () => {
          found.aged({ server: definition.id, root, channel: "pulled" })
          pulling.aged(definition.id, root)
        },
        onEnd: () => {
          disk.refresh()
          found.forget(definition.id, root)
        }
      }).pipe(Effect.provideService(Scope.Scope, scope))
      slots.set(key, slot)
      yield* Effect.forkIn(endIdle(key, slot), scope)
      return slot
    })
    return Effect.suspend(() => {
      const known = slots.get(key)
      return known === undefined ? making.withPermit(make) : Effect.succeed(known)
    })
  }

  const serverOf = (definition: ServerDefinition, root: string): LanguageServer.LanguageServer =>
    LanguageServer.make(
      { id: definition.id, name: definition.name, root },
      (question, options) => whileOpen(Effect.flatMap(slotOf(definition, root), (slot) => slot.ask(question, options))),
      (method, path) =>
        whileOpen(
          Effect.flatMap(slotOf(definition, root), (slot) =>
            slot.ask((session) =>
              Effect.sync(() => session.offer(method, path === undefined ? undefined : store.seen(path)) !== undefined)
            )
          )
        )
    )

  /** Returns servers that are ready. Fails with the first failure if none is. */
  const readyOf = (wanted: ReadonlyArray<readonly [ServerDefinition, root: string]>) =>
    Effect.gen(function* () {
      const results = yield* Effect.forEach(
        wanted,
        ([definition, root]) =>
          Effect.result(
            Effect.as(
              Effect.flatMap(slotOf(definition, root), (slot) => slot.ready),
              serverOf(definition, root)
            )
          ),
        { concurrency: "unbounded" }
      )
      const ready = results.filter(Result.isSuccess).map(({ success }) => success)
      const failed = results.find(Result.isFailure)
      return ready.length === 0 && failed !== undefined ? yield* failed.failure : ready
    })

  const forFile: LanguageServers["forFile"] = (path) =>
    Effect.gen(function* () {
      const folder = yield* store.folderOf(path)
      const languageId = store.seen(path)?.languageId ?? LanguageId.ofPath(path)
      const known = servers.filter(({ languages }) => languages.includes(languageId))
      if (known.length === 0)
        return yield* new LanguageServerError({
          reason: "NoServer",
          message: `No language server is set for ${languageId}, the language of ${path}. Add one in the settings.`
        })
      const wanted = yield* Effect.forEach(known, (definition) =>
        Effect.map(rootOf(path, folder, definition.rootMarkers), (root) => [definition, root] as const)
      )
      return yield* readyOf(wanted)
    }).pipe(whileOpen)

  /** The roots of a definition in a folder: of what runs, or of the first file that is found. */
  const rootsIn = (folder: string, definition: ServerDefinition) =>
    Effect.gen(function* () {
      const running = all().filter(({ id, root }) => id === definition.id && isWithin(folder, root))
      if (running.length > 0) return running.map(({ root }) => [definition, root] as const)
      const first = yield* FirstFile.find(folder, definition.languages)
      return first === undefined ? [] : [[definition, yield* rootOf(first, folder, definition.rootMarkers)] as const]
    })

  /** Opens a file of its language in a server that has none. */
  const seed = ({ id, root }: LanguageServer.LanguageServer) =>
    Effect.gen(function* () {
      const slot = slots.get(keyOf(id, root))
      const definition = servers.find((each) => each.id === id)
      if (slot === undefined || definition === undefined || slot.state().documents > 0) return
      const first = yield* FirstFile.find(root, definition.languages)
      if (first !== undefined) yield* Effect.ignore(slot.ask((session) => session.send(first)))
    })

  const forFolder: LanguageServers["forFolder"] = (folder) =>
    Effect.gen(function* () {
      yield* Containment.check(folders(), folder)
      const wanted = yield* Effect.forEach(servers, (definition) => rootsIn(folder, definition))
      const ready = yield* readyOf(wanted.flat())
      yield* Effect.forEach(ready, seed, { concurrency: "unbounded", discard: true })
      return ready
    }).pipe(whileOpen)

  const diagnostics = Diagnostics.make({ found, forFile, pulling, slots: all, store })
  // It comes last, so it is the first that happens at the end.
  yield* Effect.addFinalizer(() =>
    Deferred.fail(
      over,
      new LanguageServerError({
        reason: "Ended",
        message: "The language servers were ended, as when their settings change. Ask again."
      })
    )
  )
  return {
    forFile,
    forFolder,
    states: Effect.sync(() => all().map((slot) => slot.state())),
    changes: feed.changes,
    documents,
    diagnostics: { ...diagnostics, of: (path, options) => whileOpen(diagnostics.of(path, options)) }
  }
})
