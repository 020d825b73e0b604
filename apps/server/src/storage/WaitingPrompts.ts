/**
 * Holds the prompts that wait in a backup, since they may have been sent after it was made. Whoever changed the backup
 * may also have added prompts, together with the program that gets them. Queues are held. Turns that would run before a
 * held queue are ended as not sent.
 */
import type { Problem } from "@signalbox/contracts/Problem"
import { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import { TurnView } from "@signalbox/contracts/ThreadView"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { DatabaseSync } from "node:sqlite"

interface Waiting {
  readonly threadId: string
  /** The waiting turns by their id. True for a turn that would run in between, which a hold doesn't stop. */
  readonly turns: Map<string, boolean>
  sequence: number
}

/**
 * Writes events that hold these prompts into the logs of their threads. `shape`: the shape of the database. Returns the
 * number of waiting prompts.
 */
export const hold = (database: DatabaseSync, shape: number, at: number): number => {
  const threads = waitingIn(database, shape)
  const insert = database.prepare("INSERT INTO events (thread_id, sequence, payload) VALUES (?, ?, ?)")
  let count = 0
  database.exec("BEGIN")
  for (const { sequence, threadId, turns } of threads) {
    const append = (place: number, event: object) =>
      insert.run(threadId, sequence + place, JSON.stringify({ threadId, at, ...event }))
    append(1, { type: "queue.held", held: true })
    const between = [...turns].flatMap(([turnId, steer]) => (steer ? [turnId] : []))
    between.forEach((turnId, index) => append(2 + index, { type: "turn.failed", turnId, problem: notSent }))
    count += turns.size
  }
  database.exec("COMMIT")
  return count
}

const notSent: Problem = {
  code: "session-not-found",
  title: "This prompt was not sent.",
  cause: "It was waiting in a backup that was restored.",
  evidence: {},
  nextSteps: [{ action: "send-again", label: "Send it again" }]
}

const readEvent = Schema.decodeUnknownOption(Schema.fromJsonString(ThreadEvent))
const readTurn = Schema.decodeUnknownOption(Schema.fromJsonString(TurnView))

/** A damaged row makes its thread unreadable, so nothing of it is ever sent. */
const waitingIn = (database: DatabaseSync, shape: number): ReadonlyArray<Waiting> => {
  const threads = new Map<string, Waiting>()
  const of = (threadId: string): Waiting => {
    const known = threads.get(threadId) ?? { threadId, turns: new Map(), sequence: 0 }
    threads.set(threadId, known)
    return known
  }
  // Before the second shape, a thread was only a log.
  if (shape >= 2) {
    for (const row of database.prepare("SELECT thread_id, sequence FROM heads").iterate())
      of(String(row.thread_id)).sequence = Number(row.sequence)
    for (const row of database.prepare("SELECT thread_id, payload FROM turns WHERE payload IS NOT NULL").iterate()) {
      const turn = Option.getOrUndefined(readTurn(row.payload))
      if (turn?.status === "queued") of(String(row.thread_id)).turns.set(turn.turnId, turn.steer === true)
    }
  }
  const log = database.prepare("SELECT thread_id, sequence, payload FROM events ORDER BY thread_id, sequence")
  for (const row of log.iterate()) {
    const thread = of(String(row.thread_id))
    const sequence = Number(row.sequence)
    // Folded events are in the rows read above.
    if (sequence <= thread.sequence) continue
    thread.sequence = sequence
    const event = Option.getOrUndefined(readEvent(row.payload))
    if (event !== undefined) see(thread.turns, event)
  }
  return [...threads.values()].filter(({ turns }) => turns.size > 0)
}

const see = (turns: Map<string, boolean>, event: ThreadEvent): void => {
  if (event.type === "turn.queued") turns.set(event.turnId, event.steer === true)
  else if (
    event.type === "turn.dispatched" ||
    event.type === "turn.withdrawn" ||
    event.type === "turn.failed" ||
    (event.type === "turn.steered" && event.way === "agent")
  )
    turns.delete(event.turnId)
}
