/** Text files of threads, as pages edit them: watched, held by one page at a time, saved and merged. */
import {
  type DocumentFrame,
  type DocumentMerged,
  type DocumentSaved,
  type DocumentToMerge,
  type DocumentToSave,
  mostDocumentBytes,
  type PageId
} from "@signalbox/contracts/Documents"
import type { FolderFrame } from "@signalbox/contracts/FolderEntries"
import type { Refused } from "@signalbox/contracts/Refused"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as TextFiles from "../workspace/TextFiles.ts"
import { OwnFolders } from "../workspace/ProtectedPaths.ts"
import * as DocumentFile from "./DocumentFile.ts"
import * as DocumentHolds from "./DocumentHolds.ts"
import * as DocumentPlace from "./DocumentPlace.ts"
import * as DocumentProblem from "./DocumentProblem.ts"
import * as DocumentWatch from "./DocumentWatch.ts"
import * as FolderWatch from "./FolderWatch.ts"
import * as ThreeWayMerge from "./ThreeWayMerge.ts"

/** A file, by the folder of its thread. */
interface Place {
  readonly folder: string
  readonly path: string
}

export class Documents extends Context.Service<
  Documents,
  {
    /** A file: now, and after every change; and who edits it. */
    readonly watch: (place: Place & { readonly page: PageId; readonly write: boolean }) => Stream.Stream<DocumentFrame>
    /** A folder: now, and after every change. */
    readonly watchFolder: (place: Place) => Stream.Stream<FolderFrame>
    readonly takeOver: (place: Place & { readonly page: PageId }) => Effect.Effect<void, Refused>
    /** Writes the file at once if the disk has what the text was made from. */
    readonly save: (place: Place & Omit<DocumentToSave, "threadId">) => Effect.Effect<DocumentSaved, Refused>
    /** Merges a text with what the disk has. Writes nothing. */
    readonly merge: (place: Place & Omit<DocumentToMerge, "threadId">) => Effect.Effect<DocumentMerged, Refused>
  }
>()("@signalbox/server/documents/Documents") {}

const make = Effect.gen(function* () {
  const own = yield* OwnFolders
  const holds = DocumentHolds.make()
  /** What each page has seen of each file that it has open. */
  const watches = new Set<{
    readonly page: PageId
    readonly path: string
    readonly seen: Ref.Ref<DocumentWatch.Seen>
  }>()
  const placeOf = ({ folder, path }: Place) => Effect.provideService(DocumentPlace.of(folder, path), OwnFolders, own)

  /** The name under which a file is held: its path without links, where that can be found out. */
  const nameOf = (place: DocumentPlace.DocumentPlace) =>
    DocumentFile.facts(place).pipe(
      Effect.map((facts) => facts?.real ?? place.path),
      Effect.orElseSucceed(() => place.path)
    )

  const disk = Effect.fnUntraced(function* (place: DocumentPlace.DocumentPlace) {
    const facts = yield* DocumentFile.facts(place).pipe(
      Effect.catch((error) => Effect.flatMap(DocumentProblem.unreadable(place, error), Effect.fail))
    )
    return facts === undefined ? undefined : yield* DocumentFile.read(place, facts)
  })

  return Documents.of({
    watch: ({ page, write, ...at }) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const place = yield* placeOf(at)
          const holders = yield* holds.enter(yield* nameOf(place), page, write)
          const watch = { page, path: place.path, seen: yield* Ref.make<DocumentWatch.Seen>({}) }
          yield* Effect.acquireRelease(
            Effect.sync(() => watches.add(watch)),
            () => Effect.sync(() => watches.delete(watch))
          )
          return Stream.merge(
            Stream.map(holders, (holder): DocumentFrame => ({ type: "hold", holder })),
            DocumentWatch.changes(place, watch.seen)
          )
        })
      ),
    watchFolder: (at) => Stream.unwrap(Effect.map(placeOf(at), FolderWatch.changes)),
    takeOver: Effect.fn("Documents.takeOver")(function* ({ page, ...at }) {
      const place = yield* placeOf(at)
      if (!(yield* holds.takeOver(yield* nameOf(place), page))) return yield* DocumentProblem.notWatched(place)
    }),
    save: Effect.fn("Documents.save")(function* ({ base, encoding, page, text, ...at }) {
      const place = yield* placeOf(at)
      if (!text.isWellFormed()) return yield* DocumentProblem.notText(place)
      const content = DocumentFile.contentOf(text, encoding)
      const bytes = Buffer.byteLength(content)
      if (bytes > mostDocumentBytes) return yield* DocumentProblem.tooLong(place, bytes)
      if (!holds.maySave(yield* nameOf(place), page)) return yield* DocumentProblem.heldElsewhere(place)
      const expected = base === null ? "nothing" : { version: base }
      const written = yield* TextFiles.write(place.grant, place.path, content, expected).pipe(
        Effect.as(true),
        Effect.catchIf(
          ({ reason }) => reason === "changed",
          () => Effect.succeed(false)
        ),
        Effect.mapError((error) => DocumentProblem.unwritable(place, error))
      )
      if (written) {
        const facts = yield* Effect.orElseSucceed(DocumentFile.facts(place), () => undefined)
        const saved: DocumentSaved = {
          type: "saved",
          document: DocumentFile.documentOf(content, facts?.writtenAt ?? 0)
        }
        for (const watch of watches)
          if (watch.page === page && watch.path === place.path)
            yield* Ref.set(watch.seen, DocumentWatch.afterSave(saved.document.version, facts))
        return saved
      }
      const there = yield* disk(place)
      const changed: DocumentSaved = {
        type: "changed",
        disk: there === undefined ? { type: "gone" } : { type: "text", document: there }
      }
      return changed
    }, Effect.uninterruptible),
    merge: Effect.fn("Documents.merge")(function* ({ base, mine, ...at }) {
      const place = yield* placeOf(at)
      const there = yield* disk(place)
      if (there === undefined) return yield* DocumentProblem.missing(place)
      return { disk: there, merge: yield* ThreeWayMerge.merge({ base, mine, theirs: there.text }) }
    })
  })
})

export const layer = Layer.effect(Documents, make)
