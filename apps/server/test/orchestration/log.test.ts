/** A thread's log against the whole thread in memory: whatever is gathered, folded, let go, brought back and read again, it is the same. */
import { promptWords } from "@signalbox/contracts/Content"
import { BootId, type Cursor, type TurnId } from "@signalbox/contracts/Ids"
import type { LoggedEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ItemView, ThreadPage, ThreadView } from "@signalbox/contracts/ThreadView"
import * as TurnCount from "@signalbox/threads/TurnCount"
import * as TurnTotals from "@signalbox/contracts/TurnTotals"
import { isRunning } from "@signalbox/threads/TurnState"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as ThreadFeed from "../../src/orchestration/ThreadFeed.ts"
import * as ThreadLoading from "../../src/orchestration/ThreadLoading.ts"
import * as ThreadLog from "../../src/orchestration/ThreadLog.ts"
import * as ThreadReading from "../../src/orchestration/ThreadReading.ts"
import type { ThreadStore, Window } from "../../src/storage/ThreadStore.ts"
import * as Databases from "../support/Databases.ts"
import { begun, created, delta, threadId } from "../support/ThreadEvents.ts"
import { choices, ThreadLife } from "../support/ThreadLife.ts"

const Choice = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: choices - 1 }))
const dealt = { moves: Schema.Array(Choice), how: Choice }

/** So little that most of a thread is not at hand. */
const narrow: ReadonlyArray<Window> = [
  { turns: 1, items: 3 },
  { turns: 20, items: 100, weight: 600 }
]

/** One whose servers have always written all when they are killed. */
class WrittenLife extends ThreadLife {
  override crash(): void {
    super.crash(0)
  }
}

type Store = ThreadStore["Service"]

const open = Effect.fnUntraced(function* (store: Store, how: number) {
  const { state } = yield* ThreadLoading.load(store, threadId, narrow[how % narrow.length])
  const feed = ThreadFeed.make(
    () => state.head,
    () => undefined
  )
  const log = ThreadLog.make(state, store, feed)
  const lane = Semaphore.makeUnsafe(1)
  return { log, reading: ThreadReading.make({ bootId: BootId.make("boot"), state, store, lane, feed, log }) }
})

type Reading = ThreadReading.ThreadReading

/** Takes entries as an actor does: text is gathered, everything else is kept at once. */
const take = (log: ThreadLog.ThreadLog, store: Store, entries: ReadonlyArray<LoggedEvent>) =>
  Effect.suspend(() => {
    const events = entries.map(({ event }) => event)
    if (log.isText(events)) return Effect.sync(() => log.gather(events))
    return Effect.flatMap(log.stage(events), (step) =>
      Effect.andThen(
        store.commit([step.commit]),
        Effect.sync(() => log.adopt(step))
      )
    )
  })

/** The snapshot that a client begins with, and every page before it. */
const read = Effect.fnUntraced(function* (reading: Reading, turnLimit: number) {
  const [frame] = yield* Stream.runCollect(Stream.take(reading.watch({ turnLimit }), 1))
  if (frame?.type !== "snapshot") throw new Error("Whoever comes without a place gets the state.")
  let { view } = frame
  while (view.earlier !== undefined)
    view = ThreadProjection.withEarlier(view, yield* reading.earlier(view.earlier, turnLimit))
  return view
})

/** The entries from the first one on, page by page up to the window, and then those of the window. */
const forward = Effect.fnUntraced(function* (reading: Reading) {
  const [frame] = yield* Stream.runCollect(Stream.take(reading.watch({ turnLimit: 1 }), 1))
  if (frame?.type !== "snapshot") throw new Error("Whoever comes without a place gets the state.")
  const { earlier: window, earlierCount = 0, items } = frame.view
  if (window === undefined) return items
  const read: Array<ItemView> = []
  for (let from: Cursor | undefined, ended = false; !ended;) {
    const page: ThreadPage = yield* reading.later(from, window)
    read.push(...page.items)
    from = page.later
    ended = from === undefined
  }
  assert.strictEqual(read.length, earlierCount)
  return [...read, ...items]
})

