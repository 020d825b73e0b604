/** What becomes of threads when their server ends, politely or not, and another takes over its file. */
import { CommandId, ItemId, ResumeToken } from "@signalbox/contracts/Ids"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { DatabaseSync } from "node:sqlite"
import { fake } from "../support/FakeProvider.ts"
import { boot, databaseFile, messageText, statusOf, threadId, turnId } from "../support/ThreadsHarness.ts"

const a = threadId("thread-a")
const b = threadId("thread-b")
const first = turnId("turn-1")
const second = turnId("turn-2")

describe("after the server was killed", () => {
  it.live("a turn that the agent had is lost, never sent again, and what arrived of it is kept", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const before = yield* boot(file)
      yield* before.create(a)
      yield* before.prompt(a, first, "say partly; hang")
      yield* before.until(a, (view) => messageText(view, first) === "partly")
      yield* before.kill
      const after = yield* boot(file)
      const view = yield* after.ended(a, first)
      assert.strictEqual(statusOf(view, first), "lost")
      assert.strictEqual(messageText(view, first), "partly")
      assert.strictEqual(view.turns[0]?.problem?.code, "turn-lost")
      assert.strictEqual(view.session.state, "exited")
      assert.deepStrictEqual(after.provider.prompts, [])
      yield* after.prompt(a, second, "say again")
      assert.strictEqual(statusOf(yield* after.ended(a, second), second), "completed")
      assert.deepStrictEqual(after.provider.starts[0]?.knownPrompts, ["say partly; hang"])
    })
  )

  it.live("it is on record that the agent may have begun: that is written before the agent sees the prompt", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const { create, ended, prompt, provider } = yield* boot(file)
      const seen: Array<unknown> = []
      provider.hooks.prompted = () => {
        const reader = new DatabaseSync(file, { readOnly: true })
        seen.push(reader.prepare("SELECT status FROM turns").get()?.status)
        reader.close()
      }
      yield* create(a)
      yield* prompt(a, first, "say hi")
      yield* ended(a, first)
      assert.deepStrictEqual(seen, ["dispatched"])
    })
  )

  it.live(
    "a turn that waited behind the lost one is held over further restarts, and run once when people let it go",
    () =>
      Effect.gen(function* () {
        const file = yield* databaseFile
        const before = yield* boot(file)
        yield* before.create(a)
        yield* before.prompt(a, first, "hang")
        yield* before.until(a, (view) => statusOf(view, first) === "working")
        yield* before.prompt(a, second, "say after all")
        yield* before.kill
        const between = yield* boot(file)
        const held = yield* between.ended(a, first)
        assert.deepStrictEqual(held.heldBy, { turnId: first, why: "lost" })
        assert.deepStrictEqual(
          held.turns.map(({ status }) => status),
          ["lost", "queued"]
        )
        yield* between.kill
        const after = yield* boot(file)
        assert.deepStrictEqual((yield* after.until(a, () => true)).heldBy, held.heldBy)
        assert.deepStrictEqual([...between.provider.starts, ...after.provider.starts], [])
        yield* after.send(a, { type: "queue.hold", held: false })
        const view = yield* after.ended(a, second)
        assert.deepStrictEqual(
          view.turns.map(({ status }) => status),
          ["lost", "completed"]
        )
        assert.deepStrictEqual(
          after.provider.prompts.map(({ turnId }) => turnId),
          [second]
        )
      })
  )

  it.live("a turn whose agent was still starting is run: nobody had seen it", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const before = yield* boot(file)
      before.provider.startGates.set(a, yield* Latch.make())
      yield* before.create(a)
      yield* before.prompt(a, first, "say hi")
      yield* before.until(a, ({ session }) => session.state === "starting")
      yield* before.kill
      const after = yield* boot(file)
      assert.strictEqual(statusOf(yield* after.ended(a, first), first), "completed")
    })
  )

  it.live(
    "a thread's agent is started with all that the thread was created with, from its log and from its folded state",
    () =>
      Effect.gen(function* () {
        const file = yield* databaseFile
        const from = { type: "fork" as const, sessionId: ResumeToken.make("kept"), threadId: b }
        const chosen = {
          additionalDirectories: ["/"],
          mcpServers: ["files"],
          settings: { mode: "plan" },
          providerOptions: { acp: { command: "other" } }
        }
        const startedBy = Effect.fnUntraced(function* (server: Effect.Success<ReturnType<typeof boot>>) {
          yield* server.send(a, { type: "session.start" })
          yield* server.until(a, ({ session }) => session.state === "ready")
          const [start] = server.provider.starts
          assert.deepInclude(start, chosen)
          return start?.from
        })
        const first = yield* boot(file)
        yield* first.send(a, { type: "thread.create", provider: fake.id, cwd: "/tmp", from, ...chosen })
        yield* first.kill
        const second = yield* boot(file)
        assert.deepStrictEqual(yield* startedBy(second), from)
        yield* Stream.runDrain(second.threads.export(a))
        yield* second.kill
        // A copy is made once: from then on there is a session to go on with.
        assert.isUndefined(yield* startedBy(yield* boot(file)))
      })
  )

  it.live("an open approval has expired, and says why", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const before = yield* boot(file)
      yield* before.create(a)
      yield* before.prompt(a, first, "ask")
      const waiting = yield* before.until(a, ({ requests }) => requests.length > 0)
      yield* before.kill
      const after = yield* boot(file)
      const view = yield* after.until(a, () => true)
      assert.deepStrictEqual(view.requests, [])
      const reason = "The server was restarted before anybody answered."
      assert.deepInclude(
        view.items.find(({ type }) => type === "request"),
        { outcome: { type: "expired", reason } }
      )
      const { requestId } = waiting.requests[0]!.request
      const response = { type: "option" as const, optionId: "proceed_once" }
      const late = yield* Effect.flip(after.send(a, { type: "request.respond", requestId, response }))
      assert.strictEqual(late.problem.code, "request-closed")
    })
  )

  it.live("an agent that was starting on request was not started, and an idle one has ended", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const before = yield* boot(file)
      before.provider.startGates.set(a, yield* Latch.make())
      yield* before.create(a)
      yield* before.create(b)
      yield* before.send(a, { type: "session.start" })
      yield* before.prompt(b, second, "say hi")
      yield* before.ended(b, second)
      yield* before.kill
      const after = yield* boot(file)
      const starting = yield* after.until(a, () => true)
      assert.strictEqual(starting.session.state, "exited")
      assert.deepInclude(starting.items[0], { type: "problem" })
      const idle = yield* after.until(b, () => true)
      assert.strictEqual(idle.session.state, "exited")
      assert.notInclude(
        idle.items.map(({ type }) => type),
        "session"
      )
    })
  )

  it.live(
    "the list has the times that it had, but for a thread that the restart cost a turn; and that is news once",
    () =>
      Effect.gen(function* () {
        const file = yield* databaseFile
        const timesIn = Effect.fnUntraced(function* ({ threads, until }: Effect.Success<ReturnType<typeof boot>>) {
          // The notes of the restart are stored when a session has left `starting`.
          for (const thread of [a, b]) yield* until(thread, ({ session }) => session.state !== "starting")
          const frame = yield* Stream.runHead(threads.watchAll).pipe(Effect.flatMap(Effect.fromOption))
          const time = (thread: typeof a) => frame.threads.find(({ threadId }) => threadId === thread)?.updatedAt
          return {
            quiet: time(a),
            lost: time(b),
            sequence: frame.threads.find(({ threadId }) => threadId === a)?.sequence
          }
        })
        const before = yield* boot(file)
        yield* before.create(a)
        yield* before.create(b)
        yield* before.prompt(a, first, "say hi")
        yield* before.ended(a, first)
        yield* before.prompt(b, second, "hang")
        yield* before.until(b, (view) => statusOf(view, second) === "working")
        const then = yield* timesIn(before)
        yield* Effect.sleep("10 millis")
        yield* before.kill
        const after = yield* boot(file)
        const now = yield* timesIn(after)
        assert.isAbove(now.sequence ?? 0, then.sequence ?? 0, "the end of its agent is noted")
        assert.strictEqual(now.quiet, then.quiet)
        assert.isAbove(now.lost ?? 0, then.lost ?? 0)
        yield* Effect.sleep("10 millis")
        yield* after.kill
        const again = yield* timesIn(yield* boot(file))
        assert.deepStrictEqual([again.quiet, again.lost], [now.quiet, now.lost])
      })
  )

  it.live("the list shows no turn that is not running", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const before = yield* boot(file)
      yield* before.create(a)
      yield* before.prompt(a, first, "hang")
      yield* before.until(a, (view) => statusOf(view, first) === "working")
      yield* before.kill
      const after = yield* boot(file)
      const [frame] = yield* Stream.runCollect(Stream.take(after.threads.watchAll, 1))
      assert.deepStrictEqual(
        frame?.threads.map(({ status }) => status),
        ["lost"]
      )
    })
  )

  it.live("a command gets the receipt that it had got before", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const before = yield* boot(file)
      const commandId = CommandId.make("rename")
      yield* before.create(a)
      const receipt = yield* before.send(a, { type: "thread.rename", title: "Kept" }, commandId)
      yield* before.kill
      const after = yield* boot(file)
      yield* after.send(a, { type: "thread.rename", title: "Newer" })
      assert.deepStrictEqual(yield* after.send(a, { type: "thread.rename", title: "Kept" }, commandId), receipt)
      assert.strictEqual((yield* after.until(a, () => true)).title, "Newer")
    })
  )
})

