/**
 * A program that hosts an agent as the server does, which has it run programs in terminals, to be killed. Arguments: the folder of the
 * ledger, a folder to work in, and a word. Those programs carry the word in their environment as `TEST_RUN`. Says `up` when they run.
 */
import { ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as AcpAdapterMaker from "../../src/provider/acp/session/AcpAdapterMaker.ts"
import { GenericProfile } from "../../src/provider/drivers/acp/GenericProfile.ts"
import * as ProcessLedger from "@signalbox/process/ProcessLedgerLayer"
import * as ProviderSessionDirectory from "../../src/provider/Layers/ProviderSessionDirectory.ts"
import * as SignedIn from "../../src/provider/signin/SignedIn.ts"
import * as Tape from "../../src/tape/Tape.ts"
import { scriptedMain } from "./ScriptedAgent.ts"

const [ledger = "", cwd = "", run = ""] = process.argv.slice(2)
const threadId = ThreadId.make("thread-1")

/** A shell with a child of its own, both deaf to polite signals. */
const create = {
  request: {
    method: "terminal/create",
    params: {
      command: "trap '' TERM HUP; sleep 600 & echo up; wait",
      env: [{ name: "TEST_RUN", value: run }]
    }
  }
}

const main = Effect.gen(function* () {
  const adapter = yield* AcpAdapterMaker.make(GenericProfile)
  yield* adapter.startSession({
    threadId,
    provider: { id: ProviderId.make("scripted"), kind: "acp", name: "Scripted", simulated: true },
    providerOptions: { acp: { command: process.execPath, args: [scriptedMain], terminals: true } },
    cwd,
    knownPrompts: [],
    settings: {}
  })
  const prompt = JSON.stringify([create, { waitForCancel: true }])
  yield* Effect.forkScoped(
    adapter.sendTurn(threadId, { turnId: TurnId.make("t1"), prompt: [{ type: "text", text: prompt }] })
  )
  yield* Stream.runForEach(adapter.streamEvents, (event) =>
    Effect.sync(() => {
      if ("tool" in event && event.tool.terminals?.[0]?.output === "up\n") console.log("up")
    })
  )
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
