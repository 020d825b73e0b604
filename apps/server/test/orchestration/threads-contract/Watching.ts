/** What those who watch a thread may count on, whatever their connections do. */
import type { Sequence, ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadFrame, ThreadsFrame } from "@signalbox/contracts/ThreadFrame"
import type { ThreadSummary, ThreadView } from "@signalbox/contracts/ThreadView"
import { hasEnded } from "@signalbox/threads/TurnState"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import { isDeepStrictEqual } from "node:util"
import { databaseFile, followed, messageText, type Server, threadId, turnId } from "../../support/ThreadsHarness.ts"
import { exported, withAllEarlier } from "../../support/WholeThread.ts"
import { a, assertSame, type Boot, Dealt, first, lettingGo, rename, runs, shown } from "./Words.ts"

/**
 * A page in a bad network: takes a few frames, slowly or at once, and loses its connection. It comes again from where it was or from
 * nothing, and through a restart of the server. Ends with what it knows when that is `done`.
 */
const restless = Effect.fnUntraced(function* (
  server: () => Pick<Server, "threads">,
  thread: ThreadId,
  done: (view: ThreadView) => boolean
) {
  let view: ThreadView | undefined
  let known: { readonly bootId: Server["threads"]["bootId"]; readonly sequence: Sequence } | undefined
  const take = (bootId: Server["threads"]["bootId"]) => (frame: ThreadFrame) => {
    view = followed(view, frame)
    known = { bootId, sequence: view.sequence }
    return done(view)
  }
  for (;;) {
    const { threads } = server()
    const after = (yield* Random.nextBoolean) && known ? { after: known } : {}
    const slowly = yield* Random.nextBoolean
    yield* threads.watch(thread, { ...after, turnLimit: yield* Random.nextIntBetween(1, 30) }).pipe(
      Stream.take(yield* Random.nextIntBetween(1, 8)),
      Stream.takeUntil(take(threads.bootId)),
      Stream.runForEach(() => (slowly ? Effect.sleep("3 millis") : Effect.void)),
      Effect.timeoutOption(`${yield* Random.nextIntBetween(1, 40)} millis`),
      // There is no server now: what it had under way was interrupted.
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause) ? Effect.sleep("1 millis") : Effect.failCause(cause)
      )
    )
    if (view !== undefined && done(view)) return view
  }
})

/** A page that knows this much, when it knows the thread up to `sequence`. */
const upTo = ({ threads }: Pick<Server, "threads">, view: ThreadView, sequence: Sequence) =>
  threads.watch(view.threadId, { after: { bootId: threads.bootId, sequence: view.sequence } }).pipe(
    Stream.scan(() => view, followed),
    Stream.filter((now) => now.sequence >= sequence),
    Stream.runHead,
    Effect.flatMap(Effect.fromOption)
  )

type List = ReadonlyMap<ThreadId, ThreadSummary>

/** What a page makes of a frame of the list. */
const listed = (rows: List, frame: ThreadsFrame): List => {
  const next = new Map(frame.type === "snapshot" ? [] : rows)
  for (const row of frame.threads) next.set(row.threadId, row)
  for (const threadId of (frame.type === "changed" && frame.removed) || []) next.delete(threadId)
  return next
}

