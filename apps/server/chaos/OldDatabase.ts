/** A database of version 0.1 with one finished thread. Servers have to migrate it, however often they are killed meanwhile. */
import { EventId, ItemId, ProviderSessionId, Sequence, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { ProviderId, type ProviderRef } from "@signalbox/contracts/Provider"
import type { LoggedEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import { isDeepStrictEqual } from "node:util"
import { databaseIn } from "../src/base/StateDirectory.ts"
import { table } from "../src/storage/Migrations.ts"
import threads from "../src/storage/Migrations/0001_threads.ts"
import * as Sqlite from "../src/storage/Sqlite.ts"

export const threadId = ThreadId.make("thread-of-0.1")

const provider: ProviderRef = { id: ProviderId.make("scripted"), kind: "acp", name: "Scripted", simulated: true }
const common = { threadId, at: 1 }
const runtime = {
  ...common,
  eventId: EventId.make("event"),
  providerKind: provider.kind,
  providerSessionId: ProviderSessionId.make("old")
}

const eventsOf = (turn: number): ReadonlyArray<ThreadEvent> => {
  const turnId = TurnId.make(`old-${turn}`)
  const inTurn = { ...runtime, turnId, itemId: ItemId.make(`${turnId}:assistant`) }
  const words = `Words of turn ${turn}. `
  return [
    { type: "turn.queued", ...common, turnId, prompt: [{ type: "text", text: `Prompt ${turn}` }] },
    { type: "turn.dispatched", ...common, turnId },
    { type: "turn.started", ...runtime, turnId },
    ...Array.from({ length: 20 }, (_, piece) => ({
      type: "message.delta" as const,
      ...inTurn,
      offset: piece * words.length,
      text: words
    })),
    { type: "message.completed", ...inTurn, length: 20 * words.length },
    { type: "turn.completed", ...runtime, turnId, outcome: "completed" }
  ]
}

const turns = Array.from({ length: 5 }, (_, turn) => turn)
const log: ReadonlyArray<LoggedEvent> = [
  {
    type: "thread.created" as const,
    ...common,
    provider,
    cwd: "/old",
    title: "Old",
    providerOptions: {},
    settings: {}
  },
  ...turns.flatMap(eventsOf)
].map((event, index) => ({ sequence: Sequence.make(index + 1), event }))

const view: ThreadView = ThreadProjection.apply(undefined, log)

/** Creates the database in a state folder that no server has used. */
export const make = (stateDirectory: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* Migrator.make({})({ loader: Migrator.fromRecord({ "0001_threads": threads }), table })
    const summary = JSON.stringify(ThreadProjection.summary(view))
    yield* sql`INSERT INTO threads ${sql.insert({ thread_id: threadId, summary, provider_options: "{}" })}`
    for (const { event, sequence } of log)
      yield* sql`INSERT INTO events ${sql.insert({ thread_id: threadId, sequence, payload: JSON.stringify(event) })}`
    for (const { turnId } of view.turns)
      yield* sql`INSERT INTO turns ${sql.insert({ thread_id: threadId, turn_id: turnId, status: "done" })}`
  }).pipe(Effect.provide(Layer.fresh(Sqlite.layer(databaseIn(stateDirectory)))), Effect.scoped)

/** How the thread differs from the one that was created, in words. */
export const differences = (now: ThreadView | undefined): ReadonlyArray<string> => {
  if (now === undefined) return ["the thread of version 0.1 is gone"]
  return [
    ...(isDeepStrictEqual(said(now), said(view)) ? [] : ["the thread of version 0.1 says something else"]),
    ...(isDeepStrictEqual(ends(now), ends(view)) ? [] : ["turns of version 0.1 ended otherwise"])
  ]
}

const said = ({ items }: ThreadView) =>
  items.flatMap((item) => (item.type === "message" ? [[item.itemId, item.text]] : []))
const ends = (of: ThreadView) => of.turns.map(({ status, turnId }) => [turnId, status])
