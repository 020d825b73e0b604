/** Keeps threads in SQLite. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { migrate } from "./Migrations.ts"
import * as Outputs from "./Outputs.ts"
import { Sqlite } from "./Sqlite.ts"
import * as ThreadReading from "./ThreadReading.ts"
import * as ThreadRemoval from "./ThreadRemoval.ts"
import { ThreadStore } from "./ThreadStore.ts"
import * as ThreadSummaries from "./ThreadSummaries.ts"
import * as ThreadWriting from "./ThreadWriting.ts"

const make = Effect.gen(function* () {
  yield* migrate
  const outputs = yield* Outputs.make
  const { read } = yield* Sqlite
  return ThreadStore.of({
    ...(yield* ThreadWriting.make(outputs)),
    ...(yield* ThreadReading.make),
    chunk: (threadId, name) => read(() => outputs.get(threadId, name)),
    summaries: yield* ThreadSummaries.make,
    remove: yield* ThreadRemoval.make(outputs)
  })
})

/** The store of threads. Migrates the database first. */
export const layer = Layer.effect(ThreadStore, make)
