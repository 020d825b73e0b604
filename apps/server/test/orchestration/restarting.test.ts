/** Agents that end by themselves: started again in their time for the prompts that wait, or at once where that is wished. */
import type { TurnId } from "@signalbox/contracts/Ids"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import {
  boot,
  bootOn,
  databaseFile,
  local,
  type Server,
  statusOf,
  threadId,
  turnId
} from "../support/ThreadsHarness.ts"
import { hold, proceed } from "./threads-contract/Words.ts"

const a = threadId("thread-a")
const first = turnId("turn-1")
const second = turnId("turn-2")
const third = turnId("turn-3")

/** Every restart that was announced since: how many starts in a row came to nothing before it, and how long it waits. */
const restartsOf = Effect.fnUntraced(function* ({ threads }: Server) {
  const restarts: Array<{ readonly attempt: number; readonly delay: number }> = []
  yield* threads.watch(a).pipe(
    Stream.runForEach((frame) =>
      Effect.sync(() => {
        for (const { event } of frame.type === "events" ? frame.events : []) {
          if (event.type !== "session.restart.scheduled") continue
          restarts.push({ attempt: event.attempt, delay: event.dueAt - event.at })
        }
      })
    ),
    Effect.forkChild
  )
  return restarts
})

/** Lets a second of the test's time pass until the thread is as `holds` says. */
const passUntil = Effect.fnUntraced(function* ({ until }: Server, holds: (view: ThreadView) => boolean) {
  const reached = yield* Effect.forkChild(until(a, holds))
  while (reached.pollUnsafe() === undefined) {
    yield* TestClock.adjust("1 second")
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  }
  return yield* Fiber.join(reached)
})

/** Lets go of what the end of a turn holds. */
const letGo = Effect.fnUntraced(function* ({ send, until }: Server, turn: TurnId) {
  yield* until(a, ({ heldBy }) => heldBy?.turnId === turn)
  yield* send(a, hold(false))
})

const isOver = ({ turns }: ThreadView) => turns.every(({ endedAt }) => endedAt !== undefined)
const lies = ({ delay }: { readonly delay: number }, middle: number) =>
  assert.isTrue(delay >= middle * 0.8 && delay <= middle * 1.2, `${delay} is not about ${middle}.`)

describe("an agent that ends while prompts wait", () => {
  it.effect("is started again for them, later and later, and is given up after five times", () =>
    Effect.gen(function* () {
      const server = yield* Effect.flatMap(databaseFile, boot)
      const { create, prompt, provider, until } = server
      yield* create(a)
      yield* TestClock.adjust("1 second")
      const restarts = yield* restartsOf(server)
      yield* prompt(a, first, "ask; crash")
      yield* until(a, ({ requests }) => requests.length > 0)
      for (let n = 2; n <= 7; n++) yield* prompt(a, turnId(`turn-${n}`), "crash")
      yield* TestClock.adjust("1 second")
      const [open] = (yield* until(a, () => true)).requests
      yield* server.send(a, {
        type: "request.respond",
        requestId: open!.request.requestId,
        response: { type: "option", optionId: "proceed_once" }
      })
      for (let n = 2; n <= 7; n++) {
        yield* letGo(server, turnId(`turn-${n - 1}`))
        const hasEnded = ({ turns }: ThreadView) =>
          turns.some(({ endedAt, turnId: id }) => id === turnId(`turn-${n}`) && endedAt !== undefined)
        yield* until(a, (view) => view.session.restart !== undefined || hasEnded(view))
        yield* passUntil(server, hasEnded)
      }
      const view = yield* passUntil(server, isOver)
      assert.strictEqual(provider.starts.length, 5)
      assert.deepStrictEqual(
        restarts.map(({ attempt }) => attempt),
        [1, 2, 3, 4]
      )
      restarts.forEach((restart, index) => lies(restart, 500 * 2 ** index))
      assert.deepStrictEqual(
        view.turns.map(({ problem }) => problem?.code),
        [...Array.from({ length: 5 }, () => undefined), "agent-restarts-exhausted", "agent-restarts-exhausted"]
      )
      // A person who asks again gets no delay.
      yield* TestClock.adjust("1 second")
      yield* prompt(a, turnId("turn-8"), "say hi")
      const again = yield* server.ended(a, turnId("turn-8"))
      assert.strictEqual(statusOf(again, turnId("turn-8")), "completed")
    })
  )

  it.effect("is started at once when somebody asks for it, and not at all when they say stop", () =>
    Effect.gen(function* () {
      const server = yield* Effect.flatMap(databaseFile, boot)
      const { create, ended, prompt, provider, send, until } = server
      yield* create(a)
      yield* prompt(a, first, "ask; crash")
      yield* prompt(a, second, "ask; crash")
      yield* prompt(a, third, "say never")
      yield* TestClock.adjust("1 second")
      yield* proceed(server, a)
      yield* letGo(server, first)
      yield* until(a, ({ session }) => session.restart?.attempt === 1)
      yield* send(a, { type: "session.start" })
      yield* proceed(server, a)
      yield* letGo(server, second)
      yield* until(a, ({ session }) => session.restart?.attempt === 2)
      yield* send(a, { type: "session.stop" })
      const view = yield* ended(a, third)
      assert.strictEqual(view.turns[2]?.problem?.title, "Not sent: the session was stopped before its turn came.")
      assert.isUndefined(view.session.restart)
      assert.strictEqual(provider.starts.length, 2)
    })
  )

  it.effect("is not started without a prompt", () =>
    Effect.gen(function* () {
      const server = yield* Effect.flatMap(databaseFile, boot)
      const { create, ended, prompt, provider, until } = server
      yield* create(a)
      yield* prompt(a, first, "say hi; crash")
      yield* ended(a, first)
      yield* until(a, ({ session }) => session.state === "exited")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* until(a, () => true)).session.state, "exited")
      assert.strictEqual(provider.starts.length, 1)
    })
  )
})

