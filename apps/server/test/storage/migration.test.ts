/** Databases of earlier versions go on as they are: each shape that was ever released, made by the migrations of its time. */
import { CommandId, ItemId, Sequence } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import threads from "../../src/storage/Migrations/0001_threads.ts"
import folding from "../../src/storage/Migrations/0002_folding.ts"
import erasures from "../../src/storage/Migrations/0003_erasures.ts"
import rememberedSettings from "../../src/storage/Migrations/0004_remembered_settings.ts"
import * as Sqlite from "../../src/storage/Sqlite.ts"
import * as Databases from "../support/Databases.ts"
import { created, delta, logged, threadId, told, toolCall, turnId } from "../support/ThreadEvents.ts"
import { everything, ThreadRecord, viewOf } from "../support/ThreadRecord.ts"

const common = { threadId, at: 1 }
const queued: ThreadEvent = { type: "turn.queued", ...common, turnId, prompt: [{ type: "text", text: "hi" }] }
const dispatched: ThreadEvent = { type: "turn.dispatched", ...common, turnId }

/** A file as version 0.1 left it: a thread with a turn that runs, whose text was compacted. Made without room to shrink. */
const released = Effect.fnUntraced(function* (padding = 0) {
  const file = yield* Databases.file
  const empty = new DatabaseSync(file)
  empty.exec("PRAGMA journal_mode = WAL; CREATE TABLE padding (bytes BLOB)")
  empty.prepare("INSERT INTO padding VALUES (zeroblob(?))").run(padding)
  empty.exec("DROP TABLE padding")
  empty.close()
  const record = new ThreadRecord(threadId)
  record.step([created, queued, dispatched, delta("Hello"), delta(", world", 5)])
  const events = [
    ...logged(0, [created, queued, dispatched]),
    { sequence: Sequence.make(5), event: delta("Hello, world") }
  ]
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* Migrator.make({})({ loader: Migrator.fromRecord({ "0001_threads": threads }), table: "migrations" })
    yield* sql`INSERT INTO threads ${sql.insert({
      thread_id: threadId,
      summary: JSON.stringify({ ...record.view, items: undefined }),
      provider_options: "{}",
      session_open: 1,
      compacted_through: 4
    })}`
    for (const { event, sequence } of events)
      yield* sql`INSERT INTO events ${sql.insert({ thread_id: threadId, sequence, payload: JSON.stringify(event) })}`
    yield* sql`INSERT INTO turns ${sql.insert({ thread_id: threadId, turn_id: turnId, status: "dispatched" })}`
    yield* sql`INSERT INTO receipts ${sql.insert({ thread_id: threadId, command_id: "command", sequence: 2, at: 5 })}`
  }).pipe(Effect.provide(Layer.fresh(Sqlite.layer(file))), Effect.scoped)
  return { file, record }
})

/** The shapes that databases have had, each made of the migrations of its time. */
const shapes = [
  { "0001_threads": threads },
  { "0001_threads": threads, "0002_folding": folding },
  { "0001_threads": threads, "0002_folding": folding, "0003_erasures": erasures },
  {
    "0001_threads": threads,
    "0002_folding": folding,
    "0003_erasures": erasures,
    "0004_remembered_settings": rememberedSettings
  }
]

describe("a database of version 0.1", () => {
  it.live("holds the same threads, which go on and are folded like others", () =>
    Effect.gen(function* () {
      const { file, record } = yield* released()
      const view = yield* Effect.scoped(
        Effect.gen(function* () {
          const { store } = yield* Databases.open(file)
          const loaded = yield* store.load(threadId, everything)
          assert.isUndefined(loaded?.folded)
          assert.deepStrictEqual(viewOf(loaded!), record.view)
          assert.deepStrictEqual(yield* store.unsettled, [threadId])
          assert.deepStrictEqual(yield* store.receipt(threadId, CommandId.make("command")), {
            commandId: CommandId.make("command"),
            sequence: Sequence.make(2),
            at: 5
          })
          yield* store.commit([record.step([delta("!", 12), { type: "turn.withdrawn", ...common, turnId }])])
          yield* store.fold(record.fold())
          return record.view!
        })
      )
      const { store } = yield* Databases.open(file)
      const loaded = yield* store.load(threadId, everything)
      assert.deepStrictEqual(viewOf(loaded!), view)
      assert.deepStrictEqual(loaded?.tail, [])
      const found = yield* store.items(threadId, [ItemId.make(`${turnId}:assistant`)])
      assert.strictEqual(found[0]?.item.type === "message" && found[0].item.text, "Hello, world!")
    })
  )

  it.live("has the shape of a new one afterwards, and can shrink like it", () =>
    Effect.gen(function* () {
      const { file } = yield* released(1_000_000)
      assert.isAbove(fs.statSync(file).size, 1_000_000)
      yield* Effect.scoped(Databases.open(file))
      const fresh = yield* Databases.file
      yield* Effect.scoped(Databases.open(fresh))
      const shape = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
      assert.deepStrictEqual(Databases.query(file, shape), Databases.query(fresh, shape))
      assert.deepStrictEqual(Databases.query(file, "PRAGMA auto_vacuum"), [{ auto_vacuum: 2 }])
      assert.isBelow(fs.statSync(file).size, 300_000)
    })
  )
})

