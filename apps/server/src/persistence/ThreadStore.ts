/**
 * Threads on disk: their logs, and what is read without replaying one. Everything that belongs to one step of a thread is
 * written in one transaction, or not at all.
 */
import { Problem } from "@signalbox/contracts/Problem"
import type { CommandId, Timestamp, TurnId } from "@signalbox/contracts/Ids"
import { Sequence, ThreadId } from "@signalbox/contracts/Ids"
import { ProviderOptions } from "@signalbox/contracts/Provider"
import { type LoggedEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/contracts/ThreadProjection"
import { ThreadSummary, type ThreadView } from "@signalbox/contracts/ThreadView"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { compact } from "./EventJoining.ts"
import { migrate } from "./Migrations.ts"
import { Sqlite } from "./Sqlite.ts"
import { StorageError } from "./StorageError.ts"

/** What became of a command: taken up to `sequence`, or refused because of `problem`. */
export interface StoredReceipt {
  readonly commandId: CommandId
  readonly sequence: Sequence
  readonly problem?: Problem
  readonly at: Timestamp
}

/** One step of one thread. */
export interface ThreadCommit {
  readonly threadId: ThreadId
  readonly events: ReadonlyArray<LoggedEvent>
  /** The state after `events`; absent for a refused command on a thread that is not there. */
  readonly view: ThreadView | undefined
  readonly receipt?: StoredReceipt
}

export interface StoredThread {
  readonly view: ThreadView
  readonly providerOptions: ProviderOptions
}

export class ThreadStore extends Context.Service<
  ThreadStore,
  {
    /** Durable when it returns, all in one transaction. */
    readonly commit: (commits: ReadonlyArray<ThreadCommit>) => Effect.Effect<void, StorageError>
    readonly receipt: (
      threadId: ThreadId,
      commandId: CommandId
    ) => Effect.Effect<StoredReceipt | undefined, StorageError>
    /** The thread as its log amounts to; nothing where there is none. */
    readonly load: (threadId: ThreadId) => Effect.Effect<StoredThread | undefined, StorageError>
    /** The events after `after`, up to and with `through`; nothing where the log no longer holds them one by one. */
    readonly replay: (
      threadId: ThreadId,
      after: Sequence,
      through: Sequence
    ) => Effect.Effect<Option.Option<ReadonlyArray<LoggedEvent>>, StorageError>
    readonly summaries: Effect.Effect<ReadonlyArray<ThreadSummary>, StorageError>
    /** Threads that a server left with something to settle: a turn without an end, an agent that was running. */
    readonly unsettled: Effect.Effect<ReadonlyArray<ThreadId>, StorageError>
    /** Whether the thread ever had this turn, even one that was taken back. */
    readonly hasTurn: (threadId: ThreadId, turnId: TurnId) => Effect.Effect<boolean, StorageError>
    /** Rewrites the log before `through` with as few rows as the same state needs, a short piece at a time. */
    readonly compact: (threadId: ThreadId, through: Sequence) => Effect.Effect<void, StorageError>
  }
>()("@signalbox/server/persistence/ThreadStore") {}

/** Rows of a log that are compacted in one transaction: about a millisecond of work, during which nothing else runs. */
const compactionStep = 200

const decodeEvent = Schema.decodeUnknownSync(ThreadEvent)
const decodeSummary = Schema.decodeUnknownSync(ThreadSummary)
const decodeOptions = Schema.decodeUnknownSync(ProviderOptions)
const decodeProblem = Schema.decodeUnknownSync(Problem)

type Row = Readonly<Record<string, unknown>>

const make = Effect.gen(function* () {
  yield* migrate
  const { path, prepare, transaction } = yield* Sqlite

  const insertThread = yield* prepare("INSERT INTO threads (thread_id, summary, provider_options) VALUES (?, '{}', ?)")
  const updateThread = yield* prepare("UPDATE threads SET summary = ?, session_open = ? WHERE thread_id = ?")
  const insertEvent = yield* prepare("INSERT INTO events (thread_id, sequence, payload) VALUES (?, ?, ?)")
  const insertTurn = yield* prepare("INSERT INTO turns (thread_id, turn_id, status) VALUES (?, ?, 'accepted')")
  const updateTurn = yield* prepare("UPDATE turns SET status = ? WHERE thread_id = ? AND turn_id = ?")
  const insertReceipt = yield* prepare(
    "INSERT INTO receipts (thread_id, command_id, sequence, problem, at) VALUES (?, ?, ?, ?, ?)"
  )
  const selectReceipt = yield* prepare("SELECT * FROM receipts WHERE thread_id = ? AND command_id = ?")
  const selectThread = yield* prepare("SELECT provider_options, compacted_through FROM threads WHERE thread_id = ?")
  const selectEvents = yield* prepare(
    "SELECT sequence, payload FROM events WHERE thread_id = ? AND sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?"
  )
  const selectSummaries = yield* prepare("SELECT summary FROM threads")
  const selectUnsettled = yield* prepare(
    `SELECT thread_id FROM threads WHERE session_open = 1
     UNION SELECT thread_id FROM turns WHERE status IN ('accepted', 'dispatched')`
  )
  const selectTurn = yield* prepare("SELECT 1 FROM turns WHERE thread_id = ? AND turn_id = ?")
  const deleteEvents = yield* prepare("DELETE FROM events WHERE thread_id = ? AND sequence > ? AND sequence <= ?")
  const updateCompacted = yield* prepare("UPDATE threads SET compacted_through = ? WHERE thread_id = ?")

  /** A row that does not say what it should is damage like any other. */
  const column = <A>(row: Row, name: string, decode: (json: unknown) => A): A => {
    try {
      return decode(JSON.parse(String(row[name])))
    } catch (error) {
      throw new StorageError({ reason: "corrupt", path, detail: `a row can't be understood: ${String(error)}` })
    }
  }
  const logged = (row: Row): LoggedEvent => ({
    sequence: Sequence.make(Number(row.sequence)),
    event: column(row, "payload", decodeEvent)
  })

  /** Keeps the turns' statuses in step with the log. */
  const noteTurn = (threadId: ThreadId, event: ThreadEvent): void => {
    if (event.type === "turn.queued") insertTurn.run(threadId, event.turnId)
    else if (event.type === "turn.dispatched") updateTurn.run("dispatched", threadId, event.turnId)
    else if (event.type === "turn.lost") updateTurn.run("lost", threadId, event.turnId)
    else if (event.type === "turn.completed" || event.type === "turn.failed" || event.type === "turn.withdrawn")
      updateTurn.run("done", threadId, event.turnId)
  }

  const write = ({ events, receipt, threadId, view }: ThreadCommit): void => {
    for (const { event, sequence } of events) {
      if (event.type === "thread.created") insertThread.run(threadId, JSON.stringify(event.providerOptions))
      insertEvent.run(threadId, sequence, JSON.stringify(event))
      noteTurn(threadId, event)
    }
    if (view !== undefined && events.length > 0) {
      const open = view.session.state === "starting" || view.session.state === "ready" || view.requests.length > 0
      updateThread.run(JSON.stringify(ThreadProjection.summary(view)), open ? 1 : 0, threadId)
    }
    if (receipt) {
      const problem = receipt.problem ? JSON.stringify(receipt.problem) : null
      insertReceipt.run(threadId, receipt.commandId, receipt.sequence, problem, receipt.at)
    }
  }

  /** Compacts the rows after `after`; returns where it got to, or nothing at the end. */
  const compactStep = (threadId: ThreadId, after: number, through: number): number | undefined => {
    const before = selectEvents.all(threadId, after, through, compactionStep).map(logged)
    const last = before.at(-1)
    if (last === undefined) return undefined
    const kept = compact(before)
    if (kept.length < before.length) {
      deleteEvents.run(threadId, after, last.sequence)
      for (const { event, sequence } of kept) insertEvent.run(threadId, sequence, JSON.stringify(event))
    }
    updateCompacted.run(last.sequence, threadId)
    return before.length < compactionStep ? undefined : last.sequence
  }

  return ThreadStore.of({
    commit: (commits) =>
      transaction(() => {
        for (const commit of commits) write(commit)
      }),
    receipt: (threadId, commandId) =>
      transaction(() => {
        const row = selectReceipt.get(threadId, commandId)
        if (row === undefined) return undefined
        const sequence = Sequence.make(Number(row.sequence))
        const at = Number(row.at)
        return row.problem === null
          ? { commandId, sequence, at }
          : { commandId, sequence, at, problem: column(row, "problem", decodeProblem) }
      }),
    load: (threadId) =>
      transaction(() => {
        const row = selectThread.get(threadId)
        if (row === undefined) return undefined
        const events = selectEvents.all(threadId, 0, Number.MAX_SAFE_INTEGER, -1).map(logged)
        const view = ThreadProjection.apply(undefined, events)
        return { view, providerOptions: column(row, "provider_options", decodeOptions) }
      }),
    replay: (threadId, after, through) =>
      transaction(() => {
        const row = selectThread.get(threadId)
        if (row === undefined || after < Number(row.compacted_through)) return Option.none()
        return Option.some(selectEvents.all(threadId, after, through, -1).map(logged))
      }),
    summaries: transaction(() => selectSummaries.all().map((row) => column(row, "summary", decodeSummary))),
    unsettled: transaction(() => selectUnsettled.all().map((row) => ThreadId.make(String(row.thread_id)))),
    hasTurn: (threadId, turnId) => transaction(() => selectTurn.get(threadId, turnId) !== undefined),
    compact: Effect.fn("ThreadStore.compact")(function* (threadId, through) {
      let after = yield* transaction(() => Number(selectThread.get(threadId)?.compacted_through ?? through))
      while (true) {
        const from = after
        const reached = yield* transaction(() => compactStep(threadId, from, through))
        if (reached === undefined) return
        after = reached
        yield* Effect.yieldNow
      }
    })
  })
})

/** Brings the database up to date first. */
export const layer = Layer.effect(ThreadStore, make)
