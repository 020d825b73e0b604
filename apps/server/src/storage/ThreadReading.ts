/** Reads a thread: the events since its last fold, and pages of folded entries. */
import { promptWords } from "@signalbox/contracts/Content"
import { type CommandId, type ItemId, Sequence, ThreadId, type TurnId } from "@signalbox/contracts/Ids"
import { hasEnded } from "@signalbox/threads/TurnState"
import * as Effect from "effect/Effect"
import { Sqlite } from "./Sqlite.ts"
import { StorageError } from "./StorageError.ts"
import * as ThreadRows from "./ThreadRows.ts"
import type { PlacedItem, PlacedTurn, StoredPage, StoredReceipt, StoredThread, Window } from "./ThreadStore.ts"

export const make = Effect.gen(function* () {
  const { path, prepare, read } = yield* Sqlite
  const rows = ThreadRows.make(path)
  const selectThread = yield* prepare("SELECT provider_options FROM threads WHERE thread_id = ?")
  const selectHead = yield* prepare("SELECT sequence, payload FROM heads WHERE thread_id = ?")
  const selectTail = yield* prepare(
    "SELECT sequence, payload FROM events WHERE thread_id = ? AND sequence > ? ORDER BY sequence"
  )
  const selectReceipt = yield* prepare("SELECT * FROM receipts WHERE thread_id = ? AND command_id = ?")
  const selectLast = yield* prepare(
    `SELECT (SELECT max(position) FROM items WHERE thread_id = ?1) AS item,
            (SELECT max(position) FROM turns WHERE thread_id = ?1) AS turn`
  )
  // Reads the sizes first, which doesn't need the texts.
  const selectItems = yield* prepare(
    `SELECT position, payload FROM items WHERE thread_id = ?1 AND position < ?3 AND position >= (
       SELECT min(position) FROM (
         SELECT position, sum(size) OVER (ORDER BY position DESC) - size AS behind FROM (
           SELECT position, octet_length(payload) AS size FROM items
           WHERE thread_id = ?1 AND position >= ?2 AND position < ?3 ORDER BY position DESC LIMIT ?4))
       WHERE behind < ?5)
     ORDER BY position DESC`
  )
  const selectItemsFrom = yield* prepare(
    `SELECT position, payload FROM items WHERE thread_id = ?1 AND position >= ?2 AND position <= (
       SELECT max(position) FROM (
         SELECT position, sum(size) OVER (ORDER BY position) - size AS before FROM (
           SELECT position, octet_length(payload) AS size FROM items
           WHERE thread_id = ?1 AND position >= ?2 AND position < ?3 ORDER BY position LIMIT ?4))
       WHERE before < ?5)
     ORDER BY position`
  )
  const selectEarlierItem = yield* prepare("SELECT 1 FROM items WHERE thread_id = ? AND position < ? LIMIT 1")
  const selectItem = yield* prepare("SELECT position, payload FROM items WHERE thread_id = ? AND item_id = ?")
  const selectSaid = yield* prepare(
    "SELECT position, payload FROM items WHERE thread_id = ? AND kind = 'prompt' ORDER BY position"
  )
  const selectLatestTurns = yield* prepare(
    `SELECT position, first_item, payload FROM turns WHERE thread_id = ? AND position IS NOT NULL
     ORDER BY position DESC LIMIT ?`
  )
  const selectTurnsBefore = yield* prepare(
    `SELECT position, first_item, payload FROM turns WHERE thread_id = ? AND first_item < ?
     ORDER BY first_item DESC LIMIT ?`
  )
  const selectTurnsGoingOn = yield* prepare(
    "SELECT position, first_item, payload FROM turns WHERE thread_id = ? AND ended = 0"
  )
  const selectEarlierTurn = yield* prepare("SELECT 1 FROM turns WHERE thread_id = ? AND position < ? LIMIT 1")
  const selectTurn = yield* prepare(
    "SELECT position, first_item, payload FROM turns WHERE thread_id = ? AND turn_id = ? AND position IS NOT NULL"
  )
  const selectTurnId = yield* prepare("SELECT 1 FROM turns WHERE thread_id = ? AND turn_id = ?")
  const selectUnsettled = yield* prepare(
    `SELECT thread_id FROM threads WHERE session_open = 1
     UNION SELECT thread_id FROM turns WHERE status IN ('accepted', 'dispatched')`
  )

  /**
   * The latest entries before `before`, from the beginning of the first of `turns` on. The turns that belong to them
   * are included.
   */
  const stretch = (
    threadId: ThreadId,
    turns: ReadonlyArray<PlacedTurn>,
    before: number,
    within: Window
  ): StoredPage => {
    const { items: limit, weight = Number.MAX_SAFE_INTEGER } = within
    const from = beginning(threadId, turns)
    const items = selectItems.all(threadId, from, before, limit, weight).map(rows.item).toReversed()
    const first = items[0]?.position ?? before
    const isHere = ({ firstItem, turn }: PlacedTurn) =>
      firstItem === undefined || firstItem >= first || !hasEnded(turn.status)
    return {
      items,
      turns: withTurnsOf(threadId, items, turns.filter(isHere)),
      more: selectEarlierItem.get(threadId, first) !== undefined
    }
  }

  /** These turns and the turns of the entries, in order. */
  const withTurnsOf = (threadId: ThreadId, items: ReadonlyArray<PlacedItem>, turns: ReadonlyArray<PlacedTurn>) => {
    const shown = new Map(turns.map((placed) => [placed.turn.turnId, placed]))
    for (const { item } of items) {
      if (item.turnId === undefined || shown.has(item.turnId)) continue
      const row = selectTurn.get(threadId, item.turnId)
      if (row) shown.set(item.turnId, rows.turn(row))
    }
    return [...shown.values()].toSorted((one, other) => one.position - other.position)
  }

  const from = (threadId: ThreadId, first: number, until: number, window: Window): StoredPage => {
    const { items: limit, weight = Number.MAX_SAFE_INTEGER } = window
    const items = selectItemsFrom.all(threadId, first, until, limit, weight).map(rows.item)
    return {
      items,
      turns: withTurnsOf(threadId, items, []),
      more: selectEarlierItem.get(threadId, first) !== undefined
    }
  }

  /** The position where the first of these turns begins. Entries before the very first turn belong to it. */
  const beginning = (threadId: ThreadId, turns: ReadonlyArray<PlacedTurn>): number => {
    const first = Math.min(...turns.map(({ position }) => position))
    if (selectEarlierTurn.get(threadId, first) === undefined) return 0
    const firstItems = turns.flatMap(({ firstItem }) => firstItem ?? [])
    return firstItems.length === 0 ? 0 : Math.min(...firstItems)
  }

  const latest = (threadId: ThreadId, window: Window): StoredPage => {
    const found = selectLatestTurns.all(threadId, window.turns)
    const turns = new Map([...selectTurnsGoingOn.all(threadId), ...found].map((row) => [row.position, row]))
    return stretch(threadId, [...turns.values()].map(rows.turn), Number.MAX_SAFE_INTEGER, window)
  }

  const load = (threadId: ThreadId, window: Window): StoredThread | undefined => {
    const thread = selectThread.get(threadId)
    if (thread === undefined) return undefined
    const head = selectHead.get(threadId)
    const last = selectLast.get(threadId)
    const tail = selectTail.all(threadId, Number(head?.sequence ?? 0)).map(rows.event)
    if (head === undefined && tail[0]?.event.type !== "thread.created")
      throw new StorageError({ reason: "corrupt-thread", path, detail: "its log lacks its beginning" })
    return {
      ...(head && { folded: { head: rows.head(head), latest: latest(threadId, window) } }),
      nextItem: Number(last?.item ?? 0) + 1,
      nextTurn: Number(last?.turn ?? 0) + 1,
      tail,
      providerOptions: rows.providerOptions(thread)
    }
  }

  const receipt = (threadId: ThreadId, commandId: CommandId): StoredReceipt | undefined => {
    const row = selectReceipt.get(threadId, commandId)
    if (row === undefined) return undefined
    return {
      commandId,
      sequence: Sequence.make(Number(row.sequence)),
      at: Number(row.at),
      ...(row.digest !== null && { digest: String(row.digest) }),
      ...(row.problem !== null && { problem: rows.problem(row) })
    }
  }

  const prompts = (threadId: ThreadId): ReadonlyArray<string> =>
    selectSaid.all(threadId).flatMap((row) => {
      const { item } = rows.item(row)
      return item.type === "prompt" ? [promptWords(item.prompt)] : []
    })

  return {
    load: (threadId: ThreadId, window: Window) => read(() => load(threadId, window)),
    page: (threadId: ThreadId, before: number, window: Window) =>
      read(() => {
        const turns = selectTurnsBefore.all(threadId, before, window.turns).map(rows.turn)
        return stretch(threadId, turns, before, window)
      }),
    pageFrom: (threadId: ThreadId, first: number, until: number, window: Window) =>
      read(() => from(threadId, first, until, window)),
    items: (threadId: ThreadId, itemIds: ReadonlyArray<ItemId>) =>
      read(() =>
        itemIds.flatMap((itemId): ReadonlyArray<PlacedItem> => {
          const row = selectItem.get(threadId, itemId)
          return row === undefined ? [] : [rows.item(row)]
        })
      ),
    turns: (threadId: ThreadId, turnIds: ReadonlyArray<TurnId>) =>
      read(() =>
        turnIds.flatMap((turnId): ReadonlyArray<PlacedTurn> => {
          const row = selectTurn.get(threadId, turnId)
          return row === undefined ? [] : [rows.turn(row)]
        })
      ),
    prompts: (threadId: ThreadId) => read(() => prompts(threadId)),
    hasTurn: (threadId: ThreadId, turnId: TurnId) => read(() => selectTurnId.get(threadId, turnId) !== undefined),
    receipt: (threadId: ThreadId, commandId: CommandId) => read(() => receipt(threadId, commandId)),
    unsettled: read(() => selectUnsettled.all().map((row) => ThreadId.make(String(row.thread_id))))
  }
})