const promptsOf = ({ items, turns }: ThreadView): ReadonlyArray<string> => {
  const going = turns.find(({ status }) => isRunning(status))?.turnId
  return items.flatMap((item) =>
    item.type === "prompt" && (item.turnId === undefined || item.turnId !== going) ? [promptWords(item.prompt)] : []
  )
}

/** What the entries of a turn amount to. */
const recounted = ({ items }: ThreadView, turnId: TurnId): TurnTotals.TurnTotals =>
  items
    .filter((item) => item.turnId === turnId)
    .reduce((totals, item) => TurnCount.after(totals, undefined, item), TurnTotals.none)

describe("a log of which little is at hand", () => {
  it.live.prop(
    "is the whole thread, window and pages together, at any time and after a restart",
    dealt,
    ({ how, moves }) =>
      Effect.gen(function* () {
        const { store } = yield* Databases.fresh
        let { log, reading } = yield* open(store, how)
        const life = new WrittenLife(() => undefined)
        let known = 0
        const catchUp = Effect.suspend(() => {
          const news = life.log.slice(known)
          known = life.log.length
          return news.length === 0 ? Effect.void : take(log, store, news)
        })
        const compare = Effect.fnUntraced(function* (turnLimit: number) {
          const seen = yield* read(reading, turnLimit)
          const wanted = life.view
          // One by one: a thread at once is more than a message shows.
          assert.deepStrictEqual(
            seen.items.map(({ itemId }) => itemId),
            wanted.items.map(({ itemId }) => itemId)
          )
          for (const [index, item] of seen.items.entries()) assert.deepStrictEqual(item, wanted.items[index])
          for (const [index, turn] of seen.turns.entries()) assert.deepStrictEqual(turn, wanted.turns[index])
          assert.deepStrictEqual(seen, wanted)
          for (const { totals = TurnTotals.none, turnId } of seen.turns)
            assert.deepStrictEqual(totals, recounted(seen, turnId))
        })
        yield* catchUp
        for (const move of moves) {
          life.move(move)
          yield* catchUp
          // Turns of many entries, and now and then steps that are large enough to be written as the state.
          const many = move % 13 === 0 ? 80 : move % 3 === 0 ? 4 : 0
          for (let n = 1; n <= many; n++) life.work(move + 7 * n)
          life.takeIn(many + (move % 6))
          yield* catchUp
          if (move % 4 === 0) yield* log.fold
          if (move % 11 === 0) {
            yield* log.flush
            ;({ log, reading } = yield* open(store, how))
          }
          if (move % 53 === 0) yield* compare(1 + (move % 3))
        }
        life.settle(how)
        yield* catchUp
        yield* compare(2)
        yield* log.fold
        ;({ log, reading } = yield* open(store, how))
        yield* compare(1)
        assert.deepStrictEqual(yield* forward(reading), life.view.items)
        assert.deepStrictEqual(yield* reading.prompts, promptsOf(life.view))
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 40, size: 200 } }
  )
})

describe("text that is gathered", () => {
  it.live("is on the disk to the last of thousands of pieces", () =>
    Effect.gen(function* () {
      const { store } = yield* Databases.fresh
      const { log } = yield* open(store, 0)
      const step = yield* log.stage([created, ...begun])
      yield* store.commit([step.commit])
      log.adopt(step)
      let text = ""
      for (let number = 0; number < 5000; number++) {
        const piece = delta(`${number} `, text.length)
        assert.isTrue(log.isText([piece]))
        log.gather([piece])
        text += `${number} `
      }
      yield* log.flush
      const { items } = yield* read((yield* open(store, 0)).reading, 1)
      const texts = items.flatMap((item) => (item.type === "message" ? [item.text] : []))
      assert.deepStrictEqual(texts, [text])
    }).pipe(Effect.scoped)
  )
})
