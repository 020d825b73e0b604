/** Deletes the threads named by its arguments from the database named by its first. It is killed before the file is rewritten. */
import { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Sqlite from "../../../src/storage/Sqlite.ts"
import * as SqliteThreadStore from "../../../src/storage/SqliteThreadStore.ts"
import { ThreadStore } from "../../../src/storage/ThreadStore.ts"

const [file = "", ...names] = process.argv.slice(2)

/** The end of a process, at the worst of moments. */
const killed = Effect.sync((): never => {
  process.kill(process.pid, "SIGKILL")
  throw new Error("it goes on")
})

const database = Layer.effect(
  Sqlite.Sqlite,
  Effect.map(Sqlite.Sqlite, (sqlite) => Sqlite.Sqlite.of({ ...sqlite, rewrite: killed }))
).pipe(Layer.provideMerge(Sqlite.layer(file)))

const deletion = Effect.gen(function* () {
  const store = yield* ThreadStore
  yield* Effect.forEach(names, (name) => store.remove(ThreadId.make(name)), { concurrency: "unbounded" })
}).pipe(Effect.provide(SqliteThreadStore.layer.pipe(Layer.provideMerge(database))))

await Effect.runPromise(deletion)
