/** What is kept on disk, and what is said when it can't be. */
import type { LoggedEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import { CommandId, EventId, ItemId, ProviderSessionId, Sequence, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import type { RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as ThreadProjection from "@signalbox/contracts/ThreadProjection"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { compact, joinAdjacent } from "../src/persistence/EventJoining.ts"
import * as Sqlite from "../src/persistence/Sqlite.ts"
import { type ThreadCommit, ThreadStore } from "../src/persistence/ThreadStore.ts"
import * as ThreadStoreModule from "../src/persistence/ThreadStore.ts"
import { fake } from "./support/FakeProvider.ts"

const threadId = ThreadId.make("thread")
const turnId = TurnId.make("turn")
const common = { threadId, at: 1 }
const runtime = {
  ...common,
  eventId: EventId.make("event"),
  providerKind: fake.kind,
  providerSessionId: ProviderSessionId.make("session")
}

const created: ThreadEvent = {
  type: "thread.created",
  ...common,
  provider: fake,
  cwd: "/work",
  title: "New thread",
  providerOptions: { acp: { command: "x" } },
  settings: {}
}
const queued: ThreadEvent = { type: "turn.queued", ...common, turnId, prompt: [{ type: "text", text: "hi" }] }
const delta = (name: string, offset: number, text: string): RuntimeEventOf<"message.delta"> => ({
  type: "message.delta",
  ...runtime,
  turnId,
  itemId: ItemId.make(name),
  offset,
  text
})

const numbered = (events: ReadonlyArray<ThreadEvent>, from = 0): ReadonlyArray<LoggedEvent> =>
  events.map((event, index) => ({ sequence: Sequence.make(from + index + 1), event }))

const step = (events: ReadonlyArray<ThreadEvent>, more: Partial<ThreadCommit> = {}): ThreadCommit => {
  const log = numbered(events)
  return { threadId, events: log, view: ThreadProjection.apply(undefined, log), ...more }
}

const folder = Effect.flatMap(FileSystem.FileSystem, (files) =>
  files.makeTempDirectoryScoped({ prefix: "signalbox-persistence-" })
).pipe(Effect.provide(NodeServices.layer))

const openFile = (file: string) =>
  Layer.build(Layer.fresh(ThreadStoreModule.layer.pipe(Layer.provideMerge(Sqlite.layer(file)))))

const store = Effect.gen(function* () {
  const file = `${yield* folder}/signalbox.sqlite`
  return { file, store: Context.get(yield* openFile(file), ThreadStore) }
})

describe("the database file", () => {
  it.live("is for its owner only, in a folder made for its owner only", () =>
    Effect.gen(function* () {
      const file = `${yield* folder}/deep/state/signalbox.sqlite`
      yield* openFile(file)
      const mode = (path: string) => (fs.statSync(path).mode & 0o777).toString(8)
      assert.strictEqual(mode(file), "600")
      assert.strictEqual(mode(`${file}-wal`), "600")
      assert.strictEqual(mode(`${file}-shm`), "600")
      assert.strictEqual(mode(file.replace("/signalbox.sqlite", "")), "700")
    })
  )

  it.live("is opened again without being changed", () =>
    Effect.gen(function* () {
      const file = `${yield* folder}/signalbox.sqlite`
      yield* Effect.scoped(openFile(file))
      const before = schemaOf(file)
      yield* Effect.scoped(openFile(file))
      assert.deepStrictEqual(schemaOf(file), before)
      assert.isAbove(before.length, 5)
    })
  )

  const refused = (prepare: (file: string) => void) =>
    Effect.gen(function* () {
      const file = `${yield* folder}/signalbox.sqlite`
      prepare(file)
      const error = yield* Effect.flip(Effect.scoped(openFile(file)))
      assert.include(error.message, file)
      assert.isNotEmpty(error.problem.nextSteps)
      return error.reason
    })

  it.live("that is no database is said to be damaged", () =>
    Effect.gen(function* () {
      const reason = yield* refused((file) =>
        fs.writeFileSync(file, "not a database, but long enough to look at".repeat(30))
      )
      assert.strictEqual(reason, "corrupt")
    })
  )

  it.live("that can't be made is said to be unwritable", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refused((file) => fs.mkdirSync(file)), "unwritable")
      const file = `${yield* folder}/file`
      fs.writeFileSync(file, "")
      const error = yield* Effect.flip(Effect.scoped(openFile(`${file}/signalbox.sqlite`)))
      assert.strictEqual(error.reason, "unwritable")
    })
  )

  it.live("that another program holds is said to be locked", () =>
    Effect.gen(function* () {
      let holder: DatabaseSync | undefined
      const reason = yield* refused((file) => {
        holder = new DatabaseSync(file)
        holder.exec("PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; CREATE TABLE x (y)")
      })
      holder?.close()
      assert.strictEqual(reason, "locked")
    })
  )

  it.live("of a newer version is left alone", () =>
    Effect.gen(function* () {
      const file = `${yield* folder}/signalbox.sqlite`
      yield* Effect.scoped(openFile(file))
      const newer = new DatabaseSync(file)
      newer.exec("INSERT INTO migrations (migration_id, name) VALUES (999, 'from_the_future')")
      newer.close()
      const error = yield* Effect.flip(Effect.scoped(openFile(file)))
      assert.strictEqual(error.reason, "newer")
      assert.include(error.message, "999")
    })
  )
})

