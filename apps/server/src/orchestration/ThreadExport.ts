/** A whole thread as lines of JSON, read page by page: however long the thread is, little of it is in memory at a time. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { ThreadNotFound, ThreadUnreadable } from "@signalbox/contracts/Rpc"
import type { ItemView, ThreadHead, TurnView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { StorageError } from "../storage/StorageError.ts"
import type { StoredPage, ThreadStore } from "../storage/ThreadStore.ts"
import * as Redaction from "@signalbox/redaction/Redaction"
import * as Secrets from "@signalbox/redaction/Secrets"
import { withWholeTexts } from "./OutputExtraction.ts"

/** Entries that are read at once. */
const pageSize = 100

/** What one line holds. */
export type ExportedLine =
  | { readonly thread: Omit<ThreadHead, "turns" | "earlier"> }
  | { readonly turn: TurnView }
  | { readonly item: ItemView }

type Store = Pick<ThreadStore["Service"], "load" | "page" | "chunk">

/**
 * First what the thread is, then each turn before its entries, oldest first. Each has all its text that is kept: an {@link ExportedLine}
 * with its line break each. The thread as of its last fold, so that whoever holds it in memory folds first; a thread that was never folded
 * is not found.
 */
export const exportThread = (
  store: Store,
  threadId: ThreadId
): Stream.Stream<string, ThreadNotFound | ThreadUnreadable> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const stored = yield* store.load(threadId, { turns: 1, items: 1 })
      if (stored?.folded === undefined) return yield* new ThreadNotFound({ threadId })
      const { nextItem } = stored
      const { earlier: _, earlierCount: __, turns: ___, ...thread } = stored.folded.head
      const { turns: waiting } = stored.folded.latest
      const told = new Set<number>()

      /** Places follow each other without a gap, so that a page that ends at a place also begins at one. */
      const linesFrom = Effect.fnUntraced(function* (first: number) {
        if (first >= nextItem) return [lines(told, { items: [], turns: waiting }), Option.none<number>()] as const
        const behind = Math.min(first + pageSize, nextItem)
        const size = behind - first
        const page = yield* store.page(threadId, behind, { turns: size, items: size })
        // Somebody removed it meanwhile: half a record is none.
        if (page.items.length === 0) return yield* new ThreadNotFound({ threadId })
        // An entry that was written to another place left its own empty: a page then reaches into the one before it.
        const items = page.items.filter(({ position }) => position >= first)
        return [lines(told, { items, turns: page.turns }), Option.some(behind)] as const
      })

      return Stream.make<[ExportedLine]>({ thread }).pipe(
        Stream.concat(Stream.paginate(1, linesFrom)),
        Stream.mapEffect((line) => Effect.map(whole(store, threadId, line), (text) => `${JSON.stringify(text)}\n`))
      )
    })
  ).pipe(Stream.catchTag("StorageError", ({ problem }) => Stream.fail(new ThreadUnreadable({ threadId, problem }))))

/** The lines of an export as they may leave the server: without secrets, the first with the notice. */
export const safely =
  (secrets: Secrets.Secrets) =>
  <E>(lines: Stream.Stream<string, E>): Stream.Stream<string, E> =>
    Stream.map(lines, (line, index) => {
      const json = line.trimEnd()
      const whole = index === 0 ? JSON.stringify({ ...JSON.parse(json), secrets: Secrets.notice }) : json
      return `${secrets.without(Redaction.text(whole))}\n`
    })

/** A page line by line; `told` are the places of turns that have their line. */
const lines = (told: Set<number>, { items, turns }: Pick<StoredPage, "items" | "turns">): Array<ExportedLine> => {
  const left = turns.filter(({ position }) => !told.has(position))
  const tell = (through: number): Array<ExportedLine> => {
    const begun = left.filter(({ firstItem, position }) => !told.has(position) && (firstItem ?? behindAll) <= through)
    for (const { position } of begun) told.add(position)
    return begun.map(({ turn }) => ({ turn }))
  }
  return items.length === 0 ? tell(behindAll) : items.flatMap(({ item, position }) => [...tell(position), { item }])
}

/** The place of a turn that has no entries yet. */
const behindAll = Number.POSITIVE_INFINITY

const whole = (store: Store, threadId: ThreadId, line: ExportedLine): Effect.Effect<ExportedLine, StorageError> => {
  if (!("item" in line) || line.item.type !== "tool" || line.item.tool.long === undefined) return Effect.succeed(line)
  const { item } = line
  const read = (name: string) => store.chunk(threadId, name)
  return Effect.map(withWholeTexts(item.tool, read), (tool) => ({ item: { ...item, tool } }))
}
