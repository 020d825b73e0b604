// How long one step holds the event loop of a process that has the whole chain: agent, bridge, ide-operations, adapter, language servers.
// `node floods.mjs diagnostics|file|foreign|line|definition|editor utf-8|utf-16`. The server is flood-server.mjs. Beside it stands what `JSON.parse` takes
// for the same message, or reading and writing the same file as one message.
import * as MessageLink from "@signalbox/acp/MessageLink"
import * as RawConnection from "@signalbox/acp/RawConnection"
import * as Component from "@signalbox/conductor/Component"
import * as Conductor from "@signalbox/conductor/Conductor"
import { ideOperations } from "@signalbox/conductor/components/ide-operations/IdeOperationsComponent"
import * as LanguageServers from "@signalbox/lsp/servers/LanguageServers"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { report } from "../measure.mjs"
import { file } from "../processes.mjs"
import { publication } from "./flood-server.mjs"

const [, , step, encoding] = process.argv
const findings = 10_000
const cwd = realpathSync(mkdtempSync(join(tmpdir(), "bench-floods-")))
const path = join(cwd, "long.txt")
const lineOfText =
  step === "foreign" ? "A line of some text: é and 😀.\n" : "A line of some text, as it is in most sources.\n"
/** 5 MB, in lines or in one. Characters beyond Latin take V8 twice the memory, and several times the time. */
const text =
  step === "line"
    ? `${"a word, ".repeat(625_000)}\n`
    : `${lineOfText.repeat(step === "diagnostics" ? 5_000 : Math.ceil(5_000_000 / Buffer.byteLength(lineOfText)))}end\n`
writeFileSync(path, text)

/** Watches the event loop, until the returned function is called. It gives the longest time between two turns, and the most CPU that the main thread took. */
const watch = () => {
  const cpu = () => {
    const { system, user } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let before = { wall: performance.now(), cpu: cpu() }
  let longest = { blockMs: 0, blockCpuMs: 0 }
  const look = () => {
    const now = { wall: performance.now(), cpu: cpu() }
    const blockMs = now.wall - before.wall - 1
    longest = {
      blockMs: Math.max(longest.blockMs, blockMs),
      blockCpuMs: Math.max(longest.blockCpuMs, now.cpu - before.cpu)
    }
    before = now
  }
  const timer = setInterval(look, 1)
  return () => {
    look()
    clearInterval(timer)
    return longest
  }
}

/** What nobody can do without: one call for the whole text. */
const baseline = () => {
  const message =
    step === "diagnostics"
      ? JSON.stringify({ jsonrpc: "2.0", ...publication(pathToFileURL(path).href, findings) })
      : undefined
  const from = performance.now()
  if (message === undefined) Buffer.from(JSON.stringify({ text: readFileSync(path, "utf8") }))
  else JSON.parse(message)
  return performance.now() - from
}

const definition = {
  id: "flood",
  name: "Flood",
  command: process.execPath,
  args: [file("ide/flood-server.mjs"), encoding, step === "diagnostics" ? String(findings) : "0"],
  languages: ["plaintext"],
  rootMarkers: []
}

let servers
let session
let far
const agent = Component.inProcess("agent", (link) =>
  Effect.flatMap(
    RawConnection.make(link, () => ({
      onRequest: ({ method, params }, respond) => {
        if (method === "session/new") session = JSON.parse(params).mcpServers[0]
        const answers = {
          initialize: '{"protocolVersion":1,"agentCapabilities":{"mcpCapabilities":{"acp":true}}}',
          "session/new": '{"sessionId":"s"}'
        }
        respond({ result: answers[method] ?? "null" })
      },
      onNotification: () => {}
    })),
    (connection) => {
      far = connection
      return connection.closed
    }
  )
)

const asking = (connection, side) => (method, params) =>
  Effect.flatMap(Deferred.make(), (answered) => {
    connection().request({ side, method, params: JSON.stringify(params) }, (settled) =>
      Deferred.doneUnsafe(answered, Effect.succeed(settled))
    )
    return Effect.map(Deferred.await(answered), (settled) => {
      if (settled.result === undefined) throw new Error(`${method}: ${JSON.stringify(settled)}`)
      return JSON.parse(settled.result)
    })
  })

const program = Effect.gen(function* () {
  const ledger = yield* ProcessLedger
  const open = ([folder]) =>
    Effect.tap(LanguageServers.make({ servers: [definition], folders: () => [folder], ledger }), (made) =>
      Effect.sync(() => (servers = made))
    )
  const host = { ledger, languageServers: { definitions: [definition], open } }
  const make = (component) =>
    Component.inProcess(component.name, (link) =>
      Result.getOrThrow(component.make({ args: [], log: console.error }))(link, host)
    )
  const proxies = [make(ideOperations.adapter.component), make(ideOperations)]
  const [near, other] = MessageLink.pair()
  yield* Effect.forkScoped(Conductor.run(other, { mode: "agent", assemble: () => Effect.succeed({ agent, proxies }) }))
  const client = yield* RawConnection.make(near, () => ({ onRequest: () => {}, onNotification: () => {} }))
  const request = asking(() => client, "client")
  yield* request("initialize", { protocolVersion: 1, clientCapabilities: {} })
  yield* request("session/new", { cwd, mcpServers: [] })
  let ids = 0
  const call = (name, given) =>
    Effect.map(
      asking(() => far, "client")("mcp/message", {
        serverId: session.serverId,
        requestId: String(++ids),
        method: "tools/call",
        params: {
          name,
          arguments: given,
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" }
          }
        }
      }),
      ({ result }) => {
        if (result.isError) throw new Error(result.content[0].text)
        return JSON.parse(result.content[0].text).result
      }
    )
  // Its program runs, and code that every question needs is compiled.
  writeFileSync(join(cwd, "short.txt"), "short\n")
  const at = { file_path: "short.txt", line: 0, character: 0 }
  yield* call("ide_definition", at)
  if (step !== "diagnostics") yield* call("ide_hover", at)

  const here = { file_path: "long.txt", line: 0, character: 0 }
  const steps = {
    diagnostics: Effect.gen(function* () {
      yield* call("ide_hover", here)
      return (yield* call("ide_diagnostics", { file_path: "long.txt" })).length
    }),
    file: Effect.as(call("ide_hover", here), 1),
    foreign: Effect.as(call("ide_hover", here), 1),
    line: Effect.as(call("ide_hover", here), 1),
    definition: Effect.map(call("ide_definition", here), ({ places }) => places.length),
    editor: Effect.gen(function* () {
      yield* servers.documents.open({ path, version: 1, text })
      yield* call("ide_hover", here)
      for (let version = 2; version < 22; version++) {
        const place = { line: 5_000 * (version - 1), character: 26 }
        yield* servers.documents.change(path, version, [{ range: { start: place, end: place }, text: "x" }])
      }
      yield* call("ide_hover", here)
      return 1
    })
  }
  const quiet = watch()
  yield* Effect.sleep("500 millis")
  const { blockMs: quietMs } = quiet()
  const parseMs = baseline()
  const until = watch()
  const answers = yield* steps[step]
  report({ ...until(), quietMs, baselineMs: parseMs, answers })
})

try {
  await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(ProcessLedgerLayer.layerDisabled)))
} finally {
  rmSync(cwd, { recursive: true, force: true })
}
