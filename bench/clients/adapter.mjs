// Signalbox's adapter path: flood agent's bytes -> ProviderRuntimeEvents, through the real AcpAdapter and its process, without
// server and database. `node adapter.mjs "deltas 200000" [tape | off | hosts]`; with `tape` everything is recorded as in
// the server, with another word the agents are in a sandbox with that network.
import { mkdtempSync, rmSync } from "node:fs"
import { enableCompileCache } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "../processes.mjs"
import { agent, drive } from "./drive.mjs"

// As in bin.ts: people run modules that were compiled before.
enableCompileCache(join(root, "node_modules", ".cache", "signalbox"))
await import("effect/schema/SchemaJITCompiler/enable")
const NodeServices = await import("@effect/platform-node/NodeServices")
const Effect = await import("effect/Effect")
const Layer = await import("effect/Layer")
const ManagedRuntime = await import("effect/ManagedRuntime")
const Option = await import("effect/Option")
const Stream = await import("effect/Stream")
const Run = await import("../../apps/server/src/compose/Run.ts")
const { ProviderAdapterRegistry } = await import("../../apps/server/src/provider/Services/ProviderAdapterRegistry.ts")

const [, , workload, recorded] = process.argv
const folder = mkdtempSync(join(tmpdir(), "bench-adapter-"))
const tape = recorded === "tape" ? Option.some(join(folder, "tape.ndjson")) : Option.none()
const sandboxes = { off: { network: "off" }, hosts: { network: { hosts: ["example.com"] } } }
const sandbox = sandboxes[recorded]
const runtime = ManagedRuntime.make(Run.layer({ tape }).pipe(Layer.provideMerge(NodeServices.layer)))
const adapter = (await runtime.runPromise(ProviderAdapterRegistry)).get("acp")

const newCounts = () => ({ events: 0, characters: 0, tools: 0, misplaced: 0, afterEnd: 0 })
const threads = new Map()

const take = (event) => {
  const thread = threads.get(event.threadId)
  const { counts } = thread
  counts.events++
  if (event.type === "message.delta") {
    counts.characters += event.text.length
    if (event.offset !== (event.itemId === thread.itemId ? thread.length : 0)) counts.misplaced++
    thread.itemId = event.itemId
    thread.length = event.offset + event.text.length
  } else if (event.type === "tool.completed") counts.tools++
  else if (event.type === "turn.started") thread.ended = false
  else if (event.type === "turn.completed") thread.ended = true
  if (thread.ended && event.type !== "turn.completed" && event.turnId !== undefined) counts.afterEnd++
  return event.type === "approval.requested"
    ? adapter.respondToRequest(event.threadId, event.request.requestId, {
        type: "option",
        optionId: "allow-once",
        digest: event.request.digest
      })
    : undefined
}

runtime.runFork(
  adapter.streamEvents.pipe(
    Stream.runForEachArray((chunk) => {
      const answers = []
      for (const event of chunk) {
        const answer = take(event)
        if (answer !== undefined) answers.push(answer)
      }
      return Effect.all(answers, { discard: true })
    })
  )
)

const connect = async (index, history) => {
  const threadId = `bench-thread-${index}`
  const thread = { ended: false, itemId: undefined, length: 0, counts: newCounts() }
  threads.set(threadId, thread)
  await runtime.runPromise(
    adapter.startSession({
      threadId,
      provider: { id: "bench", kind: "acp", name: "Flood", simulated: true },
      providerOptions: { acp: { command: process.execPath, args: agent(history) }, ...(sandbox && { sandbox }) },
      cwd: folder,
      knownPrompts: [],
      settings: {},
      ...(history !== undefined && { resume: "flood-session-0001" })
    })
  )
  let turns = 0
  return {
    prompt: (text) =>
      runtime.runPromise(adapter.sendTurn(threadId, { turnId: `turn-${turns++}`, prompt: [{ type: "text", text }] })),
    counts: () => thread.counts
  }
}

await drive(workload, connect, async () => {
  await runtime.dispose()
  rmSync(folder, { recursive: true, force: true })
})