describe("when the disk refuses", () => {
  it.live("commands are told so, and what agents do waits and is kept", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const server = yield* boot(file)
      const sql = Context.get(server.context, SqlClient.SqlClient)
      yield* server.create(a)
      const rename = server.send(a, { type: "thread.rename", title: "x".repeat(10_000) }, CommandId.make("rename"))
      yield* sql`PRAGMA max_page_count = 1`
      yield* server.provider.emit(a, [{ type: "runtime.warning", message: "y".repeat(10_000) }])
      const refused = yield* Effect.flip(rename)
      assert.strictEqual(refused.problem.title, "The disk is full.")
      // Long enough for the warning to have been tried.
      for (let turns = 0; turns < 100; turns++) yield* Effect.yieldNow
      const unchanged = yield* server.until(a, () => true)
      assert.deepStrictEqual([unchanged.sequence, unchanged.title, unchanged.items], [1, "New thread", []])
      yield* sql`PRAGMA max_page_count = 100000`
      yield* server.until(a, ({ items }) => items.length === 1)
      yield* rename
    })
  )

  it.live("text is shown all the same, up to a bound that holds agents up, and in the end all of it is kept", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const server = yield* boot(file)
      const sql = Context.get(server.context, SqlClient.SqlClient)
      yield* server.create(a)
      yield* sql`PRAGMA max_page_count = 1`
      const piece = "x".repeat(10_000)
      const pieces = 300
      const itemId = ItemId.make("between-turns")
      for (let n = 0; n < pieces; n++) {
        yield* server.provider.emit(a, [{ type: "message.delta", itemId, offset: n * piece.length, text: piece }])
        // Taken one by one: what comes together is taken in together.
        for (let turns = 0; turns < 5; turns++) yield* Effect.yieldNow
      }
      const lengthOf = ({ items }: ThreadView) => (items[0]?.type === "message" ? items[0].text.length : 0)
      const held = lengthOf(yield* server.until(a, (view) => lengthOf(view) > 1_000_000))
      for (let turns = 0; turns < 200; turns++) yield* Effect.yieldNow
      const later = lengthOf(yield* server.until(a, () => true))
      assert.isBelow(later, 1_500_000)
      assert.isAtLeast(later, held)
      const refused = yield* Effect.flip(server.send(a, { type: "thread.rename", title: "No room" }))
      assert.strictEqual(refused.problem.code, "storage")
      yield* sql`PRAGMA max_page_count = 100000`
      const whole = pieces * piece.length
      yield* server.until(a, (view) => lengthOf(view) === whole)
      yield* server.stop
      const after = yield* boot(file)
      assert.strictEqual(lengthOf(yield* after.until(a, () => true)), whole)
    })
  )

  it.live("the server starts, and goes on with what was left as soon as that can be kept, though nobody looks", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const before = yield* boot(file)
      before.provider.startGates.set(a, yield* Latch.make())
      yield* before.create(a)
      yield* before.prompt(a, first, "say one")
      yield* before.prompt(a, second, "say next")
      yield* before.until(a, ({ session }) => session.state === "starting")
      yield* before.kill
      const holder = new DatabaseSync(file)
      holder.exec("BEGIN IMMEDIATE")
      const { ended, provider } = yield* boot(file)
      const prompted = yield* Latch.make()
      provider.hooks.prompted = () => prompted.openUnsafe()
      holder.close()
      yield* prompted.await
      const { turns } = yield* ended(a, second)
      assert.deepStrictEqual(
        turns.map(({ status }) => status),
        ["completed", "completed"]
      )
    })
  )

  it.live("one damaged thread keeps neither the server nor the others from starting", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const before = yield* boot(file)
      yield* before.create(a)
      yield* before.create(b)
      yield* before.prompt(a, first, "hang")
      yield* before.until(a, (view) => statusOf(view, first) === "working")
      yield* before.kill
      const vandal = new DatabaseSync(file)
      vandal.exec("UPDATE events SET payload = 'nonsense' WHERE thread_id = 'thread-a' AND sequence = 2")
      vandal.close()
      const after = yield* boot(file)
      const refused = yield* Effect.flip(after.prompt(a, second, "say hi"))
      assert.strictEqual(refused.problem.title, "This thread's record is damaged.")
      assert.include(refused.problem.cause, "its event 2 can't be understood")
      yield* after.prompt(b, second, "say hi")
      assert.strictEqual(statusOf(yield* after.ended(b, second), second), "completed")
    })
  )
})