describe("a database of any earlier shape", () => {
  it.live("has the shape of a new one afterwards, and remembers what is chosen from then on", () =>
    Effect.gen(function* () {
      const fresh = yield* Databases.file
      yield* Effect.scoped(Databases.open(fresh))
      for (const migrations of shapes) {
        const file = yield* Databases.file
        yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "migrations" }).pipe(
          Effect.provide(Layer.fresh(Sqlite.layer(file))),
          Effect.scoped
        )
        const { store } = yield* Databases.open(file)
        const shape = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
        assert.deepStrictEqual(Databases.query(file, shape), Databases.query(fresh, shape))
        const record = new ThreadRecord(threadId)
        const chosen: ThreadEvent = { type: "setting.requested", ...common, settingId: "mode", value: "plan" }
        yield* store.commit([record.step([created, chosen])])
        assert.deepStrictEqual(Databases.query(file, "SELECT * FROM remembered_settings"), [
          { provider_id: "fake", cwd: "/project", setting_id: "mode", value: '"plan"', chosen_at: 1 }
        ])
      }
    })
  )
})

describe("tool calls with ids like ours, as they were stored before", () => {
  /** A file of the fourth shape. Its log has a row for each event, and its transcript has one for each entry. */
  const stored = Effect.fnUntraced(function* (
    events: ReadonlyArray<ThreadEvent>,
    items: ReadonlyArray<{ readonly itemId: string; readonly kind: string; readonly payload: string }>
  ) {
    const file = yield* Databases.file
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Migrator.make({})({ loader: Migrator.fromRecord(shapes[3] ?? {}), table: "migrations" })
      yield* sql`INSERT INTO threads ${sql.insert({ thread_id: threadId, summary: "{}", provider_options: "{}" })}`
      for (const { event, sequence } of logged(0, events))
        yield* sql`INSERT INTO events ${sql.insert({ thread_id: threadId, sequence, payload: JSON.stringify(event) })}`
      for (const [index, { itemId, kind, payload }] of items.entries())
        yield* sql`INSERT INTO items ${sql.insert({ thread_id: threadId, position: index + 1, item_id: itemId, kind, payload })}`
    }).pipe(Effect.provide(Layer.fresh(Sqlite.layer(file))), Effect.scoped)
    return file
  })

  it.live("get entries of their own, and the text of the log that they replaced comes back", () =>
    Effect.gen(function* () {
      const names = ["assistant", "assistant:2", "prompt", "tool:x", "plain", "assistants"]
      const file = yield* stored(
        [
          created,
          queued,
          dispatched,
          delta("Hello"),
          ...names.map((toolCallId) => told("tool.started", toolCall({ toolCallId })))
        ],
        []
      )
      const { store } = yield* Databases.open(file)
      const view = viewOf((yield* store.load(threadId, everything))!)
      assert.deepStrictEqual(
        view.items.map(({ itemId, type }) => [type, itemId.slice(turnId.length + 1)]),
        [
          ["prompt", "prompt"],
          ["message", "assistant"],
          ["tool", "tool:assistant"],
          ["tool", "tool:assistant:2"],
          ["tool", "tool:prompt"],
          ["tool", "tool:tool:x"],
          ["tool", "plain"],
          ["tool", "assistants"]
        ]
      )
      const [, message] = view.items
      assert.strictEqual(message?.type === "message" && message.text, "Hello")
    })
  )

  it.live("are renamed in the transcript with their outputs; what is no JSON stays for its own error", () =>
    Effect.gen(function* () {
      const itemId = ItemId.make(`${turnId}:assistant:2`)
      const item = { type: "tool", itemId, turnId, at: 1, tool: toolCall({ toolCallId: "assistant:2" }) }
      const file = yield* stored(
        [],
        [
          { itemId, kind: "tool", payload: JSON.stringify(item) },
          { itemId: `${turnId}:prompt`, kind: "tool", payload: "{ broken" },
          { itemId: `${turnId}:assistant`, kind: "message", payload: '{"tool":{"toolCallId":"assistant"}}' }
        ]
      )
      Databases.meddle(file, `INSERT INTO output_refs VALUES ('${threadId}', '${itemId}', 'hash')`)
      yield* Effect.scoped(Databases.open(file))
      const after = `${turnId}:tool:assistant:2`
      assert.deepStrictEqual(Databases.query(file, "SELECT item_id FROM items ORDER BY position"), [
        { item_id: after },
        { item_id: `${turnId}:prompt` },
        { item_id: `${turnId}:assistant` }
      ])
      assert.deepStrictEqual(
        Databases.query(file, "SELECT json_extract(payload, '$.itemId') AS id FROM items LIMIT 1"),
        [{ id: after }]
      )
      assert.deepStrictEqual(Databases.query(file, "SELECT item_id FROM output_refs"), [{ item_id: after }])
    })
  )
})