describe("a commit", () => {
  it.effect("is there as a whole, with its receipt, turn and row of the list", () =>
    Effect.gen(function* () {
      const { store: threads } = yield* store
      const commandId = CommandId.make("command")
      const receipt = { commandId, sequence: Sequence.make(2), at: 5 }
      const commit = step([created, queued], { receipt })
      yield* threads.commit([commit])
      assert.deepStrictEqual(yield* threads.receipt(threadId, commandId), receipt)
      assert.deepStrictEqual(yield* threads.load(threadId), {
        view: commit.view!,
        providerOptions: { acp: { command: "x" } }
      })
      assert.deepStrictEqual(yield* threads.summaries, [ThreadProjection.summary(commit.view!)])
      assert.isTrue(yield* threads.hasTurn(threadId, turnId))
      assert.deepStrictEqual(yield* threads.unsettled, [threadId])
    })
  )

  it.effect("that fails leaves nothing behind, and the next one works", () =>
    Effect.gen(function* () {
      const { store: threads } = yield* store
      const commandId = CommandId.make("command")
      const receipt = { commandId, sequence: Sequence.make(1), at: 5 }
      const other = step([created])
      const twice = { ...step([created], { receipt }), threadId: ThreadId.make("other") }
      const error = yield* Effect.flip(threads.commit([twice, other, other]))
      assert.strictEqual(error.reason, "failed")
      assert.deepStrictEqual(yield* threads.summaries, [])
      assert.isUndefined(yield* threads.receipt(twice.threadId, commandId))
      yield* threads.commit([other])
      assert.strictEqual((yield* threads.summaries).length, 1)
    })
  )

  it.effect("keeps why a command was refused", () =>
    Effect.gen(function* () {
      const { store: threads } = yield* store
      const commandId = CommandId.make("command")
      const problem = { code: "internal" as const, title: "No.", cause: "", evidence: {}, nextSteps: [] }
      const receipt = { commandId, sequence: Sequence.make(0), at: 5, problem }
      yield* threads.commit([{ threadId, events: [], view: undefined, receipt }])
      assert.deepStrictEqual(yield* threads.receipt(threadId, commandId), receipt)
      assert.isUndefined(yield* threads.load(threadId))
    })
  )

  it.effect("never writes one place in a log twice", () =>
    Effect.gen(function* () {
      const { store: threads } = yield* store
      yield* threads.commit([step([created, queued])])
      const log = numbered([{ type: "thread.renamed", ...common, title: "Mine" }], 1)
      const error = yield* Effect.flip(threads.commit([{ ...step([created]), events: log }]))
      assert.strictEqual(error.reason, "failed")
      assert.strictEqual((yield* threads.load(threadId))?.view.title, "hi")
    })
  )

  it.effect("that was damaged on disk is said to be damaged, not a crash", () =>
    Effect.gen(function* () {
      const { file, store: threads } = yield* store
      yield* threads.commit([step([created])])
      const vandal = new DatabaseSync(file)
      vandal.exec(`UPDATE events SET payload = '{"type":"thread.created"}'`)
      vandal.close()
      assert.strictEqual((yield* Effect.flip(threads.load(threadId))).reason, "corrupt")
    })
  )
})

describe("a turn's status", () => {
  const dispatched: ThreadEvent = { type: "turn.dispatched", ...common, turnId }
  const ends: ReadonlyArray<readonly [string, ReadonlyArray<ThreadEvent>, boolean]> = [
    ["accepted", [], true],
    ["dispatched", [dispatched], true],
    ["done", [dispatched, { type: "turn.completed", ...runtime, turnId, outcome: "refused" }], false],
    ["done", [{ type: "turn.withdrawn", ...common, turnId }], false],
    ["lost", [dispatched, { type: "turn.lost", ...common, turnId, reason: "" }], false]
  ]
  it.effect.each(ends)("is %s", ([status, events, unsettled]) =>
    Effect.gen(function* () {
      const { file, store: threads } = yield* store
      yield* threads.commit([step([created, queued, ...events])])
      const reader = new DatabaseSync(file, { readOnly: true })
      const row = reader.prepare("SELECT status FROM turns").get()
      reader.close()
      assert.strictEqual(row?.status, status)
      assert.strictEqual((yield* threads.unsettled).length, unsettled ? 1 : 0)
      assert.isTrue(yield* threads.hasTurn(threadId, turnId))
    })
  )
})

