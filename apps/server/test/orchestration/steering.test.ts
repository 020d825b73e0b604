/** Prompts that come between: into the agent's running turn, or as the next one in its place. */
import type { ThreadCommand } from "@signalbox/contracts/Command"
import { Sequence, type TurnId } from "@signalbox/contracts/Ids"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as ThreadsLocal from "../../src/orchestration/ThreadsLocal.ts"
import * as Drafts from "../../src/drafts/Drafts.ts"
import * as DraftStore from "../../src/storage/DraftStore.ts"
import * as RememberedSettings from "../../src/storage/RememberedSettings.ts"
import * as Sqlite from "../../src/storage/Sqlite.ts"
import { StorageError } from "../../src/storage/StorageError.ts"
import * as SqliteThreadStore from "../../src/storage/SqliteThreadStore.ts"
import { type ThreadCommit, ThreadStore } from "../../src/storage/ThreadStore.ts"
import { type ProviderError, providerError } from "../../src/base/ProviderError.ts"
import * as Tapes from "../../src/tape/Tapes.ts"
import * as Databases from "../support/Databases.ts"
import { boot, bootOn, databaseFile, type Server, statusOf, threadId, turnId } from "../support/ThreadsHarness.ts"

const a = threadId("thread-a")
const [first, second, third] = [turnId("turn-1"), turnId("turn-2"), turnId("turn-3")]

const steer = (turn: TurnId, text: string): ThreadCommand => ({
  type: "turn.start",
  turnId: turn,
  prompt: [{ type: "text", text }],
  steer: true
})

type Answer = Effect.Effect<"taken" | "not-taken", ProviderError>

/** A thread with an agent at work; what it answers to what comes between, if it can be asked at all. */
const atWork = Effect.fnUntraced(function* (file: string, answer?: Answer) {
  const server = yield* boot(file)
  if (answer) server.provider.steering.set(a, { answer: () => answer, taken: [] })
  yield* server.create(a)
  yield* server.prompt(a, first, "hang")
  yield* server.until(a, (view) => statusOf(view, first) === "working")
  return server
})

const texts = ({ provider }: Pick<Server, "provider">) => provider.prompts.map(({ text }) => text)
const taken = ({ provider }: Pick<Server, "provider">) =>
  (provider.steering.get(a)?.taken ?? []).map(({ into, text }) => [into, text])