export const watching = (boot: Boot): void => {
  const server = Effect.flatMap(databaseFile, boot)

  describe("those who watch", () => {
    it.live.prop(
      "all see the same in the end, whatever their connections do, and through a restart",
      Dealt,
      ({ seed }) =>
        Effect.gen(function* () {
          const file = yield* databaseFile
          let life = yield* boot(file)
          yield* life.create(a)
          const isLast = ({ title, turns }: ThreadView) =>
            title === "The end" && turns.every(({ status }) => hasEnded(status))
          const pages = yield* Effect.forkChild(
            Effect.all(
              Array.from({ length: 4 }, (_, n) =>
                restless(() => life, a, isLast).pipe(Random.withSeed(`${seed} ${n}`))
              ),
              { concurrency: "unbounded" }
            )
          )
          const words = [
            "say some words",
            "flood 2000",
            "trickle 30",
            "refuse",
            "crash",
            "say a; ask; say b",
            "question"
          ]
          let count = 0
          const work = Effect.gen(function* () {
            yield* lettingGo(life, a)
            const prompts = yield* Random.nextIntBetween(3, 8)
            for (let n = 0; n < prompts; n++) {
              const turn = turnId(`turn-${++count}`)
              const text = yield* Random.choice(words)
              yield* life.prompt(a, turn, text)
              if (yield* Random.nextBoolean) yield* life.send(a, rename(`Title ${count}`))
              if ((yield* Random.next) < 0.1) yield* life.send(a, { type: "session.stop" })
              if (text.includes("ask") || text === "question" || (yield* Random.nextBoolean)) {
                yield* Effect.ignore(life.send(a, { type: "turn.interrupt", turnId: turn }))
              }
            }
            yield* life.until(a, ({ turns }) => turns.every(({ status }) => hasEnded(status)))
          })
          yield* work
          yield* life.provider.emit(
            a,
            Array.from({ length: 2500 }, (_, n) => ({ type: "runtime.warning" as const, message: `${n}` }))
          )
          yield* (yield* Random.nextBoolean) ? life.kill : life.stop
          life = yield* boot(file)
          yield* work
          yield* life.send(a, rename("The end"))
          let views = yield* Fiber.join(pages)
          let whole = yield* exported(life.threads, a)
          // The agent may still act by itself. All of them have to see that, too.
          for (; views.some(({ sequence }) => sequence !== whole.sequence); whole = yield* exported(life.threads, a)) {
            views = yield* Effect.forEach(views, (view) => upTo(life, view, whole.sequence))
          }
          for (const [n, view] of views.entries()) {
            assertSame(yield* withAllEarlier(life.threads, view), whole, `page ${n}`)
          }
        }).pipe(Random.withSeed(seed)),
      runs(3)
    )

    it.live.prop(
      "the list all see the same rows in the end, whatever their connections do",
      Dealt,
      ({ seed }) =>
        Effect.gen(function* () {
          const { create, prompt, send, threads } = yield* server
          const latest = Effect.map(
            Effect.orDie(Effect.flatMap(Stream.runHead(threads.watchAll), Effect.fromOption)),
            (frame) => listed(new Map(), frame)
          )
          let truth: List | undefined
          const isTrue = (rows: List) => truth !== undefined && isDeepStrictEqual(rows, truth)
          const page = Effect.gen(function* () {
            for (;;) {
              let rows: List = new Map()
              yield* threads.watchAll.pipe(
                Stream.takeUntil((frame) => isTrue((rows = listed(rows, frame)))),
                Stream.runDrain,
                // One whose connection is lost begins with everything again.
                Effect.timeoutOption(`${yield* Random.nextIntBetween(1, 300)} millis`)
              )
              if (isTrue(rows)) return
            }
          })
          const pages = yield* Effect.forkChild(
            Effect.all(
              Array.from({ length: 3 }, (_, n) => Random.withSeed(page, `${seed} ${n}`)),
              { concurrency: "unbounded" }
            )
          )
          const names = Array.from({ length: 6 }, (_, n) => threadId(`thread-${n}`))
          for (let n = 0; n < 40; n++) {
            const thread = yield* Random.choice(names)
            switch (yield* Random.nextIntBetween(0, 3)) {
              case 0:
                yield* Effect.ignore(create(thread))
                break
              case 1:
                yield* Effect.ignore(send(thread, rename(`Title ${n}`)))
                break
              case 2:
                yield* Effect.ignore(prompt(thread, turnId(`turn-${n}`), "trickle 20"))
                break
              default:
                if (yield* Random.nextBoolean) yield* threads.remove(thread)
            }
          }
          yield* threads.watchAll.pipe(
            Stream.scan((): List => new Map(), listed),
            Stream.drop(1),
            Stream.takeUntil((rows) =>
              [...rows.values()].every(({ status }) => status === undefined || hasEnded(status))
            ),
            Stream.runDrain
          )
          truth = yield* latest
          yield* Fiber.join(pages)
          assert.sameMembers([...(yield* latest).keys()], [...truth.keys()])
        }).pipe(Random.withSeed(seed)),
      runs(3)
    )

    it.live("leave no trace: a thread without them goes on, and who comes late sees what happened", () =>
      Effect.gen(function* () {
        const { create, ended, prompt, threads } = yield* server
        yield* create(a)
        const gone = yield* Effect.forkChild(Stream.runDrain(threads.watch(a)))
        yield* Effect.yieldNow
        yield* Fiber.interrupt(gone)
        yield* prompt(a, first, "flood 5000; say done")
        const view = yield* ended(a, first)
        assert.isTrue(messageText(view, first).endsWith("done"))
      })
    )

    it.live("from a place of an earlier run of the server begin with the state", () =>
      Effect.gen(function* () {
        const file = yield* databaseFile
        const before = yield* boot(file)
        yield* before.create(a)
        const { sequence } = yield* shown(before, a)
        const { bootId } = before.threads
        yield* before.stop
        const { threads } = yield* boot(file)
        assert.notStrictEqual(threads.bootId, bootId)
        const [frame] = yield* Stream.runCollect(Stream.take(threads.watch(a, { after: { bootId, sequence } }), 1))
        assert.strictEqual(frame?.type, "snapshot")
      })
    )
  })
}
