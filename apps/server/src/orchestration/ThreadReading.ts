/** What clients read of a thread: its state and what happens to it, the pages before that, long texts. Each waits for the thread's lane. */
import type { BootId, Cursor, ItemId, Sequence } from "@signalbox/contracts/Ids"
import { promptWords } from "@signalbox/contracts/Content"
import { defaultTurnLimit } from "@signalbox/contracts/Rpc"
import type { ThreadFrame } from "@signalbox/contracts/ThreadFrame"
import { OutputNotFound, ThreadNotFound, ThreadUnreadable } from "@signalbox/contracts/ThreadErrors"
import type { ItemView, ThreadPage, ThreadView } from "@signalbox/contracts/ThreadView"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import { isRunning } from "@signalbox/threads/TurnState"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type { StorageError } from "../storage/StorageError.ts"
import type { StoredPage, ThreadStore, Window } from "../storage/ThreadStore.ts"
import { cursorAt, positionOf } from "./Cursors.ts"
import type { FollowError } from "./Followers.ts"
import type { ThreadFeed } from "./ThreadFeed.ts"
import type { ThreadLog } from "./ThreadLog.ts"
import * as ThreadState from "./ThreadState.ts"
import * as ThreadWindow from "./ThreadWindow.ts"
import * as Unfolded from "./Unfolded.ts"

export interface ThreadReading {
  /** See `Threads.watch`; `after` is a place of this run of the server. */
  readonly watch: (options: {
    readonly after?: Sequence
    readonly turnLimit?: number
  }) => Stream.Stream<ThreadFrame, FollowError>
  /** See `Threads.earlier`. */
  readonly earlier: (before: Cursor, turnLimit: number) => Effect.Effect<ThreadPage, StorageError>
  /** See `Threads.later`. */
  readonly later: (from: Cursor | undefined, until: Cursor) => Effect.Effect<ThreadPage, StorageError>
  /** See `Threads.output`. */
  readonly output: (itemId: ItemId, part: string) => Stream.Stream<string, OutputNotFound | StorageError>
  /** Prompts in the order in which they were sent, but for that of a turn that goes on. */
  readonly prompts: Effect.Effect<ReadonlyArray<string>, StorageError>
}

interface Options {
  readonly bootId: BootId
  readonly state: ThreadState.ThreadState
  readonly store: ThreadStore["Service"]
  readonly lane: Semaphore.Semaphore
  readonly feed: ThreadFeed
  readonly log: Pick<ThreadLog, "fold">
}

export const make = ({ bootId, feed, lane, log, state, store }: Options): ThreadReading => {
  const { threadId } = state
  const inLane = Semaphore.withPermit(lane)

  /** Writes the state if rows before a position are not as it is now. */
  const upToDate = (position: number) =>
    Effect.suspend(() => (Unfolded.isBefore(state, position) ? log.fold : Effect.void))

  const pageBefore = (position: number, window: Window): Effect.Effect<StoredPage, StorageError> =>
    Effect.andThen(upToDate(position), store.page(threadId, position, window))

  /** The latest turns, so many of them, from memory and from the disk. */
  const latest = (turnLimit: number): Effect.Effect<ThreadView, StorageError> => {
    const view = ThreadWindow.latest(state, turnLimit)
    if (view === undefined) return Effect.die(new Error(`The thread ${threadId} is read before it was created.`))
    const turns = turnLimit - view.turns.length
    const items = ThreadState.window.items - view.items.length
    if (turnLimit <= defaultTurnLimit || view.earlier === undefined || turns <= 0 || items <= 0)
      return Effect.succeed(view)
    return Effect.map(pageBefore(state.begins, { ...ThreadState.window, turns, items }), (page) =>
      ThreadProjection.withEarlier(view, pageOf(page))
    )
  }

  const snapshot = (turnLimit: number): Effect.Effect<ThreadFrame, ThreadUnreadable> =>
    inLane(Effect.suspend(() => latest(turnLimit))).pipe(
      Effect.map((view): ThreadFrame => ({ type: "snapshot", bootId, view })),
      Effect.catchTag("StorageError", ({ problem }) => new ThreadUnreadable({ threadId, problem }))
    )

  const itemOf = (itemId: ItemId): Effect.Effect<ItemView | undefined, StorageError> => {
    const entry = state.entries.byId.get(itemId)
    return entry === undefined
      ? Effect.map(store.items(threadId, [itemId]), ([placed]) => placed?.item)
      : Effect.succeed(entry.item)
  }

  return {
    watch: ({ after, turnLimit = defaultTurnLimit }) =>
      Stream.unwrap(
        Effect.suspend(() =>
          state.head === undefined || feed.hasEnded()
            ? Effect.fail(new ThreadNotFound({ threadId }))
            : feed.follow(after, snapshot(turnLimit))
        ).pipe(inLane)
      ),
    earlier: (cursor, turnLimit) => {
      const position = positionOf(cursor)
      // A cursor that we never gave out has nothing before it.
      if (position === undefined) return Effect.succeed({ turns: [], items: [] })
      return Effect.map(inLane(pageBefore(position, { ...ThreadState.window, turns: turnLimit })), pageOf)
    },
    later: (from, until) => {
      const first = from === undefined ? 1 : positionOf(from)
      const behind = positionOf(until)
      if (first === undefined || behind === undefined) return Effect.succeed({ turns: [], items: [] })
      const stored = store.pageFrom(threadId, first, behind, ThreadState.window)
      return Effect.map(inLane(Effect.andThen(upToDate(behind), stored)), (page) => {
        const next = (page.items.at(-1)?.position ?? behind) + 1
        return { ...pageOf(page), ...(next < behind && { later: cursorAt(next) }) }
      })
    },
    output: Effect.fnUntraced(function* (itemId: ItemId, part: string) {
      const item = yield* inLane(Effect.suspend(() => itemOf(itemId)))
      const long = item?.type === "tool" ? item.tool.long?.find((text) => text.part === part) : undefined
      if (long === undefined) return yield* new OutputNotFound({ itemId, part })
      return Stream.mapEffect(Stream.fromIterable(long.chunks), (name) =>
        Effect.flatMap(store.chunk(threadId, name), (text) =>
          text === undefined ? Effect.fail(new OutputNotFound({ itemId, part })) : Effect.succeed(text)
        )
      )
    }, Stream.unwrap),
    prompts: Effect.map(store.prompts(threadId), (folded) => [...folded, ...promptsSince(state)]).pipe(inLane)
  }
}

/** The texts of the prompts that are in no fold yet. */
const promptsSince = (state: ThreadState.ThreadState): ReadonlyArray<string> => {
  const turns = state.head?.turns ?? []
  const going = new Set(turns.filter(({ status }) => isRunning(status)).map(({ turnId }) => turnId))
  return Unfolded.prompts(state)
    .filter(({ turnId }) => turnId === undefined || !going.has(turnId))
    .map(({ prompt }) => promptWords(prompt))
}

const pageOf = ({ items, more, turns }: StoredPage): ThreadPage => ({
  turns: turns.map(({ turn }) => turn),
  items: items.map(({ item }) => item),
  ...(more && items[0] && { earlier: cursorAt(items[0].position), earlierCount: items[0].position - 1 })
})