describe("a prompt that is to come between", () => {
  it.live("goes into the running turn where the agent takes it there: that goes on, and the prompt stands in it", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const server = yield* atWork(file, Effect.succeed("taken"))
      const { ended, prompt, send, until } = server
      yield* prompt(a, third, "say last")
      yield* send(a, steer(second, "the other one"))
      const view = yield* ended(a, second)
      assert.deepInclude(
        view.turns.find(({ turnId }) => turnId === second),
        { status: "completed", steered: { way: "agent", into: first } }
      )
      assert.strictEqual(statusOf(view, first), "working")
      assert.deepStrictEqual(taken(server), [[first, "the other one"]])
      assert.deepStrictEqual(texts(server), ["hang"])
      assert.deepStrictEqual(
        view.items.flatMap((item) => (item.type === "prompt" ? [item.turnId] : [])),
        [first, second]
      )
      yield* send(a, { type: "turn.interrupt", turnId: first })
      yield* send(a, { type: "queue.hold", held: false })
      yield* until(a, (view) => statusOf(view, third) === "completed")
      assert.deepStrictEqual(texts(server), ["hang", "say last"])
      // Nothing of it is left for a later server to settle.
      assert.deepStrictEqual(Databases.query(file, "SELECT DISTINCT status FROM turns"), [{ status: "done" }])
    })
  )

  it.live("stops the running turn where it can't, and is the next, before what waits and even while that is held", () =>
    Effect.gen(function* () {
      const server = yield* atWork(yield* databaseFile)
      const { ended, prompt, send, until } = server
      yield* prompt(a, third, "say last")
      yield* send(a, { type: "queue.hold", held: true })
      yield* send(a, steer(second, "say between"))
      const view = yield* ended(a, second)
      assert.deepStrictEqual(
        view.turns.map(({ steered, status, turnId }) => [turnId, status, steered]),
        [
          [first, "cancelled", undefined],
          [second, "completed", { way: "restart", into: first }],
          [third, "queued", undefined]
        ]
      )
      yield* send(a, { type: "queue.hold", held: false })
      yield* until(a, (view) => statusOf(view, third) === "completed")
      assert.deepStrictEqual(texts(server), ["hang", "say between", "say last"])
    })
  )

  it.live("that the agent does not take after all stops its turn, and is sent once", () =>
    Effect.gen(function* () {
      const server = yield* atWork(yield* databaseFile, Effect.succeed("not-taken"))
      yield* server.send(a, steer(second, "say between"))
      const view = yield* server.ended(a, second)
      assert.deepStrictEqual(
        view.turns.map(({ steered, status }) => [status, steered?.way]),
        [
          ["cancelled", undefined],
          ["completed", "restart"]
        ]
      )
      assert.deepStrictEqual(texts(server), ["hang", "say between"])
      assert.deepStrictEqual(taken(server), [])
    })
  )

  it.live("of which nobody knows whether the agent has it is not sent again, and says so", () =>
    Effect.gen(function* () {
      const unknown = providerError("request-failed", "It is not known whether Fake has this prompt.", "No answer.")
      const server = yield* atWork(yield* databaseFile, Effect.fail(unknown))
      yield* server.send(a, steer(second, "say between"))
      const view = yield* server.ended(a, second)
      assert.deepInclude(view.turns[1], { status: "failed", problem: unknown.problem })
      assert.strictEqual(statusOf(view, first), "working")
      assert.deepStrictEqual(texts(server), ["hang"])
    })
  )

  it.live("is lost with the server that was handing it over, and sent by the next where that had not begun", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const asked = yield* Deferred.make<void>()
      const answer = Effect.andThen(Deferred.succeed(asked, undefined), Effect.never)
      const before = yield* atWork(file, answer)
      yield* before.send(a, steer(second, "say between"))
      yield* before.send(a, steer(third, "say third"))
      yield* Deferred.await(asked)
      yield* before.kill
      const after = yield* boot(file)
      const view = yield* after.ended(a, third)
      assert.deepStrictEqual(
        view.turns.map(({ status }) => status),
        ["lost", "lost", "completed"]
      )
      assert.deepStrictEqual(texts(after), ["say third"])
    })
  )

  it.live("that the agent did not take is a turn like any other: another one can come between it in turn", () =>
    Effect.gen(function* () {
      const answers: Array<"taken" | "not-taken"> = ["not-taken", "taken"]
      const server = yield* atWork(
        yield* databaseFile,
        Effect.sync(() => answers.shift() ?? "not-taken")
      )
      yield* server.send(a, steer(second, "hang"))
      yield* server.until(a, (view) => statusOf(view, second) === "working")
      yield* server.send(a, steer(third, "the other one"))
      const view = yield* server.ended(a, third)
      assert.deepInclude(
        view.turns.find(({ turnId }) => turnId === third),
        { status: "completed", steered: { way: "agent", into: second } }
      )
      assert.strictEqual(statusOf(view, second), "working")
    })
  )

  it.live("can be stopped while the agent is asked: it is then not sent, and the running turn goes on", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<"not-taken">()
      const answer = Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(gate))
      const server = yield* atWork(yield* databaseFile, answer)
      yield* server.send(a, steer(second, "say never"))
      yield* Deferred.await(asked)
      yield* server.send(a, { type: "turn.interrupt", turnId: second })
      yield* Deferred.succeed(gate, "not-taken")
      const view = yield* server.ended(a, second)
      assert.strictEqual(statusOf(view, second), "cancelled")
      assert.strictEqual(statusOf(view, first), "working")
      assert.deepStrictEqual(texts(server), ["hang"])
    })
  )

  it.live("is a prompt like any other where no turn runs, but for the queue", () =>
    Effect.gen(function* () {
      const server = yield* boot(yield* databaseFile)
      yield* server.create(a)
      yield* server.send(a, { type: "queue.hold", held: true })
      yield* server.prompt(a, first, "say held")
      yield* server.send(a, steer(second, "say now"))
      const view = yield* server.ended(a, second)
      assert.deepStrictEqual(
        view.turns.map(({ steered, status, turnId }) => [turnId, status, steered]),
        [
          [second, "completed", undefined],
          [first, "queued", undefined]
        ]
      )
    })
  )

  it.live("is not given to the agent if it was taken back while the disk refused", () =>
    Effect.gen(function* () {
      const refused = yield* Deferred.make<void>()
      const server = yield* bootOn((path) => refusingOnce(path, second, refused), yield* databaseFile)
      server.provider.steering.set(a, { answer: () => Effect.succeed("taken"), taken: [] })
      yield* server.create(a)
      yield* server.prompt(a, first, "hang")
      yield* server.until(a, (view) => statusOf(view, first) === "working")
      yield* server.send(a, steer(second, "never"))
      yield* Deferred.await(refused)
      yield* server.send(a, { type: "turn.interrupt", turnId: second, ifQueued: true })
      // It waits until the other one was tried again.
      yield* server.send(a, steer(third, "the other one"))
      yield* server.ended(a, third)
      assert.deepStrictEqual(taken(server), [[first, "the other one"]])
      const begin = { bootId: server.threads.bootId, sequence: Sequence.make(0) }
      const dispatched = yield* server.threads.watch(a, { after: begin }).pipe(
        Stream.flatMap((frame) => Stream.fromIterable(frame.type === "events" ? frame.events : [])),
        Stream.takeUntil(({ event }) => event.type === "turn.steered" && event.turnId === third),
        Stream.map(({ event }) => event),
        Stream.filter((event) => event.type === "turn.dispatched"),
        Stream.runCollect
      )
      assert.deepStrictEqual(
        dispatched.map((event) => event.turnId),
        [first, third]
      )
    })
  )
})

/** A host whose disk refuses once, when this turn is dispatched. */
const refusingOnce = (path: string, turn: TurnId, refused: Deferred.Deferred<void>) => {
  let refusing = true
  const refuse = Effect.suspend(() => {
    refusing = false
    const error = new StorageError({ reason: "full", path, detail: "it is full" })
    return Effect.andThen(Deferred.succeed(refused, undefined), Effect.fail(error))
  })
  const isIt = ({ events }: ThreadCommit) =>
    events.some(({ event }) => event.type === "turn.dispatched" && event.turnId === turn)
  const store = Layer.effect(
    ThreadStore,
    Effect.map(ThreadStore, (real) => ({
      ...real,
      commit: (commits: ReadonlyArray<ThreadCommit>) => (refusing && commits.some(isIt) ? refuse : real.commit(commits))
    }))
  )
  return ThreadsLocal.layer().pipe(
    Layer.provide([Layer.provide(store, SqliteThreadStore.layer), RememberedSettings.layer]),
    Layer.provide(Layer.provide(Drafts.layer, DraftStore.layer)),
    Layer.provide(Sqlite.layer(path)),
    Layer.provide([Tapes.layer({ folder: `${path}-tapes` }), NodeFileSystem.layer, NodePath.layer])
  )
}
