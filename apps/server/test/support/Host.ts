/**
 * A program that hosts agents as the server does, to be killed. Arguments: the folder of the ledger, a folder to work in, a word, and how
 * many agents. All agents carry the word in their environment as `TEST_RUN`.
 *
 * It starts them all, says `up` with their pids, and stays; with 0 agents it starts and stops one for ever.
 */
import { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as AcpAdapterMaker from "../../src/provider/acp/session/AcpAdapterMaker.ts"
import { GenericProfile } from "../../src/provider/drivers/acp/GenericProfile.ts"
import * as ProcessLedger from "@signalbox/process/ProcessLedgerLayer"
import * as SignedIn from "../../src/provider/signin/SignedIn.ts"
import * as ProviderSessionDirectory from "../../src/provider/Layers/ProviderSessionDirectory.ts"
import * as Tape from "../../src/tape/Tape.ts"
import { tenacious } from "./Tenacious.ts"

const [ledger = "", cwd = "", run = "", count = "0"] = process.argv.slice(2)

const main = Effect.gen(function* () {
  const timing = { stop: { closeInput: "1 millis", terminate: "1 millis" } } as const
  const adapter = yield* AcpAdapterMaker.make(GenericProfile, { timing })
  yield* Effect.forkScoped(Stream.runDrain(adapter.streamEvents))
  const threads = Array.from({ length: Math.max(1, Number(count)) }, (_, at) => ThreadId.make(`thread-${at}`))
  const start = (threadId: ThreadId) => adapter.startSession(tenacious({ threadId, cwd, env: { TEST_RUN: run } }))
  if (count === "0") {
    console.log("up")
    const again = Effect.forEach(threads, (threadId) => Effect.andThen(start(threadId), adapter.stopSession(threadId)))
    return yield* Effect.forever(again)
  }
  yield* Effect.forEach(threads, start, { concurrency: "unbounded", discard: true })
  const agents = (yield* adapter.health).map(({ pid }) => pid)
  console.log(`up ${JSON.stringify({ agents })}`)
  return yield* Effect.never
}).pipe(
  Effect.scoped,
  Effect.provide(
    Layer.mergeAll(
      ProcessLedger.layer({ folder: ledger }),
      ProviderSessionDirectory.layerMemory,
      SignedIn.layer,
      Tape.layerDisabled
    )
  )
)

await Effect.runPromise(main)
