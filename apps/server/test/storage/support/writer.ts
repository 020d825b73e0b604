/** Writes the thread named by its second argument to the database named by its first. It says how far it got, until it is killed. */
import { EventId, ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Databases from "../../support/Databases.ts"
import { created, warning } from "../../support/ThreadEvents.ts"
import { ThreadRecord } from "../../support/ThreadRecord.ts"

const [file = "", name = ""] = process.argv.slice(2)
const threadId = ThreadId.make(name)

/** Long enough for the journal to be moved every now and then. */
const entry = (step: number) => ({
  ...warning(`${step} ${"x".repeat(70_000)}`),
  threadId,
  eventId: EventId.make(String(step))
})

const write = Effect.gen(function* () {
  const { store } = yield* Databases.open(file)
  const record = new ThreadRecord(threadId)
  yield* store.commit([record.step([{ ...created, threadId }])])
  for (let step = 0; ; step++) {
    yield* store.commit([record.step([entry(step)])])
    yield* Effect.callback<void>((resume) => void process.stdout.write(`${step}\n`, () => resume(Effect.void)))
    if (step % 5 === 4) yield* store.fold(record.fold())
  }
})

await Effect.runPromise(Effect.scoped(write))
