/** Following threads: nothing is missed, nothing comes twice, and nobody is held up. */
import { ItemId, Sequence } from "@signalbox/contracts/Ids"
import type { ThreadFrame } from "@signalbox/contracts/ThreadFrame"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { DatabaseSync } from "node:sqlite"
import {
  boot,
  databaseFile,
  followed,
  messageText,
  type Server,
  statusOf,
  threadId,
  turnId
} from "../support/ThreadsHarness.ts"

const a = threadId("thread-a")
const b = threadId("thread-b")
const first = turnId("turn-1")
const second = turnId("turn-2")

const server = Effect.flatMap(databaseFile, boot)

/** A page whose connection breaks again and again: takes a few frames, then asks anew from where it got to. */
const restless = Effect.fnUntraced(function* ({ threads }: Server, done: (view: ThreadView) => boolean) {
  let view: ThreadView | undefined
  for (let connections = 1; ; connections++) {
    const sequence: Sequence | undefined = (yield* Random.nextBoolean) ? view?.sequence : undefined
    const from = sequence === undefined ? {} : { after: { bootId: threads.bootId, sequence } }
    yield* threads.watch(a, from).pipe(
      Stream.take(yield* Random.nextIntBetween(1, 6)),
      Stream.takeUntil((frame) => done((view = followed(view, frame)))),
      Stream.runDrain
    )
    if (view !== undefined && done(view)) return { view, connections }
  }
})

describe("watching a thread", () => {
  it.live("leaves no gap and repeats nothing, however often the connection breaks", () =>
    Effect.gen(function* () {
      const running = yield* server
      const { create, ended, prompt } = running
      yield* create(a)
      const pages = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 5 }, () => restless(running, (view) => statusOf(view, first) === "completed")),
          { concurrency: "unbounded" }
        )
      )
      yield* prompt(a, first, "flood 20000; say done; trickle 200")
      const seen = yield* Fiber.join(pages)
      const view = yield* ended(a, first)
      for (const page of seen) {
        assert.strictEqual(messageText(page.view, first), messageText(view, first))
        assert.isAbove(page.connections, 5)
      }
    })
  )

  it.live("from where it stopped gives events only; from out of reach, or from the future, the state", () =>
    Effect.gen(function* () {
      const { create, ended, prompt, provider, send, threads, until } = yield* server
      yield* create(a)
      yield* prompt(a, first, "say hi")
      yield* ended(a, first)
      const { sequence } = yield* until(a, () => true)
      const head = (after: number) =>
        Effect.map(
          Stream.runCollect(
            Stream.take(threads.watch(a, { after: { bootId: threads.bootId, sequence: Sequence.make(after) } }), 1)
          ),
          ([frame]): ThreadFrame["type"] | number => (frame?.type === "events" ? frame.events.length : "snapshot")
        )
      assert.strictEqual(yield* head(sequence), 0)
      yield* send(a, { type: "thread.rename", title: "One more" })
      assert.strictEqual(yield* head(sequence), 1)
      assert.strictEqual(yield* head(sequence + 2), "snapshot")
      const warnings = Array.from({ length: 2000 }, () => ({ type: "runtime.warning" as const, message: "again" }))
      yield* provider.emit(a, warnings)
      yield* until(a, (view) => view.sequence > sequence + 2000)
      assert.strictEqual(yield* head(sequence), "snapshot")
      assert.strictEqual(yield* head(sequence + 1), 2000)
    })
  )

  it.live("of a thread that is not there fails", () =>
    Effect.gen(function* () {
      const { threads } = yield* server
      const error = yield* Effect.flip(Stream.runDrain(threads.watch(b)))
      assert.strictEqual(error.message, "There is no thread thread-b.")
    })
  )

  it.live("slowly holds nobody up, and catches up with the state", () =>
    Effect.gen(function* () {
      const { create, provider, threads, until } = yield* server
      yield* create(a)
      const stuck = yield* Deferred.make<void>()
      const taken: Array<ThreadFrame> = []
      const slow = yield* threads.watch(a).pipe(
        Stream.takeUntil((frame) => {
          taken.push(frame)
          return lastSequence(frame) > 3001
        }),
        Stream.runForEach((frame) => (frame.type === "snapshot" ? Deferred.await(stuck) : Effect.void)),
        Effect.forkChild
      )
      while (taken.length === 0) yield* Effect.yieldNow
      for (let n = 0; n < 30; n++) {
        yield* provider.emit(
          a,
          Array.from({ length: 100 }, () => ({ type: "runtime.warning" as const, message: "x" }))
        )
        yield* until(a, ({ sequence }) => sequence >= (n + 1) * 100)
      }
      yield* Deferred.succeed(stuck, undefined)
      yield* provider.emit(a, [{ type: "runtime.warning", message: "last" }])
      yield* Fiber.join(slow)
      assert.deepStrictEqual(
        taken.slice(0, 2).map(({ type }) => type),
        ["snapshot", "snapshot"]
      )
      let view: ThreadView | undefined
      for (const frame of taken) view = followed(view, frame)
      // The latest window, and what came behind it.
      assert.strictEqual(view?.items.length, 2001)
      assert.isDefined(view?.earlier)
    })
  )

  it.live("sees a whole flood, of which few rows are kept", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const { create, ended, prompt, stop } = yield* boot(file)
      yield* create(a)
      yield* prompt(a, first, "flood 50000")
      const flooded = yield* ended(a, first)
      assert.strictEqual(messageText(flooded, first), numbers(50_000))
      yield* prompt(a, second, "trickle 2000")
      assert.strictEqual(messageText(yield* ended(a, second), second), numbers(2000))
      yield* stop
      assert.isBelow(rows(file), 2600)
      const after = yield* boot(file)
      yield* after.prompt(a, turnId("turn-3"), "say hi")
      const rebuilt = yield* after.ended(a, turnId("turn-3"))
      assert.strictEqual(messageText(rebuilt, first), numbers(50_000))
      assert.strictEqual(messageText(rebuilt, second), numbers(2000))
      while (rows(file) > 100) yield* Effect.sleep("5 millis")
    })
  )

  it.live("that only streams text finds it folded before its turn ends", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const { create, prompt, provider, until } = yield* boot(file)
      yield* create(a)
      yield* prompt(a, first, "hang")
      yield* until(a, (view) => statusOf(view, first) === "working")
      const text = "x".repeat(64 * 1024)
      for (let n = 0; n < 24; n++) {
        const itemId = ItemId.make(`${first}:assistant:${n}`)
        yield* provider.emit(a, [
          { type: "message.delta", turnId: first, itemId, offset: 0, text },
          { type: "message.completed", turnId: first, itemId, length: text.length }
        ])
      }
      const streamed = yield* until(a, (view) => messageText(view, first).length === 24 * text.length)
      assert.strictEqual(statusOf(streamed, first), "working")
      while (rows(file, "items") < 16) yield* Effect.sleep("5 millis")
      assert.isBelow(rows(file), 24)
    })
  )
})

