/** The state in the place of the log that led to it: written, read again whole or in windows, and no larger than it has to be. */
import { EventId, ItemId, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as fs from "node:fs"
import type { PlacedItem, StoredPage, Window } from "../../src/storage/ThreadStore.ts"
import * as Databases from "../support/Databases.ts"
import { common, created, delta, runtime, threadId, toolCall, turnId, warning } from "../support/ThreadEvents.ts"
import { everything, ThreadRecord, viewOf } from "../support/ThreadRecord.ts"

const nth = (n: number) => TurnId.make(`turn-${n}`)
const queued = (id: TurnId): ThreadEvent => ({
  type: "turn.queued",
  ...common,
  turnId: id,
  prompt: [{ type: "text", text: `ask ${id}` }]
})
const dispatched = (id: TurnId): ThreadEvent => ({ type: "turn.dispatched", ...common, turnId: id })
const completed = (id: TurnId): ThreadEvent => ({
  type: "turn.completed",
  ...runtime,
  turnId: id,
  outcome: "completed"
})
const withdrawn = (id: TurnId): ThreadEvent => ({ type: "turn.withdrawn", ...common, turnId: id })
const said = (id: TurnId, text: string, offset = 0): ThreadEvent => ({
  type: "message.delta",
  ...runtime,
  turnId: id,
  itemId: ItemId.make(`${id}:assistant`),
  offset,
  text
})
/** An entry of its own for each name. */
const noted = (id: TurnId, name: string): ThreadEvent => ({
  type: "runtime.warning",
  ...runtime,
  eventId: EventId.make(name),
  turnId: id,
  message: name
})
/** A turn of `entries` + 2 entries: its prompt, so many warnings, its answer. */
const turnOf = (n: number, entries: number): ReadonlyArray<ThreadEvent> => [
  queued(nth(n)),
  dispatched(nth(n)),
  ...Array.from({ length: entries }, (_, index) => noted(nth(n), `${n}.${index}`)),
  said(nth(n), `answer ${n}`),
  completed(nth(n))
]

describe("a thread that was folded", () => {
  it.effect("is the same when it is read again, with what happened since", () =>
    Effect.gen(function* () {
      const { file, store } = yield* Databases.fresh
      const record = new ThreadRecord(threadId)
      yield* store.commit([record.step([created, queued(turnId), dispatched(turnId), delta("Hello")])])
      yield* store.fold(record.fold())
      assert.deepStrictEqual(Databases.query(file, "SELECT count(*) AS events FROM events"), [{ events: 0 }])
      yield* store.commit([record.step([delta(", world", 5), completed(turnId)])])
      const loaded = yield* store.load(threadId, everything)
      assert.deepStrictEqual(viewOf(loaded!), record.view)
      assert.strictEqual(loaded?.tail.length, 2)
      assert.strictEqual(loaded?.nextItem, 3)
      assert.strictEqual(loaded?.nextTurn, 2)
    })
  )

  it.effect("gives single entries and turns, and what people said", () =>
    Effect.gen(function* () {
      const { store } = yield* Databases.fresh
      const record = new ThreadRecord(threadId)
      yield* store.commit([record.step([created, ...turnOf(1, 1), ...turnOf(2, 1)])])
      yield* store.fold(record.fold())
      const ids = [ItemId.make(`${nth(2)}:assistant`), ItemId.make("nobody"), ItemId.make(`${nth(1)}:prompt`)]
      const items = yield* store.items(threadId, ids)
      assert.deepStrictEqual(
        items.map(({ item, position }) => [item.itemId, position]),
        [
          [ids[0]!, 6],
          [ids[2]!, 1]
        ]
      )
      const turns = yield* store.turns(threadId, [nth(2), TurnId.make("nobody")])
      assert.deepStrictEqual(
        turns.map(({ firstItem, position, turn }) => [turn.turnId, position, firstItem]),
        [[nth(2), 2, 4]]
      )
      assert.deepStrictEqual(yield* store.prompts(threadId), ["ask turn-1", "ask turn-2"])
      assert.deepStrictEqual(yield* store.prompts(ThreadId.make("other")), [])
    })
  )

  it.effect("does not have a turn any more that was taken back, but remembers its id", () =>
    Effect.gen(function* () {
      const { store } = yield* Databases.fresh
      const record = new ThreadRecord(threadId)
      yield* store.commit([record.step([created, ...turnOf(1, 0), queued(nth(2)), queued(nth(3))])])
      yield* store.fold(record.fold())
      yield* store.commit([record.step([withdrawn(nth(3)), withdrawn(nth(2))])])
      yield* store.fold(record.fold())
      const loaded = yield* store.load(threadId, everything)
      assert.deepStrictEqual(viewOf(loaded!), record.view)
      assert.strictEqual(loaded?.nextTurn, 2)
      assert.isTrue(yield* store.hasTurn(threadId, nth(3)))
      assert.deepStrictEqual(yield* store.unsettled, [])
    })
  )

  it.effect("keeps an entry at its place whose id comes a second time, at another place", () =>
    Effect.gen(function* () {
      const { store } = yield* Databases.fresh
      const record = new ThreadRecord(threadId)
      yield* store.commit([record.step([created, ...turnOf(1, 2)])])
      const fold = record.fold()
      yield* store.fold(fold)
      const again = fold.items.map(({ item }) => ({ position: 5, item: { ...item, at: 2 } })).slice(1, 2)
      yield* store.fold({ ...fold, items: again })
      const latest = (yield* store.load(threadId, everything))!.folded!.latest
      assert.deepStrictEqual(
        latest.items.map(({ item, position }) => [position, item.at]),
        [
          [1, 1],
          [2, 2],
          [3, 1],
          [4, 1]
        ]
      )
    })
  )

  it.effect("is not folded at all when a part of it can't be written", () =>
    Effect.gen(function* () {
      const { store } = yield* Databases.fresh
      const record = new ThreadRecord(threadId)
      yield* store.commit([record.step([created, ...turnOf(1, 3)])])
      const fold = record.fold()
      const [turn] = fold.turns
      const stranger = { position: 2, turn: { ...turn!.turn, turnId: TurnId.make("stranger") } }
      yield* Effect.flip(store.fold({ ...fold, turns: [...fold.turns, stranger] }))
      const loaded = yield* store.load(threadId, everything)
      assert.isUndefined(loaded?.folded)
      assert.deepStrictEqual(viewOf(loaded!), record.view)
    })
  )
})

describe("a window of a thread", () => {
  const folded = (events: ReadonlyArray<ThreadEvent>) =>
    Effect.gen(function* () {
      const { store } = yield* Databases.fresh
      const record = new ThreadRecord(threadId)
      yield* store.commit([record.step([created, ...events])])
      yield* store.fold(record.fold())
      return { store, view: record.view! }
    })
  const turnsOf = ({ turns }: StoredPage) => turns.map(({ turn }) => turn.turnId)
  const positionsOf = ({ items }: StoredPage) => items.map(({ position }) => position)

  it.effect("holds the latest turns, and the pages before it hold the others", () =>
    Effect.gen(function* () {
      const events = [1, 2, 3, 4, 5].flatMap((n) => turnOf(n, 1))
      const { store } = yield* folded([warning("before all turns"), ...events])
      const window = { turns: 2, items: 100 }
      const latest = (yield* store.load(threadId, window))!.folded!.latest
      assert.deepStrictEqual(turnsOf(latest), [nth(4), nth(5)])
      assert.deepStrictEqual(positionsOf(latest), [11, 12, 13, 14, 15, 16])
      assert.isTrue(latest.more)
      const second = yield* store.page(threadId, 11, window)
      assert.deepStrictEqual(turnsOf(second), [nth(2), nth(3)])
      assert.deepStrictEqual(positionsOf(second), [5, 6, 7, 8, 9, 10])
      const first = yield* store.page(threadId, 5, window)
      assert.deepStrictEqual(turnsOf(first), [nth(1)])
      assert.deepStrictEqual(positionsOf(first), [1, 2, 3, 4])
      assert.isFalse(first.more)
      assert.deepStrictEqual(yield* store.page(threadId, 1, window), { items: [], turns: [], more: false })
    })
  )

  it.effect("holds no more entries than it may, and only the turns that they belong to", () =>
    Effect.gen(function* () {
      const { store } = yield* folded([...turnOf(1, 1), ...turnOf(2, 10), ...turnOf(3, 1)])
      const window = { turns: 20, items: 5 }
      const latest = (yield* store.load(threadId, window))!.folded!.latest
      assert.deepStrictEqual(positionsOf(latest), [14, 15, 16, 17, 18])
      assert.deepStrictEqual(turnsOf(latest), [nth(2), nth(3)])
      const before = yield* store.page(threadId, 14, window)
      assert.deepStrictEqual(positionsOf(before), [9, 10, 11, 12, 13])
      assert.deepStrictEqual(turnsOf(before), [nth(2)])
    })
  )

  it.effect("holds no more text than it may, but one entry at least, and pages reach the beginning", () =>
    Effect.gen(function* () {
      const long = (n: number) => [
        queued(nth(n)),
        dispatched(nth(n)),
        said(nth(n), "x".repeat(50_000)),
        completed(nth(n))
      ]
      const { store, view } = yield* folded([...long(1), ...long(2), ...long(3), ...turnOf(4, 3)])
      for (const weight of [1, 60_000, 110_000]) {
        const window = { turns: 20, items: 100, weight }
        const found = yield* pages(store, (yield* store.load(threadId, window))!.folded!.latest, window)
        assert.deepStrictEqual(
          found.flatMap(({ items }) => items.map(({ item }) => item)),
          view.items
        )
        for (const { items } of found) {
          const sizes = items.map(({ item }) => JSON.stringify(item).length)
          // Only the first entry of a page may go beyond the limit.
          assert.isBelow(
            sizes.slice(1).reduce((sum, size) => sum + size, 0),
            weight
          )
        }
      }
    })
  )

  it.effect("holds every turn that was not over, however many wait behind it", () =>
    Effect.gen(function* () {
      const waiting = Array.from({ length: 30 }, (_, index) => queued(nth(index + 3)))
      const { store, view } = yield* folded([...turnOf(1, 1), queued(nth(2)), dispatched(nth(2)), ...waiting])
      const loaded = (yield* store.load(threadId, { turns: 3, items: 100 }))!
      assert.deepStrictEqual(
        turnsOf(loaded.folded!.latest),
        view.turns.slice(1).map(({ turnId }) => turnId)
      )
      assert.deepStrictEqual(positionsOf(loaded.folded!.latest), [4])
      assert.isTrue(loaded.folded!.latest.more)
    })
  )

  it.effect("of a thread that has only turns that wait is there too", () =>
    Effect.gen(function* () {
      const { store, view } = yield* folded([warning("one"), queued(nth(1)), queued(nth(2))])
      const loaded = yield* store.load(threadId, { turns: 1, items: 100 })
      assert.deepStrictEqual(viewOf(loaded!), view)
    })
  )
})

/** Walks from the end to the beginning. */
const pages = Effect.fnUntraced(function* (store: Databases.Opened["store"], latest: StoredPage, window: Window) {
  const found: Array<StoredPage> = [latest]
  for (let page = latest; page.more;) {
    page = yield* store.page(threadId, page.items[0]!.position, window)
    assert.isNotEmpty(page.items)
    found.unshift(page)
  }
  return found
})

/** A thread that is made up by numbers: turns that wait, run, end and are taken back, texts, calls, and what comes too late. */
class Play {
  readonly #waiting: Array<TurnId> = []
  readonly #lengths = new Map<string, number>()
  #running: TurnId | undefined
  #ended: TurnId | undefined
  #count = 0

  next(choice: number): ThreadEvent {
    const running = this.#running
    if (choice === 0) {
      const id = nth(++this.#count)
      this.#waiting.push(id)
      return queued(id)
    }
    if (choice === 1 && running === undefined && this.#waiting.length > 0)
      return dispatched((this.#running = this.#waiting.shift()!))
    if (choice === 2 && this.#waiting.length > 0) return withdrawn(this.#waiting.pop()!)
    if (choice === 3 && running !== undefined) {
      this.#running = undefined
      return completed((this.#ended = running))
    }
    if (choice === 4 && this.#ended !== undefined) return this.#text(this.#ended, true)
    if (choice < 8 && running !== undefined) return this.#text(running, false)
    if (choice < 10 && running !== undefined) {
      const tool = toolCall({ toolCallId: `call-${choice}`, title: `state ${this.#count}` })
      return { type: "tool.updated", ...runtime, turnId: running, itemId: ItemId.make(`${running}:${choice}`), tool }
    }
    return { ...warning("something"), eventId: EventId.make(`warning-${++this.#count}`) }
  }

  #text(id: TurnId, late: boolean): ThreadEvent {
    const offset = this.#lengths.get(id) ?? 0
    this.#lengths.set(id, offset + 1)
    return { ...said(id, "x", offset), ...(late && { late: true }) }
  }
}

describe("whatever is committed and folded, in any order", () => {
  const below = (maximum: number, minimum = 0) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
  const choices = Schema.Array(below(12))

  it.live.prop(
    "is the same thread when it is read, whole or page by page",
    { choices, size: below(4, 1), turns: below(3, 1), items: below(6, 1) },
    ({ choices, items, size, turns }) =>
      Effect.gen(function* () {
        const { store } = yield* Databases.fresh
        const record = new ThreadRecord(threadId)
        const play = new Play()
        yield* store.commit([record.step([created])])
        const step: Array<ThreadEvent> = []
        const commit = () => store.commit([record.step(step.splice(0))])
        for (const choice of choices) {
          if (choice < 12) step.push(play.next(choice))
          if (step.length >= size || choice === 12) yield* commit()
          if (choice === 12) yield* store.fold(record.fold())
        }
        yield* commit()
        assert.deepStrictEqual(viewOf((yield* store.load(threadId, everything))!), record.view)
        yield* store.fold(record.fold())
        const window = { turns, items }
        const loaded = (yield* store.load(threadId, window))!
        const walked = yield* pages(store, loaded.folded!.latest, window)
        const seen = walked.flatMap((page): ReadonlyArray<PlacedItem> => page.items)
        assert.deepStrictEqual(
          seen.map(({ item }) => item),
          record.view!.items
        )
        for (const page of walked) assert.isAtMost(page.items.length, items)
        const turnIds = new Set(walked.flatMap((page) => page.turns.map(({ turn }) => turn.turnId)))
        assert.sameMembers(
          [...turnIds],
          record.view!.turns.map(({ turnId }) => turnId)
        )
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 25, size: 80 } }
  )
})

describe("the size of the database", () => {
  it.live("is at most twice that of the transcript, however a turn was streamed", () =>
    Effect.gen(function* () {
      const path = yield* Databases.file
      const record = new ThreadRecord(threadId)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { store } = yield* Databases.open(path)
          yield* store.commit([record.step([created])])
          for (let turn = 1; turn <= 10; turn++) {
            yield* store.commit([record.step([queued(nth(turn)), dispatched(nth(turn))])])
            for (let step = 0; step < 100; step++) {
              const pieces = Array.from({ length: 20 }, (_, index) =>
                said(nth(turn), `word ${String(index).padStart(4)} `, (step * 20 + index) * 10)
              )
              yield* store.commit([record.step([...pieces, noted(nth(turn), `${turn}.${step}`)])])
              if (step % 25 === 24) yield* store.fold(record.fold())
            }
            yield* store.commit([record.step([completed(nth(turn))])])
            yield* store.fold(record.fold())
          }
        })
      )
      const transcript = JSON.stringify(record.view!.items).length
      assert.isAbove(transcript, 250_000)
      assert.isBelow(fs.statSync(path).size, 2 * transcript + 256 * 1024)
    })
  )
})
