/** What is removed is gone: from every table, and from every byte of every file. */
import { CommandId, EventId, ProviderSessionId, Sequence, ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Databases from "../support/Databases.ts"
import { fake } from "../support/FakeProvider.ts"
import { threadId, toolCall, told, turnId, warnings } from "../support/ThreadEvents.ts"
import { everything, ThreadRecord, viewOf } from "../support/ThreadRecord.ts"

const other = ThreadId.make("other")
const secret = "the-secret-that-must-not-stay"

/** A folded thread with an open log, whose every text holds `word`. */
const write = Effect.fnUntraced(function* (store: Databases.Opened["store"], id: ThreadId, word: string) {
  const record = new ThreadRecord(id)
  const common = { threadId: id, at: 1 }
  const long = [{ part: "stdout", length: 1, chunks: [`hash of ${word}`] }]
  const update = { ...told("tool.updated", toolCall({ title: word, long })), threadId: id }
  const chunks = [{ itemId: update.itemId, name: `hash of ${word}`, text: `${word} `.repeat(5000) }]
  const started: ReadonlyArray<ThreadEvent> = [
    {
      type: "thread.created",
      ...common,
      provider: fake,
      cwd: `/${word}`,
      title: word,
      providerOptions: {},
      settings: {}
    },
    { type: "turn.queued", ...common, turnId, prompt: [{ type: "text", text: `${word} ${word}` }] },
    { type: "turn.dispatched", ...common, turnId }
  ]
  const receipt = { commandId: CommandId.make(`command ${word}`), sequence: Sequence.make(3), at: 1 }
  yield* store.commit([record.step(started, { receipt })])
  yield* store.fold(record.fold())
  yield* store.commit([
    record.step(
      warnings(0, 200, word.repeat(50)).map(({ event }) => event),
      { chunks }
    )
  ])
  yield* store.commit([record.step([update])])
  yield* store.fold(record.fold())
  yield* store.commit([
    record.step([
      {
        type: "turn.completed",
        ...common,
        eventId: EventId.make("event"),
        providerKind: fake.kind,
        providerSessionId: ProviderSessionId.make("session"),
        turnId,
        outcome: "failed",
        problem: { code: "internal", title: word, cause: word, evidence: {}, nextSteps: [] }
      }
    ])
  ])
  return record
})

const filesWith = (folder: string, word: string): ReadonlyArray<string> =>
  fs.readdirSync(folder).filter((name) => fs.readFileSync(path.join(folder, name)).includes(word))

describe("a thread that is removed", () => {
  it.live("leaves no row, no receipt, and no byte of its texts in any file", () =>
    Effect.gen(function* () {
      const { file, store } = yield* Databases.fresh
      const kept = yield* write(store, other, "what-stays")
      yield* write(store, threadId, secret)
      Databases.meddle(
        file,
        `INSERT INTO drafts VALUES ('${threadId}', 1, '${secret} draft', 0, NULL, '[]', 1);
         INSERT INTO draft_attachments VALUES ('${threadId}', 'file', 1, '${secret} file')`
      )
      const folder = path.dirname(file)
      assert.isNotEmpty(filesWith(folder, secret))
      yield* store.remove(threadId)
      assert.deepStrictEqual(filesWith(folder, secret), [])
      assert.isNotEmpty(filesWith(folder, "what-stays"))
      assert.isUndefined(yield* store.load(threadId, everything))
      assert.isUndefined(yield* store.receipt(threadId, CommandId.make(`command ${secret}`)))
      assert.deepStrictEqual(
        (yield* store.summaries).map((row) => row.threadId),
        [other]
      )
      assert.deepStrictEqual(viewOf((yield* store.load(other, everything))!), kept.view)
      for (const { name } of Databases.query(file, "SELECT name FROM sqlite_master WHERE type = 'table'")) {
        const columns = Databases.query(file, `PRAGMA table_info(${String(name)})`).map((column) => column.name)
        if (!columns.includes("thread_id")) continue
        const rows = Databases.query(file, `SELECT 1 FROM ${String(name)} WHERE thread_id = '${threadId}'`)
        assert.deepStrictEqual(rows, [], String(name))
      }
    })
  )

  it.live("gives its room back", () =>
    Effect.gen(function* () {
      const { file, store } = yield* Databases.fresh
      yield* write(store, other, "what-stays")
      yield* store.remove(ThreadId.make("nobody"))
      const before = fs.statSync(file).size
      const record = yield* write(store, threadId, secret)
      for (let more = 0; more < 20; more++)
        yield* store.commit([record.step(warnings(0, 200, secret.repeat(50)).map(({ event }) => event))])
      yield* store.remove(threadId)
      assert.isAtMost(fs.statSync(file).size, before + 8192)
      assert.isAtMost(fs.statSync(`${file}-wal`).size, 16_384)
    })
  )

  it.live("is removed already when it is removed again, and may be made anew", () =>
    Effect.gen(function* () {
      const { store } = yield* Databases.fresh
      yield* write(store, threadId, secret)
      yield* store.remove(threadId)
      yield* store.remove(threadId)
      const again = yield* write(store, threadId, "another")
      assert.deepStrictEqual(viewOf((yield* store.load(threadId, everything))!), again.view)
    })
  )
})
