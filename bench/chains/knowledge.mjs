// A session whose project has 200 dependencies with a skill each: the time from `session/new` until the first prompt has reached the agent,
// with the index in it. `node knowledge.mjs` has the component ecosystem-knowledge, `node knowledge.mjs none` only the chain.
import * as MessageLink from "@signalbox/acp/MessageLink"
import * as RawConnection from "@signalbox/acp/RawConnection"
import * as Component from "@signalbox/conductor/Component"
import * as Conductor from "@signalbox/conductor/Conductor"
import { ecosystemKnowledge } from "@signalbox/conductor/components/ecosystem-knowledge/EcosystemKnowledgeComponent"
import * as Tokens from "@signalbox/conductor/components/ecosystem-knowledge/knowledge/Tokens"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const count = 200
const cwd = mkdtempSync(join(tmpdir(), "signalbox-bench-"))
const names = Array.from({ length: count }, (_, at) => `@example/package-${at}`)
const dependencies = Object.fromEntries(names.map((name) => [name, "1"]))
writeFileSync(join(cwd, "package.json"), JSON.stringify({ name: "mine", dependencies }))
for (const name of names) {
  const skill = join(cwd, "node_modules", name, "skills", "usage")
  mkdirSync(skill, { recursive: true })
  writeFileSync(join(cwd, "node_modules", name, "package.json"), JSON.stringify({ name, version: "1.0.0" }))
  const head = `---\nname: usage\ndescription: Says how to use ${name}, with examples of each function, and what to avoid.\n---\n`
  writeFileSync(join(skill, "SKILL.md"), head + "Use it well.\n".repeat(400))
}

let prompted = ""
const agent = Component.inProcess("agent", (link) =>
  Effect.flatMap(
    RawConnection.make(link, () => ({
      onRequest: ({ method, params }, respond) => {
        if (method === "session/prompt") prompted = params
        const answers = {
          initialize: '{"protocolVersion":1,"agentCapabilities":{"mcpCapabilities":{"acp":true}}}',
          "session/new": '{"sessionId":"s"}',
          "session/prompt": '{"stopReason":"end_turn"}'
        }
        respond({ result: answers[method] ?? "null" })
      },
      onNotification: () => {}
    })),
    ({ closed }) => closed
  )
)

const program = Effect.gen(function* () {
  const ledger = yield* ProcessLedger
  const run = Result.getOrThrow(ecosystemKnowledge.make({ args: [], log: console.error }))
  const proxies =
    process.argv[2] === "none" ? [] : [Component.inProcess("ecosystem-knowledge", (link) => run(link, { ledger }))]
  const [near, far] = MessageLink.pair()
  yield* Effect.forkScoped(Conductor.run(far, { mode: "agent", assemble: () => Effect.succeed({ agent, proxies }) }))
  const connection = yield* RawConnection.make(near, () => ({ onRequest: () => {}, onNotification: () => {} }))
  const request = (method, params) =>
    Effect.flatMap(Deferred.make(), (answered) => {
      connection.request({ side: "client", method, params: JSON.stringify(params) }, (settled) =>
        Deferred.doneUnsafe(answered, Effect.succeed(settled))
      )
      return Deferred.await(answered)
    })
  yield* request("initialize", { protocolVersion: 1 })
  const cpuFrom = process.cpuUsage()
  const from = performance.now()
  yield* request("session/new", { cwd, mcpServers: [] })
  yield* request("session/prompt", { sessionId: "s", prompt: [{ type: "text", text: "Hello" }] })
  const wallMs = performance.now() - from
  const cpu = process.cpuUsage(cpuFrom)
  const [first] = JSON.parse(prompted).prompt
  const [, left = "0"] = /\n(\d+) more packages/.exec(first.text) ?? []
  const figures = { listed: proxies.length === 0 ? 0 : count - Number(left), tokens: Tokens.atMost(first.text) }
  const cpuUs = cpu.user + cpu.system
  console.log(`RESULT ${JSON.stringify({ wallMs, cpuUs, ...figures, bytes: Buffer.byteLength(first.text) })}`)
})

try {
  await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(ProcessLedgerLayer.layerDisabled)))
} finally {
  rmSync(cwd, { recursive: true, force: true })
}
