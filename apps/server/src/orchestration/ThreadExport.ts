/** A whole thread as lines of JSON. It is read page by page, so only a small part is in memory at a time. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { ThreadNotFound, ThreadUnreadable } from "@signalbox/contracts/ThreadErrors"
import type { ItemView, ThreadHead, TurnView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { StorageError } from "../storage/StorageError.ts"
import type { StoredPage, ThreadStore } from "../storage/ThreadStore.ts"
import * as Redaction from "@signalbox/redaction/Redaction"
import * as Secrets from "@signalbox/redaction/Secrets"
import { withWholeTexts } from "./OutputExtraction.ts"

/** Entries that are read at a time. */
const pageSize = 100

/** The content of one line. */
export type ExportedLine =
  | { readonly thread: Omit<ThreadHead, "turns" | "earlier"> }
  | { readonly turn: TurnView }
  | { readonly item: ItemView }

type Store = Pick<ThreadStore["Service"], "load" | "page" | "chunk">

/**
 * Streams {@link ExportedLine}s, each with a line break: first the thread, then each turn before its entries, oldest
 * first. All stored text is included. It shows the thread at its last fold, so the caller folds it first. A thread that
 * was never folded is not found.
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

      /** Positions have no gaps, so the end of one page is the start of the next. */
      const linesFrom = Effect.fnUntraced(function* (first: number) {
        if (first >= nextItem) return [lines(told, { items: [], turns: waiting }), Option.none<number>()] as const
        const behind = Math.min(first + pageSize, nextItem)
        const size = behind - first
        const page = yield* store.page(threadId, behind, { turns: size, items: size })
        // The thread was deleted in the meantime, and a partial export must not look complete.
        if (page.items.length === 0) return yield* new ThreadNotFound({ threadId })
        // An entry that moved leaves its old position empty, so a page may reach into the one before.
        const items = page.items.filter(({ position }) => position >= first)
        return [lines(told, { items, turns: page.turns }), Option.some(behind)] as const
      })

      return Stream.make<[ExportedLine]>({ thread }).pipe(
        Stream.concat(Stream.paginate(1, linesFrom)),
        Stream.mapEffect((line) => Effect.map(whole(store, threadId, line), (text) => `${JSON.stringify(text)}\n`))
      )
    })
  ).pipe(Stream.catchTag("StorageError", ({ problem }) => Stream.fail(new ThreadUnreadable({ threadId, problem }))))

/** The lines of an export without secrets, with the notice in the first. */
export const safely =
  (secrets: Secrets.Secrets) =>
  <E>(lines: Stream.Stream<string, E>): Stream.Stream<string, E> =>
    Stream.map(lines, (line, index) => {
      const json = line.trimEnd()
      const whole = index === 0 ? JSON.stringify({ ...JSON.parse(json), secrets: Secrets.notice }) : json
      return `${secrets.without(Redaction.text(whole))}\n`
    })

/** The lines of a page. `told`: the positions of turns that already have a line. */
const lines = (told: Set<number>, { items, turns }: Pick<StoredPage, "items" | "turns">): Array<ExportedLine> => {
  const left = turns.filter(({ position }) => !told.has(position))
  const tell = (through: number): Array<ExportedLine> => {
    const begun = left.filter(({ firstItem, position }) => !told.has(position) && (firstItem ?? behindAll) <= through)
    for (const { position } of begun) told.add(position)
    return begun.map(({ turn }) => ({ turn }))
  }
  return items.length === 0 ? tell(behindAll) : items.flatMap(({ item, position }) => [...tell(position), { item }])
}

/** The position of a turn without entries. */
const behindAll = Number.POSITIVE_INFINITY

const whole = (store: Store, threadId: ThreadId, line: ExportedLine): Effect.Effect<ExportedLine, StorageError> => {
  if (!("item" in line) || line.item.type !== "tool" || line.item.tool.long === undefined) return Effect.succeed(line)
  const { item } = line
  const read = (name: string) => store.chunk(threadId, name)
  return Effect.map(withWholeTexts(item.tool, read), (tool) => ({ item: { ...item, tool } }))
}