describe("when the server is stopped", () => {
  it.live("agents end first and what they say last is kept; what waits is held for the next server", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const before = yield* boot(file)
      yield* before.create(a)
      yield* before.prompt(a, first, "hang")
      yield* before.until(a, (view) => statusOf(view, first) === "working")
      yield* before.prompt(a, second, "say next")
      yield* before.stop
      assert.strictEqual(before.provider.prompts.length, 1)
      const after = yield* boot(file)
      assert.deepStrictEqual((yield* after.ended(a, first)).heldBy, { turnId: first, why: "cancelled" })
      yield* after.send(a, { type: "queue.hold", held: false })
      const view = yield* after.ended(a, second)
      assert.deepStrictEqual(
        view.turns.map(({ status }) => status),
        ["cancelled", "completed"]
      )
    })
  )

  it.live("a thread is afterwards what it was before", () =>
    Effect.gen(function* () {
      const file = yield* databaseFile
      const before = yield* boot(file)
      yield* before.create(a)
      yield* before.send(a, { type: "thread.rename", title: "A name" })
      yield* before.prompt(a, first, "say hello; flood 1000; say bye; refuse")
      yield* before.ended(a, first)
      yield* before.send(a, { type: "session.stop" })
      const left = yield* before.until(a, ({ session }) => session.state === "exited")
      yield* before.stop
      const after = yield* boot(file)
      assert.deepStrictEqual(yield* after.until(a, () => true), left)
    })
  )
})
