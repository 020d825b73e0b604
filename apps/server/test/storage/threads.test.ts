/** What a step of a thread leaves on disk, and what is said of a record that is damaged. */
import { CommandId, RequestId, Sequence, ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { ThreadCommit } from "../../src/storage/ThreadStore.ts"
import * as Databases from "../support/Databases.ts"
import { fake } from "../support/FakeProvider.ts"
import { common, created, delta, logged, runtime, threadId, turnId } from "../support/ThreadEvents.ts"
import { everything, ThreadRecord, viewOf } from "../support/ThreadRecord.ts"

const queued: ThreadEvent = { type: "turn.queued", ...common, turnId, prompt: [{ type: "text", text: "hi" }] }
const dispatched: ThreadEvent = { type: "turn.dispatched", ...common, turnId }
const commandId = CommandId.make("command")
const other = ThreadId.make("other")
const problem = { code: "internal" as const, title: "No.", cause: "", evidence: {}, nextSteps: [] }

/** `PRAGMA synchronous`: whether a commit waits for the disk. */
const [normal, full] = [1, 2]

describe("a commit", () => {
  it.effect("is there as a whole, with its receipt, turn and row of the list", () =>
    Effect.gen(function* () {
      const { store } = yield* Databases.fresh
      const record = new ThreadRecord(threadId)
      const receipt = { commandId, digest: "digest", sequence: Sequence.make(2), at: 5 }
      yield* store.commit([record.step([created, queued], { receipt })])
      const view = record.view!
      assert.deepStrictEqual(yield* store.receipt(threadId, commandId), receipt)
      const loaded = yield* store.load(threadId, everything)
      assert.deepStrictEqual(viewOf(loaded!), view)
      assert.deepStrictEqual(loaded?.providerOptions, {})
      assert.isUndefined(loaded?.folded)
      assert.deepStrictEqual(yield* store.summaries, [ThreadProjection.summary(view)])
      assert.isTrue(yield* store.hasTurn(threadId, turnId))
      assert.deepStrictEqual(yield* store.unsettled, [threadId])
    })
  )

  it.effect("that fails leaves nothing behind, and the next one works", () =>
    Effect.gen(function* () {
      const { store } = yield* Databases.fresh
      const receipt = { commandId, sequence: Sequence.make(1), at: 5 }
      const step = new ThreadRecord(threadId).step([created])
      const first = new ThreadRecord(other).step([{ ...created, threadId: other }], { receipt })
      const error = yield* Effect.flip(store.commit([first, step, step]))
      assert.strictEqual(error.reason, "failed")
      assert.deepStrictEqual(yield* store.summaries, [])
      assert.isUndefined(yield* store.receipt(other, commandId))
      yield* store.commit([step])
      assert.strictEqual((yield* store.summaries).length, 1)
    })
  )

  it.effect("keeps why a command was refused, also of a thread that is not there", () =>
    Effect.gen(function* () {
      const { store } = yield* Databases.fresh
      const receipt = { commandId, sequence: Sequence.make(0), at: 5, problem }
      yield* store.commit([{ threadId, events: [], head: undefined, receipt }])
      assert.deepStrictEqual(yield* store.receipt(threadId, commandId), receipt)
      assert.isUndefined(yield* store.load(threadId, everything))
      assert.isUndefined(yield* store.receipt(other, commandId))
    })
  )

  it.effect("never writes one place in a log twice", () =>
    Effect.gen(function* () {
      const { store } = yield* Databases.fresh
      const record = new ThreadRecord(threadId)
      yield* store.commit([record.step([created, queued])])
      const events = logged(1, [{ type: "thread.renamed", ...common, title: "Mine" }])
      const error = yield* Effect.flip(store.commit([{ threadId, events, head: record.view }]))
      assert.strictEqual(error.reason, "failed")
      assert.strictEqual(viewOf((yield* store.load(threadId, everything))!).title, "hi")
    })
  )

  it.effect("of a thread that is not there leaves nothing that nobody would find", () =>
    Effect.gen(function* () {
      const { file, store } = yield* Databases.fresh
      const record = new ThreadRecord(threadId)
      record.step([created])
      yield* Effect.flip(store.commit([record.step([queued])]))
      assert.deepStrictEqual(
        Databases.query(file, "SELECT thread_id FROM events UNION SELECT thread_id FROM turns"),
        []
      )
    })
  )
})

describe("a power cut", () => {
  const completed: ThreadEvent = { type: "turn.completed", ...runtime, turnId, outcome: "completed" }
  const receipt = { commandId, sequence: Sequence.make(0), at: 5 }
  const interrupted: ThreadEvent = { type: "turn.interrupt.requested", ...common, turnId }
  const stopped: ThreadEvent = { type: "session.stop.requested", ...common }
  const answered: ThreadEvent = {
    type: "request.answered",
    ...common,
    requestId: RequestId.make("request"),
    response: { type: "option", optionId: "yes" }
  }
  const steps: ReadonlyArray<readonly [string, ReadonlyArray<ThreadEvent>, Partial<ThreadCommit>, boolean]> = [
    ["with a receipt", [], { receipt }, true],
    ["after which the agent gets a prompt", [dispatched], {}, true],
    ["after which the agent gets an answer", [answered], {}, true],
    ["after which the agent is told to stop", [interrupted], {}, true],
    ["after which the agent is ended", [stopped], {}, true],
    ["of which nobody was promised anything", [completed], {}, false]
  ]
  it.effect.each(steps)("a step %s is synced, if it has to be", ([, events, more, synced]) =>
    Effect.gen(function* () {
      const { sql, store } = yield* Databases.fresh
      const record = new ThreadRecord(threadId)
      // The other way round before, so that the step itself has to see to it.
      yield* store.commit([record.step([created, queued], synced ? {} : { receipt })])
      yield* store.commit([record.step(events, more)])
      assert.deepStrictEqual(yield* sql`PRAGMA synchronous`, [{ synchronous: synced ? full : normal }])
    })
  )
})

describe("a turn's status", () => {
  const completed: ThreadEvent = { type: "turn.completed", ...runtime, turnId, outcome: "refused" }
  const withdrawn: ThreadEvent = { type: "turn.withdrawn", ...common, turnId }
  const lost: ThreadEvent = { type: "turn.lost", ...common, turnId, reason: "" }
  const failed: ThreadEvent = { type: "turn.failed", ...common, turnId, problem }
  const ends: ReadonlyArray<readonly [string, string, ReadonlyArray<ThreadEvent>, boolean]> = [
    ["while it waits", "accepted", [], true],
    ["from when the agent may have it", "dispatched", [dispatched], true],
    ["when it is over", "done", [dispatched, completed], false],
    ["when it failed", "done", [failed], false],
    ["when it was taken back", "withdrawn", [withdrawn], false],
    ["when it was taken back too late", "done", [dispatched, withdrawn], false],
    ["when our server ended under it", "lost", [dispatched, lost], false]
  ]
  it.effect.each(ends)("%s is %s", ([, status, events, unsettled]) =>
    Effect.gen(function* () {
      const { file, store } = yield* Databases.fresh
      yield* store.commit([new ThreadRecord(threadId).step([created, queued, ...events])])
      assert.deepStrictEqual(Databases.query(file, "SELECT status FROM turns"), [{ status }])
      assert.strictEqual((yield* store.unsettled).length, unsettled ? 1 : 0)
      assert.isTrue(yield* store.hasTurn(threadId, turnId))
    })
  )
})

describe("damage", () => {
  const write = Effect.fnUntraced(function* (file: string) {
    const opened = yield* Databases.open(file)
    for (const id of [threadId, other]) {
      const record = new ThreadRecord(id)
      const started = { type: "session.start.requested" as const, threadId: id, at: 2 }
      yield* opened.store.commit([record.step([{ ...created, threadId: id }, { ...queued, threadId: id }, started])])
      yield* opened.store.fold(record.fold())
      yield* opened.store.commit([
        record.step([
          { ...dispatched, threadId: id },
          { ...delta("x"), threadId: id }
        ])
      ])
      yield* opened.store.fold(record.fold())
      yield* opened.store.commit([record.step([{ ...delta("y", 1), threadId: id }])])
    }
    return opened
  })
  const two = Effect.flatMap(Databases.file, write)

  const places = [
    ["an event", 'UPDATE events SET payload = \'{"type":"thread.created"}\''],
    ["an entry", "UPDATE items SET payload = '{'"],
    ["a turn", "UPDATE turns SET payload = '[]'"],
    ["the head", "UPDATE heads SET payload = 'null'"],
    ["the head that is not there any more", "DELETE FROM heads"],
    ["the agent's options", "UPDATE threads SET provider_options = '7'"]
  ] as const
  it.live.each(places)("of %s makes its own thread unreadable, and no other", ([, sql]) =>
    Effect.gen(function* () {
      const { file, state, store } = yield* two
      Databases.meddle(file, `${sql} WHERE thread_id = '${threadId}'`)
      const error = yield* Effect.flip(store.load(threadId, everything))
      assert.strictEqual(error.reason, "corrupt-thread")
      assert.strictEqual(error.problem.code, "storage")
      // The file is sound: nobody is to move it away for one thread.
      assert.notInclude(JSON.stringify(error.problem.nextSteps), "move")
      assert.deepStrictEqual(yield* state.now, { state: "ok" })
      assert.strictEqual(error.problem.evidence.path, file)
      assert.strictEqual(viewOf((yield* store.load(other, everything))!).threadId, other)
    })
  )

  it.live("of a row of the list is reported in the row, which shows what can still be read", () =>
    Effect.gen(function* () {
      const { file, store } = yield* two
      const patch = "json_set(summary, '$.title', json('null'))"
      Databases.meddle(file, `UPDATE threads SET summary = ${patch} WHERE thread_id = '${threadId}'`)
      const found = new Map((yield* store.summaries).map((row) => [row.threadId, row]))
      assert.isUndefined(found.get(other)?.unreadable)
      const row = found.get(threadId)
      assert.strictEqual(row?.unreadable?.code, "storage")
      assert.deepStrictEqual([row?.title, row?.cwd, row?.provider], ["Unreadable thread", "/project", fake])
      Databases.meddle(file, `UPDATE threads SET summary = 'gone' WHERE thread_id = '${threadId}'`)
      const worse = (yield* store.summaries).find((summary) => summary.threadId === threadId)
      assert.strictEqual(worse?.unreadable?.code, "storage")
    })
  )

  it.live("of a page of the file is said to be damage, and leaves the list readable", () =>
    Effect.gen(function* () {
      const file = yield* Databases.file
      yield* Effect.scoped(write(file))
      Databases.spoil(file, "heads")
      const { store } = yield* Databases.open(file)
      const error = yield* Effect.flip(store.load(threadId, everything))
      assert.strictEqual(error.reason, "corrupt")
      assert.isNotEmpty(error.problem.nextSteps)
      assert.strictEqual((yield* store.summaries).length, 2)
    })
  )
})