describe("a log", () => {
  const texts = Array.from({ length: 1000 }, (_, n) => `${n} `)
  const pieces = texts.map((text, n) => delta("m", texts.slice(0, n).join("").length, text))

  it.effect("gives its events from any place, until it is compacted: then only from behind it", () =>
    Effect.gen(function* () {
      const { file, store: threads } = yield* store
      const commit = step([created, queued, ...pieces])
      yield* threads.commit([commit])
      const replay = (after: number) => threads.replay(threadId, Sequence.make(after), Sequence.make(1002))
      assert.deepStrictEqual(Option.getOrThrow(yield* replay(1000)), commit.events.slice(1000))
      yield* threads.compact(threadId, Sequence.make(1001))
      assert.isTrue(Option.isNone(yield* replay(1000)))
      assert.deepStrictEqual(Option.getOrThrow(yield* replay(1001)), commit.events.slice(1001))
      assert.deepStrictEqual((yield* threads.load(threadId))?.view, commit.view)
      assert.isBelow(rowsOf(file), 20)
    })
  )

  it("joins neighbouring pieces of one text, and nothing else", () => {
    const joined = joinAdjacent([
      delta("m", 0, "a"),
      delta("m", 1, "b"),
      delta("n", 0, "c"),
      delta("m", 2, "d"),
      delta("m", 9, "gap"),
      delta("m", 9, "repeat"),
      { ...delta("m", 15, "late"), late: true },
      { type: "message.completed", ...runtime, turnId, itemId: ItemId.make("m"), length: 3 }
    ])
    assert.deepStrictEqual(
      joined.map((event) => (event.type === "message.delta" ? `${event.offset} ${event.text}` : event.type)),
      ["0 ab", "0 c", "2 d", "9 gap", "9 repeat", "15 late", "message.completed"]
    )
  })

  it.prop(
    "amounts to the same state after it was compacted, in stretches of any length",
    {
      choices: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))),
      stretch: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 }))
    },
    ({ choices, stretch }) => {
      const log = numbered([
        created,
        queued,
        { type: "turn.dispatched", ...common, turnId },
        ...play(choices),
        { type: "turn.completed", ...runtime, turnId, outcome: "completed" }
      ])
      const compacted: Array<LoggedEvent> = []
      for (let start = 0; start < log.length; start += stretch)
        compacted.push(...compact(log.slice(start, start + stretch)))
      assert.deepStrictEqual(ThreadProjection.apply(undefined, compacted), ThreadProjection.apply(undefined, log))
      assert.isAtMost(compacted.length, log.length)
    },
    { arbitrary: { runs: 300, size: 100 } }
  )
})

/** Events of one running turn: texts that come in pieces, and tools that change. */
const play = (choices: ReadonlyArray<number>): ReadonlyArray<ThreadEvent> => {
  const lengths = new Map<string, number>()
  return choices.map((choice, index): ThreadEvent => {
    const common = { ...runtime, at: index, turnId }
    if (choice < 6) {
      const name = choice < 4 ? "m" : "n"
      const offset = lengths.get(name) ?? 0
      lengths.set(name, offset + 1)
      return { ...delta(name, offset, String(choice)), at: index }
    }
    const itemId = ItemId.make(`call-${choice % 2}`)
    const type = choice === 6 ? "tool.started" : choice === 9 ? "tool.completed" : "tool.updated"
    const tool = {
      toolCallId: "call",
      title: `state ${index}`,
      kind: "other" as const,
      status: "in_progress" as const,
      subject: { type: "none" as const },
      diffs: [],
      content: [],
      locations: [],
      startedAt: 1
    }
    return { type, ...common, itemId, tool }
  })
}

const schemaOf = (file: string) => {
  const reader = new DatabaseSync(file, { readOnly: true })
  const rows = reader.prepare("SELECT name, sql FROM sqlite_master ORDER BY name").all()
  reader.close()
  return rows
}

const rowsOf = (file: string): number => {
  const reader = new DatabaseSync(file, { readOnly: true })
  const row = reader.prepare("SELECT count(*) AS rows FROM events").get()
  reader.close()
  return Number(row?.rows)
}
