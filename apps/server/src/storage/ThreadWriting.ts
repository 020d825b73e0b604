/** Writes the steps of a thread, and replaces its log by its state. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as SessionState from "@signalbox/threads/SessionState"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import { hasEnded } from "@signalbox/threads/TurnState"
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as DraftRows from "./DraftRows.ts"
import type { Outputs } from "./Outputs.ts"
import * as RememberedSettings from "./RememberedSettings.ts"
import { Sqlite } from "./Sqlite.ts"
import type { PlacedTurn, StoredReceipt, ThreadCommit, ThreadFold } from "./ThreadStore.ts"

export const make = Effect.fnUntraced(function* (outputs: Outputs) {
  const { prepare, transaction } = yield* Sqlite
  const drafts = yield* DraftRows.make
  const noteChoice = yield* RememberedSettings.makeNote
  const insertThread = yield* prepare("INSERT INTO threads (thread_id, summary, provider_options) VALUES (?, '{}', ?)")
  const updateThread = yield* prepare("UPDATE threads SET summary = ?, session_open = ? WHERE thread_id = ?")
  const insertEvent = yield* prepare("INSERT INTO events (thread_id, sequence, payload) VALUES (?, ?, ?)")
  const deleteEvents = yield* prepare("DELETE FROM events WHERE thread_id = ? AND sequence <= ?")
  const insertReceipt = yield* prepare(
    "INSERT INTO receipts (thread_id, command_id, sequence, problem, at, digest) VALUES (?, ?, ?, ?, ?, ?)"
  )
  const insertTurn = yield* prepare("INSERT INTO turns (thread_id, turn_id, status) VALUES (?, ?, 'accepted')")
  const updateStatus = yield* prepare("UPDATE turns SET status = ? WHERE thread_id = ? AND turn_id = ?")
  // A turn that the agent had already can't be withdrawn; it is over.
  const withdrawStatus = yield* prepare(
    "UPDATE turns SET status = iif(status = 'accepted', 'withdrawn', 'done') WHERE thread_id = ? AND turn_id = ?"
  )
  const foldTurn = yield* prepare(
    "UPDATE turns SET position = ?, first_item = ?, ended = ?, payload = ? WHERE thread_id = ? AND turn_id = ?"
  )
  const displaceTurn = yield* prepare("UPDATE turns SET position = NULL WHERE thread_id = ? AND turn_id = ?")
  const withdrawTurn = yield* prepare(
    `UPDATE turns SET status = 'withdrawn', position = NULL, first_item = NULL, ended = NULL, payload = NULL
     WHERE thread_id = ? AND turn_id = ?`
  )
  // An agent may reuse an id after its entry has left memory. That is the same entry, and it keeps its position.
  const putItem = yield* prepare(
    `INSERT INTO items (thread_id, position, item_id, kind, payload) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (thread_id, position) DO UPDATE SET item_id = excluded.item_id, kind = excluded.kind, payload = excluded.payload
     ON CONFLICT (thread_id, item_id) DO UPDATE SET kind = excluded.kind, payload = excluded.payload`
  )
  const putHead = yield* prepare(
    `INSERT INTO heads (thread_id, sequence, payload) VALUES (?, ?, ?)
     ON CONFLICT (thread_id) DO UPDATE SET sequence = excluded.sequence, payload = excluded.payload`
  )

  /** Updates the status of turns from an event. */
  const noteTurn = (threadId: ThreadId, event: ThreadEvent): void => {
    if (event.type === "turn.queued") insertTurn.run(threadId, event.turnId)
    else if (event.type === "turn.dispatched") updateStatus.run("dispatched", threadId, event.turnId)
    else if (event.type === "turn.lost") updateStatus.run("lost", threadId, event.turnId)
    else if (event.type === "turn.withdrawn") withdrawStatus.run(threadId, event.turnId)
    else if (event.type === "turn.completed" || event.type === "turn.failed")
      updateStatus.run("done", threadId, event.turnId)
    // This turn is over: the agent has merged it into another turn.
    else if (event.type === "turn.steered" && event.way === "agent") updateStatus.run("done", threadId, event.turnId)
  }

  const writeSummary = (head: ThreadHead): void => {
    const { requests, session, threadId } = head
    const open = SessionState.isOn(session.state) || requests.length > 0
    const { changes } = updateThread.run(JSON.stringify(ThreadProjection.summary(head)), open ? 1 : 0, threadId)
    // Without its thread, nobody would find these rows, and they would belong to the next thread with this id.
    if (changes === 0) throw new Error(`there is no thread ${threadId}`)
  }

  const writeReceipt = (threadId: ThreadId, { at, commandId, digest, problem, sequence }: StoredReceipt): void => {
    const why = problem === undefined ? null : JSON.stringify(problem)
    insertReceipt.run(threadId, commandId, sequence, why, at, digest ?? null)
  }

  const write = ({ chunks = [], events, fold, head, receipt, sent, threadId }: ThreadCommit): void => {
    for (const { event, sequence } of events) {
      if (event.type === "thread.created") insertThread.run(threadId, JSON.stringify(event.providerOptions))
      if (fold === undefined) insertEvent.run(threadId, sequence, JSON.stringify(event))
      noteTurn(threadId, event)
      if (head !== undefined) noteChoice(head, event)
    }
    for (const chunk of chunks) outputs.put(threadId, chunk)
    if (head !== undefined && events.length > 0) writeSummary(head)
    if (receipt) writeReceipt(threadId, receipt)
    if (sent) drafts.sent(threadId, sent.turnId, sent.draft, sent.at)
    if (fold) replaceLog(fold)
  }

  const writeTurn = (threadId: ThreadId, { firstItem, position, turn }: PlacedTurn): void => {
    const ended = hasEnded(turn.status) ? 1 : 0
    const payload = JSON.stringify(turn)
    const { changes } = foldTurn.run(position, firstItem ?? null, ended, payload, threadId, turn.turnId)
    if (changes === 0) throw new Error(`the turn ${turn.turnId} was never queued`)
  }

  const replaceLog = ({ head, items, threadId, turns, withdrawn }: ThreadFold): void => {
    for (const { item, position } of items)
      putItem.run(threadId, position, item.itemId, item.type, JSON.stringify(item))
    outputs.settle(
      threadId,
      items.map(({ item }) => item)
    )
    for (const turnId of withdrawn) withdrawTurn.run(threadId, turnId)
    // Turns may swap positions, so all of them first give up their positions.
    if (turns.length > 1) for (const { turn } of turns) displaceTurn.run(threadId, turn.turnId)
    for (const turn of turns) writeTurn(threadId, turn)
    const { earlier: _, earlierCount: __, ...rest } = head
    putHead.run(threadId, head.sequence, JSON.stringify({ ...rest, turns: [] }))
    deleteEvents.run(threadId, head.sequence)
  }

  return {
    commit: (commits: ReadonlyArray<ThreadCommit>) => {
      const written = transaction(() => commits.forEach(write), { durable: commits.some(isPromise) })
      return Effect.withSpan(written, "ThreadStore.commit", cheap)
    },
    fold: (fold: ThreadFold) =>
      Effect.withSpan(
        transaction(() => replaceLog(fold)),
        "ThreadStore.fold",
        cheap
      )
  }
})

/** Capturing the caller of a span costs as much as a short step. */
const cheap = { captureStackTrace: false }

/** Events that must survive a power cut: somebody has been informed of them, or the agent will be. */
const promises: ReadonlySet<ThreadEvent["type"]> = new Set([
  "turn.dispatched",
  "turn.interrupt.requested",
  "request.answered",
  "session.stop.requested"
])

const isPromise = ({ events, receipt }: ThreadCommit): boolean =>
  receipt !== undefined || events.some(({ event }) => promises.has(event.type))