describe("watching all threads", () => {
  it.effect("sends changes of status at once, and the rest ten times a second", () =>
    Effect.gen(function* () {
      const { create, ended, prompt, threads } = yield* server
      yield* create(b)
      const frames: Array<string> = []
      yield* threads.watchAll.pipe(
        Stream.runForEach((frame) =>
          Effect.sync(() => {
            frames.push(`${frame.type} ${frame.threads.map(({ status, threadId }) => `${threadId} ${status}`).join()}`)
          })
        ),
        Effect.forkChild
      )
      while (frames.length === 0) yield* Effect.yieldNow
      assert.deepStrictEqual(frames, ["snapshot thread-b undefined"])
      yield* create(a)
      yield* prompt(a, first, "flood 20000")
      yield* ended(a, first)
      while (!frames.at(-1)?.includes("completed")) yield* Effect.yieldNow
      assert.isBelow(frames.length, 8)
      assert.include(frames, "changed thread-a working")
      const before = frames.length
      yield* TestClock.adjust("1 second")
      assert.isAtMost(frames.length, before + 1)
    })
  )
})

const lastSequence = (frame: ThreadFrame): number =>
  frame.type === "snapshot" ? frame.view.sequence : (frame.events.at(-1)?.sequence ?? 0)

const numbers = (count: number): string => Array.from({ length: count }, (_, n) => `${n} `).join("")

const rows = (file: string, table: "events" | "items" = "events"): number => {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return Number(database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows)
  } finally {
    database.close()
  }
}
