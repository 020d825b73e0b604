/** A conductor with a chain of its own: `node chain.ts AGENT ARGS…`. To its client, it is an agent. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as MessageLink from "@signalbox/acp/MessageLink"
import * as Assembly from "@signalbox/conductor/Assembly"
import * as Bridge from "@signalbox/conductor/bridge/Bridge"
import * as Component from "@signalbox/conductor/Component"
import * as Conductor from "@signalbox/conductor/Conductor"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"
import * as context from "./context.ts"
import * as openFiles from "./openFiles.ts"
import * as openFilesAdapter from "./openFilesAdapter.ts"
import { capability } from "./openFilesPrimitive.ts"

/** What the chain can do. A feature may name the primitive that it stands on, and who offers it where the client does not. */
const features: ReadonlyArray<Assembly.Feature> = [
  { component: Component.inProcess("context", context.run), isEnabled: true },
  {
    component: Component.inProcess("open files", openFiles.run),
    isEnabled: true,
    adapter: { primitive: capability, component: Component.inProcess("open files adapter", openFilesAdapter.run) }
  }
]

const bridges: ReadonlyArray<Assembly.Bridge> = [
  {
    component: Component.inProcess("bridge", Bridge.run),
    neededBecause: () => "hardly any agent takes MCP servers over ACP"
  }
]

const program = Effect.gen(function* () {
  const [command = "agent", ...args] = process.argv.slice(2)
  const agent = Component.program({
    name: command,
    program: { command, args, env: {} },
    ledger: yield* ProcessLedger,
    cwd: process.cwd(),
    secrets: Secrets.of(process.env),
    stopGrace: { closeInput: "2 seconds", terminate: "1 second" }
  })
  const assemble: Conductor.Assemble<never> = (params) =>
    Effect.sync(() => {
      const client = JSON.parse(params ?? "{}").clientCapabilities
      const placed = Assembly.of({ client, agent: undefined }, features, bridges)
      for (const { because, component } of placed) console.error(`${component.name}: ${because}`)
      return { proxies: placed.map(({ component }) => component), agent }
    })
  const stdio = yield* Stdio.Stdio
  const link = yield* MessageLink.overBytes({ input: stdio.stdin, output: stdio.stdout({ endOnDone: false }) })
  const failure = yield* Conductor.run(link, { mode: "agent", assemble })
  if (failure !== undefined) console.error(failure.message)
})

program.pipe(Effect.scoped, Effect.provide([NodeStdio.layer, ProcessLedgerLayer.layerDisabled]), NodeRuntime.runMain)