const atOnce = (file: string) => bootOn((path) => local(path, { resume: "at-once" }), file)

describe("where agents are to be there at once", () => {
  it.effect("one that ends by itself is started again without a prompt, until it has ended too often", () =>
    Effect.gen(function* () {
      const server = yield* Effect.flatMap(databaseFile, atOnce)
      const { create, provider, send, until } = server
      yield* create(a)
      yield* send(a, { type: "session.start" })
      const ready = ({ session }: ThreadView) => session.state === "ready"
      for (let n = 1; n < 5; n++) {
        yield* passUntil(server, ready)
        yield* provider.crash(a)
        yield* until(a, ({ session }) => session.restart?.attempt === n)
      }
      yield* passUntil(server, ready)
      yield* provider.crash(a)
      const view = yield* until(a, ({ items }) => items.some(({ type }) => type === "problem"))
      assert.strictEqual(provider.starts.length, 5)
      assert.strictEqual(view.session.state, "exited")
      assert.isUndefined(view.session.restart)
      const problem = view.items.flatMap((item) => (item.type === "problem" ? [item.problem.code] : []))
      assert.deepStrictEqual(problem, ["agent-restarts-exhausted"])
    })
  )

  it.effect("one whose restart fails is tried again, and one that was stopped is left alone", () =>
    Effect.gen(function* () {
      const server = yield* Effect.flatMap(databaseFile, atOnce)
      const { create, provider, send, until } = server
      yield* create(a)
      yield* send(a, { type: "session.start" })
      yield* until(a, ({ session }) => session.state === "ready")
      provider.brokenStarts.add(a)
      yield* provider.crash(a)
      yield* passUntil(server, ({ session }) => session.restart?.attempt === 3)
      provider.brokenStarts.delete(a)
      yield* passUntil(server, ({ session }) => session.state === "ready")
      assert.strictEqual(provider.starts.length, 4)
      yield* send(a, { type: "session.stop" })
      yield* until(a, ({ session }) => session.state === "exited")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(provider.starts.length, 4)
    })
  )

  it.effect("one that is to be started again is not, once somebody says stop", () =>
    Effect.gen(function* () {
      const server = yield* Effect.flatMap(databaseFile, atOnce)
      const { create, provider, send, until } = server
      yield* create(a)
      yield* send(a, { type: "session.start" })
      yield* until(a, ({ session }) => session.state === "ready")
      yield* provider.crash(a)
      yield* until(a, ({ session }) => session.restart !== undefined)
      yield* send(a, { type: "session.stop" })
      yield* TestClock.adjust("1 minute")
      const { items, session } = yield* until(a, () => true)
      assert.deepInclude(session, { state: "exited" })
      assert.notProperty(session, "restart")
      assert.deepStrictEqual(items, [])
      assert.strictEqual(provider.starts.length, 1)
    })
  )

  it.effect("one that ends in the moment in which it is there again is announced and given up once", () =>
    Effect.gen(function* () {
      const server = yield* Effect.flatMap(databaseFile, atOnce)
      const { create, provider, send, until } = server
      yield* create(a)
      const restarts = yield* restartsOf(server)
      yield* send(a, { type: "session.start" })
      yield* until(a, ({ session }) => session.state === "ready")
      provider.doomed.add(a)
      yield* provider.crash(a)
      const view = yield* passUntil(server, ({ items }) => items.some(({ type }) => type === "problem"))
      assert.deepStrictEqual(
        restarts.map(({ attempt }) => attempt),
        [1, 2, 3, 4]
      )
      assert.strictEqual(view.items.filter(({ type }) => type === "problem").length, 1)
    })
  )

  it.live("those that ran when the server was killed are started by the next one, and no others", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const b = threadId("thread-b")
      const before = yield* boot(file)
      yield* before.create(a)
      yield* before.create(b)
      yield* before.prompt(a, first, "say hi")
      yield* before.ended(a, first)
      yield* before.kill
      const after = yield* atOnce(file)
      const view = yield* after.until(a, ({ session }) => session.state === "ready")
      assert.strictEqual(view.session.origin, "resumed")
      assert.deepStrictEqual(
        after.provider.starts.map(({ threadId }) => threadId),
        [a]
      )
      assert.deepStrictEqual(after.provider.prompts, [])
    })
  )
})
