// Signalbox's adapter path: flood agent's bytes -> ProviderRuntimeEvents, through the real AcpAdapter and its process, without
// server and database. `node adapter.mjs "deltas 200000" [tape]`; with `tape` everything is recorded as in the server.
// With --expose-gc it also tells the heap after collection, before and after.
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Run from "../../apps/server/src/compose/Run.ts"
import { ProviderAdapterRegistry } from "../../apps/server/src/provider/Services/ProviderAdapterRegistry.ts"
import { report, since, started } from "../measure.mjs"

const [, , workload, recorded] = process.argv
const folder = mkdtempSync(join(tmpdir(), "bench-adapter-"))
const threadId = "bench-thread"
const heap = () => {
  if (globalThis.gc === undefined) return undefined
  for (let i = 0; i < 4; i++) globalThis.gc()
  return process.memoryUsage().heapUsed / 1024
}

const main = Effect.gen(function* () {
  const registry = yield* ProviderAdapterRegistry
  const adapter = registry.get("acp")
  let events = 0
  let characters = 0
  let tools = 0
  let afterEnd = 0
  let ended = false
  const take = (event) => {
    events++
    if (event.type === "message.delta") characters += event.text.length
    else if (event.type === "tool.completed") tools++
    else if (event.type === "turn.completed") ended = true
    if (ended && event.type !== "turn.completed" && event.turnId !== undefined && !event.late) afterEnd++
    return event.type === "approval.requested"
      ? adapter.respondToRequest(threadId, event.request.requestId, { type: "option", optionId: "allow-once" })
      : undefined
  }
  yield* adapter.streamEvents.pipe(
    Stream.runForEachArray((chunk) => {
      const answers = []
      for (const event of chunk) {
        const answer = take(event)
        if (answer !== undefined) answers.push(answer)
      }
      return Effect.all(answers, { discard: true })
    }),
    Effect.forkScoped
  )
  yield* adapter.startSession({
    threadId,
    provider: { id: "bench", kind: "acp", name: "Flood", simulated: true },
    providerOptions: {
      acp: { command: process.execPath, args: [new URL("../flood-agent.mjs", import.meta.url).pathname] }
    },
    cwd: folder,
    knownPrompts: [],
    settings: {}
  })
  const turn = (turnId, text) => adapter.sendTurn(threadId, { turnId, prompt: [{ type: "text", text }] })
  let heapBefore
  if (heap() !== undefined) {
    yield* turn("warm-up", "deltas 2000")
    ended = false
    heapBefore = heap()
    characters = 0
  }
  const from = started()
  yield* turn("measured", workload)
  const measured = since(from)
  const heapAfter = heap()
  report({
    events,
    characters,
    tools,
    afterEnd,
    ...measured,
    ...(heapAfter !== undefined && {
      heapBeforeKb: heapBefore,
      heapAfterKb: heapAfter,
      heapGrowthKb: heapAfter - heapBefore
    })
  })
}).pipe(
  Effect.scoped,
  Effect.provide(
    Run.layer({ tape: recorded === "tape" ? Option.some(join(folder, "tape.ndjson")) : Option.none() }).pipe(
      Layer.provideMerge(NodeServices.layer)
    )
  )
)

await Effect.runPromise(main)
rmSync(folder, { recursive: true, force: true })
