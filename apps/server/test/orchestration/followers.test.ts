/** Those who follow a thread: no gap, no repeat, and none of them costs more than it may. */
import { BootId, Sequence } from "@signalbox/contracts/Ids"
import type { ThreadFrame } from "@signalbox/contracts/ThreadFrame"
import { ThreadNotFound } from "@signalbox/contracts/ThreadErrors"
import type { LoggedEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Followers from "../../src/orchestration/Followers.ts"
import { created, delta, logged, threadId, warnings } from "../support/ThreadEvents.ts"

const empty = ThreadProjection.apply(undefined, logged(0, [created]))

/** A thread of which only the end of its log matters, and those who follow it. */
const thread = () => {
  const followers = Followers.make()
  let last = 1
  const give = (events: ReadonlyArray<LoggedEvent>) => {
    last += events.length
    followers.give(events)
  }
  const state = (): ThreadFrame => ({
    type: "snapshot",
    bootId: BootId.make("boot"),
    view: { ...empty, sequence: Sequence.make(last) }
  })
  return {
    followers,
    give,
    /** Gives so many events as one step. */
    happen: (count: number) => give(warnings(last, count)),
    last: () => last,
    snapshot: Effect.sync(state)
  }
}

/** A follower that takes frames when the test says so. */
const reader = Effect.fnUntraced(function* (
  followers: Followers.Followers,
  missed: ReadonlyArray<LoggedEvent> | undefined,
  snapshot: Effect.Effect<ThreadFrame, Followers.FollowError>
) {
  const scope = yield* Effect.acquireRelease(Scope.make(), (opened) => Scope.close(opened, Exit.void))
  const stream = yield* Scope.provide(followers.follow(missed, snapshot), scope)
  const pull = yield* Scope.provide(Stream.toPull(stream), scope)
  return {
    take: Effect.map(pull, ([frame]) => frame),
    leave: Scope.close(scope, Exit.void)
  }
})

/** A frame in short: the state at a place, or the places of its events. */
const short = (frame: ThreadFrame): string =>
  frame.type === "snapshot"
    ? `state ${frame.view.sequence}`
    : `events ${frame.events[0]?.sequence ?? ""}-${frame.events.at(-1)?.sequence ?? ""}`

describe("a follower", () => {
  it.effect("gets the state first, then each step as the frame that all share", () =>
    Effect.gen(function* () {
      const { followers, happen, snapshot } = thread()
      const one = yield* reader(followers, undefined, snapshot)
      const other = yield* reader(followers, undefined, snapshot)
      assert.strictEqual(short(yield* one.take), "state 1")
      assert.strictEqual(short(yield* other.take), "state 1")
      happen(3)
      const frame = yield* one.take
      assert.strictEqual(short(frame), "events 2-4")
      assert.strictEqual(yield* other.take, frame)
    })
  )

  it.effect("gets the state as it is when it comes for it", () =>
    Effect.gen(function* () {
      const { followers, happen, snapshot } = thread()
      const { take } = yield* reader(followers, undefined, snapshot)
      happen(3)
      assert.strictEqual(short(yield* take), "state 4")
      happen(1)
      assert.strictEqual(short(yield* take), "events 5-5")
    })
  )

  it.effect("that missed something gets that, with what came since, and no state", () =>
    Effect.gen(function* () {
      const { followers, happen, snapshot } = thread()
      const { take } = yield* reader(followers, warnings(1, 0), snapshot)
      assert.strictEqual(short(yield* take), "events -")
      happen(2)
      const { take: takeOther } = yield* reader(followers, warnings(1, 2), snapshot)
      happen(1)
      assert.strictEqual(short(yield* takeOther), "events 2-4")
      assert.strictEqual(short(yield* take), "events 2-4")
    })
  )

  it.effect("waits for what is not there yet", () =>
    Effect.gen(function* () {
      const { followers, happen, snapshot } = thread()
      const { take } = yield* reader(followers, undefined, snapshot)
      yield* take
      for (const expected of ["events 2-2", "events 3-3"]) {
        const next = yield* Effect.forkChild(take)
        yield* Effect.yieldNow
        assert.isUndefined(next.pollUnsafe())
        happen(1)
        assert.strictEqual(short(yield* Fiber.join(next)), expected)
      }
    })
  )

  it.effect("that leaves up to 2,000 events waiting gets them as one frame; with one more it gets the state", () =>
    Effect.gen(function* () {
      const { followers, happen, snapshot } = thread()
      const { take } = yield* reader(followers, undefined, snapshot)
      yield* take
      for (let n = 0; n < 20; n++) happen(100)
      assert.strictEqual(short(yield* take), "events 2-2001")
      for (let n = 0; n < 20; n++) happen(100)
      happen(1)
      assert.strictEqual(short(yield* take), "state 4002")
      happen(1)
      assert.strictEqual(short(yield* take), "events 4003-4003")
    })
  )

  it.effect("that leaves more than a megabyte waiting gets the state", () =>
    Effect.gen(function* () {
      const { followers, give, last, snapshot } = thread()
      const { take } = yield* reader(followers, undefined, snapshot)
      yield* take
      const long = delta("x".repeat(400_000))
      for (let n = 0; n < 2; n++) give(logged(last(), [long]))
      assert.strictEqual(short(yield* take), "events 2-3")
      for (let n = 0; n < 3; n++) give(logged(last(), [long]))
      assert.strictEqual(short(yield* take), "state 6")
    })
  )

  it.effect("that waits gets any step, however long it is", () =>
    Effect.gen(function* () {
      const { followers, happen, snapshot } = thread()
      const { take } = yield* reader(followers, undefined, snapshot)
      yield* take
      happen(5000)
      assert.strictEqual(short(yield* take), "events 2-5001")
    })
  )

  it.effect("does not get again what its state holds, if that took its time, and misses nothing", () =>
    Effect.gen(function* () {
      const { followers, happen, snapshot } = thread()
      const [begun, half, done] = [yield* Deferred.make<void>(), yield* Latch.make(), yield* Latch.make()]
      const slow = Deferred.succeed(begun, undefined).pipe(
        Effect.andThen(half.await),
        Effect.andThen(snapshot),
        Effect.tap(() => done.await)
      )
      const { take } = yield* reader(followers, undefined, slow)
      const first = yield* Effect.forkChild(take)
      yield* Deferred.await(begun)
      happen(1)
      happen(2)
      yield* half.open
      yield* Effect.yieldNow
      happen(3)
      yield* done.open
      assert.strictEqual(short(yield* Fiber.join(first)), "state 4")
      assert.strictEqual(short(yield* take), "events 5-7")
    })
  )

  it.effect("that falls behind while its state is made gets another one", () =>
    Effect.gen(function* () {
      const { followers, happen, snapshot } = thread()
      const done = yield* Latch.make()
      const { take } = yield* reader(
        followers,
        undefined,
        Effect.tap(snapshot, () => done.await)
      )
      const first = yield* Effect.forkChild(take)
      yield* Effect.yieldNow
      for (let n = 0; n < 3; n++) happen(1000)
      yield* done.open
      assert.strictEqual(short(yield* Fiber.join(first)), "state 1")
      assert.strictEqual(short(yield* take), "state 3001")
    })
  )

  it.effect("gets its thread's end instead of anything that waits, and so does whoever comes later", () =>
    Effect.gen(function* () {
      const { followers, happen, snapshot } = thread()
      const gone = new ThreadNotFound({ threadId })
      const [waiting, behind] = [
        yield* reader(followers, undefined, snapshot),
        yield* reader(followers, undefined, snapshot)
      ]
      yield* waiting.take
      yield* behind.take
      const next = yield* Effect.forkChild(waiting.take)
      yield* Effect.yieldNow
      happen(0)
      yield* Fiber.join(next)
      const last = yield* Effect.forkChild(waiting.take)
      happen(1)
      followers.end(gone)
      const late = yield* reader(followers, undefined, snapshot)
      for (const take of [Fiber.join(last), behind.take, late.take]) {
        assert.strictEqual(yield* Effect.flip(take), gone)
      }
    })
  )

  it.effect("whose state can't be read hears why", () =>
    Effect.gen(function* () {
      const { followers } = thread()
      const gone = new ThreadNotFound({ threadId })
      const { take } = yield* reader(followers, undefined, Effect.fail(gone))
      assert.strictEqual(yield* Effect.flip(take), gone)
    })
  )

  /**
   * One follower meets these moves. 0: it takes a frame; 1: it breaks off and comes again from where it was; other: so many events happen.
   * `takes` says whether it takes a frame after a move.
   */
  const meets = Effect.fnUntraced(function* (moves: ReadonlyArray<number>, takes: ReadonlyArray<boolean>) {
    const { followers, happen, last, snapshot } = thread()
    let known = 1
    /** Whoever comes gets a frame at once, if only an empty one. After it, there is nothing until something happens. */
    let hasJustCome = true
    const learn = (frame: ThreadFrame) => {
      hasJustCome = false
      if (frame.type === "snapshot") {
        assert.isAtLeast(frame.view.sequence, known)
        known = frame.view.sequence
      } else for (const { sequence } of frame.events) assert.strictEqual(sequence, ++known)
    }
    let follower = yield* reader(followers, undefined, snapshot)
    for (const [index, move] of moves.entries()) {
      if (move > 1) happen(move)
      if (move === 1) {
        yield* follower.leave
        const missed = last() - known <= 2000 ? warnings(known, last() - known) : undefined
        follower = yield* reader(followers, missed, snapshot)
        hasJustCome = true
      }
      if (takes[index] ?? move === 0) if (hasJustCome || known < last()) learn(yield* follower.take)
    }
    while (known < last()) learn(yield* follower.take)
    assert.strictEqual(known, last())
  })

  it.effect("that comes again before it got its state is not owed a second frame", () => meets([1, 0, 0], []))

  it.effect.prop(
    "has every place once and in order, whatever happens when",
    {
      moves: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1200 }))),
      takes: Schema.Array(Schema.Boolean)
    },
    ({ moves, takes }) => meets(moves, takes)
  )
})
