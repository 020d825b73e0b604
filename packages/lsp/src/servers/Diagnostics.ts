/** Gathers findings of all servers, by file: those that they publish, and those that they are asked for. */
import * as Effect from "effect/Effect"
import type * as Duration from "effect/Duration"
import type * as Stream from "effect/Stream"
import type { DocumentStore } from "../documents/DocumentStore.ts"
import * as FileText from "../documents/FileText.ts"
import type { DiagnosticStore, FileDiagnostics } from "./DiagnosticStore.ts"
import type { LanguageServerError } from "../LanguageServerError.ts"
import type { LanguageServer } from "./LanguageServer.ts"
import type { Pulling } from "./Pulling.ts"
import type { Slot } from "./Slot.ts"

/** The findings about one file. */
export interface Findings {
  readonly found: ReadonlyArray<FileDiagnostics>
  /** Ids of servers that have not reported about the text as it is now. Their earlier findings stand in `found`, and are not current. */
  readonly waitingFor: ReadonlyArray<string>
}

export interface Diagnostics {
  /** Gives each server of the file its text as it is now, and waits until all have reported about it. Default: at most 5 s. */
  readonly of: (
    path: string,
    options?: { readonly within?: Duration.Input }
  ) => Effect.Effect<Findings, LanguageServerError>
  /** Known findings about a file, without asking. */
  readonly known: (path: string) => ReadonlyArray<FileDiagnostics>
  readonly all: Effect.Effect<ReadonlyArray<FileDiagnostics>>
  /**
   * Asks each server that runs and answers about all files at once. All of them get the texts that have changed on the disk. Returns
   * what is known then, also what is not current. Default: at most 5 s.
   */
  readonly everywhere: (options?: { readonly within?: Duration.Input }) => Effect.Effect<ReadonlyArray<FileDiagnostics>>
  /** Paths whose diagnostics change from now on. */
  readonly changes: Stream.Stream<string>
}

interface Parts {
  readonly found: DiagnosticStore
  readonly forFile: (path: string) => Effect.Effect<ReadonlyArray<LanguageServer>, LanguageServerError>
  readonly slots: () => ReadonlyArray<Slot>
  readonly pulling: Pulling
  readonly store: DocumentStore
}

/** Most files that a server is asked about anew. */
const mostRenewed = 64

export const make = ({ forFile, found, pulling, slots, store }: Parts): Diagnostics => {
  const of: Diagnostics["of"] = (path, { within = "5 seconds" } = {}) =>
    Effect.gen(function* () {
      const servers = yield* forFile(path)
      const asked = slots().filter(({ id, root }) => servers.some((server) => server.id === id && server.root === root))
      yield* Effect.forEach(asked, (slot) => pulling.pull(slot, path), { concurrency: "unbounded", discard: true })
      const silent = () =>
        asked.filter(
          ({ id, root }) => !found.of(path).some((each) => each.server === id && each.root === root && each.isCurrent)
        )
      const wait = Effect.gen(function* () {
        while (silent().length > 0) yield* found.changed
      })
      if (silent().length > 0) yield* Effect.timeoutOption(pulling.attending([path], wait), within)
      return { found: found.of(path), waitingFor: silent().map(({ id }) => id) }
    })

  /** Forgets what was found in files that are there no more. */
  const withoutGone = Effect.gen(function* () {
    const paths = [...new Set(found.all().map(({ path }) => path))]
    const edited = new Set(store.ofEditors().map(({ path }) => path))
    const stamps = yield* FileText.stampsAt(paths)
    for (const [index, path] of paths.entries()) if (stamps[index] === undefined && !edited.has(path)) found.gone(path)
  })

  /** Asks a server anew about files that have changed on the disk, and those whose findings are not current. */
  const renewed = Effect.fnUntraced(function* (slot: Slot) {
    const { id, root } = slot
    const ofDisk =
      slot
        .running()
        ?.documents.all()
        .filter(({ owner }) => owner === "disk") ?? []
    const changed = yield* store.changedOf(ofDisk)
    const stale = found.all().filter((one) => !one.isCurrent && one.server === id && one.root === root)
    const paths = new Set([...changed, ...stale].map(({ path }) => path))
    yield* Effect.forEach([...paths].slice(0, mostRenewed), (path) => Effect.ignore(pulling.pull(slot, path)), {
      concurrency: 4,
      discard: true
    })
  })

  const everywhere: Diagnostics["everywhere"] = ({ within = "5 seconds" } = {}) => {
    const running = slots().filter((slot) => slot.running() !== undefined)
    // What a server does not answer now, it may have answered before.
    const answered = Effect.forEach(running, (slot) => Effect.ignore(pulling.pullAll(slot)), {
      concurrency: "unbounded",
      discard: true
    })
    const asked = Effect.gen(function* () {
      yield* answered
      yield* withoutGone
      yield* Effect.forEach(running, (slot) => renewed(slot), { concurrency: "unbounded", discard: true })
      const isStale = () => found.all().some(({ isCurrent }) => !isCurrent)
      const wait = Effect.gen(function* () {
        while (isStale()) yield* found.changed
      })
      const paths = found.all().map(({ path }) => path)
      if (isStale()) yield* pulling.attending(paths, wait)
    })
    return Effect.map(Effect.timeoutOption(asked, within), found.all)
  }
  return { of, everywhere, known: found.of, all: Effect.sync(found.all), changes: found.changes }
}
