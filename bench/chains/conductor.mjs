// The conductor in front of the flood agent: `node conductor.mjs MEMORY STDIO`, with as many pass-through proxies in the process and on stdio.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import * as MessageLink from "@signalbox/acp/MessageLink"
import * as Component from "@signalbox/conductor/Component"
import * as Conductor from "@signalbox/conductor/Conductor"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import * as Secrets from "@signalbox/redaction/Secrets"
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"
import { since, started } from "../measure.mjs"
import { file, root } from "../processes.mjs"

const [memory = 0, stdio = 0] = process.argv.slice(2).map(Number)
const named = (count, make) => Array.from({ length: count }, (_, at) => make(at))

const program = Effect.gen(function* () {
  const ledger = yield* ProcessLedger
  const streams = yield* Stdio.Stdio
  const node = (name, script) =>
    Component.program({
      name,
      ledger,
      program: { command: process.execPath, args: [file(script)], env: {} },
      cwd: root,
      secrets: Secrets.of({}),
      stopGrace: { closeInput: "2 seconds", terminate: "1 second" }
    })
  const proxies = [
    ...named(memory, (at) =>
      Component.inProcess(`memory ${at}`, (link) => Effect.flatMap(AcpProxy.make(link), ({ closed }) => closed))
    ),
    ...named(stdio, (at) => node(`stdio ${at}`, "chains/pass.mjs"))
  ]
  const agent = node("flood agent", "flood-agent.mjs")
  const link = yield* MessageLink.overBytes({ input: streams.stdin, output: streams.stdout({ endOnDone: false }) })
  const from = started()
  const failure = yield* Conductor.run(link, { mode: "agent", assemble: () => Effect.succeed({ agent, proxies }) })
  console.error(failure === undefined ? `RESULT ${JSON.stringify(since(from))}` : failure.message)
})

program.pipe(
  Effect.scoped,
  Effect.provide(NodeStdio.layer),
  Effect.provide(ProcessLedgerLayer.layerDisabled),
  NodeRuntime.runMain
)
