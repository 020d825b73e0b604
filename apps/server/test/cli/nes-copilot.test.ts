/** `signalbox nes copilot` between a client of suggestions and a stand-in for Copilot's language server. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as AcpCaller from "./support/AcpCaller.ts"
import { call, temporaryFolder } from "./support/Signalbox.ts"

const uri = "file:///project/a.ts"
const initialize = { protocolVersion: 1, clientCapabilities: { nes: {}, positionEncodings: ["utf-8", "utf-16"] } }
const start = { workspaceUri: "file:///project" }
const ask = (version: number, line: number, character: number) => ({
  uri,
  version,
  position: { line, character },
  triggerKind: "automatic"
})

/** The bridge with a language server started so, and what that one has received. */
const bridge = Effect.fnUntraced(function* (...flags: ReadonlyArray<string>) {
  const log = join(temporaryFolder("copilot"), "received.ndjson")
  const server = [AcpCaller.line("copilot"), ...flags].join(" ")
  const caller = yield* AcpCaller.start(["nes", "copilot", "--server", server], { env: { COPILOT_LOG: log } })
  const tell = (method: string, params: object) => caller.send(JSON.stringify({ jsonrpc: "2.0", method, params }))
  const received = (): ReadonlyArray<{ readonly method: string; readonly params: unknown }> =>
    existsSync(log)
      ? readFileSync(log, "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
          .filter(({ method }) => method !== undefined)
      : []
  const { result } = yield* caller.request("initialize", initialize)
  return { ...caller, tell, received, initialized: result }
})

describe("signalbox nes copilot", () => {
  it.live("passes documents on, offers Copilot's edits as alternatives, and reports what was accepted", () =>
    Effect.gen(function* () {
      const { ended, initialized, received, request, stdin, tell } = yield* bridge()
      assert.deepNestedInclude(initialized, {
        "agentCapabilities.positionEncoding": "utf-16",
        "agentCapabilities.nes.events.document.didChange": { syncKind: "incremental" }
      })
      const { result: session } = yield* request("nes/start", start)
      const sessionId = session?.["sessionId"]
      tell("document/didOpen", { sessionId, uri, languageId: "typescript", version: 1, text: "😀 = 1\r\nrecieve()\n" })
      const changes = [
        { range: { start: { line: 0, character: 3 }, end: { line: 0, character: 6 } }, text: "recieve" },
        { range: { start: { line: 0, character: 10 }, end: { line: 0, character: 10 } }, text: ";" }
      ]
      tell("document/didChange", { sessionId, uri, version: 2, contentChanges: changes })
      const { result } = yield* request("nes/suggest", { sessionId, ...ask(2, 1, 0) })
      const suggestions = result?.["suggestions"]
      const edit = (id: string, line: number, from: number, to: number) => ({
        kind: "edit",
        id,
        uri,
        edits: [{ range: { start: { line, character: from }, end: { line, character: to } }, newText: "receive" }]
      })
      assert.deepStrictEqual(suggestions, [edit("nes-1-1", 1, 0, 7), edit("nes-1-2", 0, 3, 10)])
      tell("nes/reject", { sessionId, id: "nes-1-2", reason: "replaced" })
      tell("nes/accept", { sessionId, id: "nes-1-1" })
      tell("document/didClose", { sessionId, uri })
      assert.deepStrictEqual((yield* request("nes/close", { sessionId })).result, {})
      stdin.end()
      const { code, stderr } = yield* ended
      assert.strictEqual(code, 0, stderr)

      const at = (method: string) => received().filter((message) => message.method === method)
      assert.deepNestedInclude(at("initialize")[0], {
        "params.workspaceFolders": [{ uri: "file:///project", name: "project" }]
      })
      assert.deepStrictEqual(at("workspace/didChangeConfiguration")[0]?.params, {
        settings: { telemetry: { telemetryLevel: "off" } }
      })
      assert.deepStrictEqual(at("textDocument/didChange")[0]?.params, {
        textDocument: { uri, version: 2 },
        contentChanges: changes
      })
      const command = { command: "github.copilot.didAcceptCompletionItem", arguments: ["edit-1"] }
      assert.deepStrictEqual(
        at("textDocument/didShowInlineEdit").map(({ params }) => params),
        [{ item: { command } }]
      )
      assert.deepStrictEqual(
        at("workspace/executeCommand").map(({ params }) => params),
        [command]
      )
      assert.deepStrictEqual(
        received()
          .slice(-4)
          .map(({ method }) => method)
          .toSorted(),
        ["exit", "shutdown", "textDocument/didClose", "workspace/executeCommand"]
      )
    })
  )

  it.live("leaves out edits for an earlier text", () =>
    Effect.gen(function* () {
      const { request, tell } = yield* bridge("--stale")
      const { result: session } = yield* request("nes/start", start)
      const sessionId = session?.["sessionId"]
      tell("document/didOpen", { sessionId, uri, languageId: "typescript", version: 1, text: "recieve()\n" })
      const { result } = yield* request("nes/suggest", { sessionId, ...ask(1, 0, 0) })
      assert.deepStrictEqual(result, { suggestions: [] })
    })
  )

  it.live("says that nobody is signed in, and signs in by a code that people read", () =>
    Effect.gen(function* () {
      const { received, request, says } = yield* bridge("--signed-out")
      const { error } = yield* request("nes/start", start)
      assert.deepStrictEqual(error, { code: -32000, message: "Nobody is signed in to GitHub Copilot." })
      assert.strictEqual((yield* request("authenticate", { methodId: "other" })).error?.code, -32602)
      assert.deepStrictEqual((yield* request("authenticate", { methodId: "github" })).result, {})
      yield* says(/^Enter the code ABCD-EFGH at https:\/\/github\.com\/login\/device$/m)
      assert.deepNestedInclude(
        received().find(({ method }) => method === "workspace/executeCommand"),
        {
          "params.command": "github.copilot.finishDeviceFlow"
        }
      )
    })
  )

  it.live("names the end of a language server, one that can't be started, and one that is none", () =>
    Effect.gen(function* () {
      const dying = yield* bridge("--dies")
      const { result } = yield* dying.request("nes/start", start)
      const sessionId = result?.["sessionId"]
      dying.tell("document/didOpen", { sessionId, uri, languageId: "typescript", version: 1, text: "recieve" })
      const { error } = yield* dying.request("nes/suggest", { sessionId, ...ask(1, 0, 0) })
      assert.deepStrictEqual(error, { code: -32603, message: "Copilot's language server has ended: exit code 3" })
      // Its client starts another one, which can go on.
      const { code: lost, stderr: words } = yield* dying.ended
      assert.deepStrictEqual(
        [lost, words.trim().split("\n").at(-1)],
        [1, "Copilot's language server has ended: exit code 3"]
      )

      const missing = yield* AcpCaller.start(["nes", "copilot", "--server", "/no/such/server --stdio"])
      yield* missing.request("initialize", initialize)
      const refused = yield* missing.request("nes/start", start)
      assert.strictEqual(refused.error?.code, -32603)
      assert.include(refused.error?.message, "/no/such/server")

      const chatty = yield* AcpCaller.start([
        "nes",
        "copilot",
        "--server",
        `${process.execPath} -e 'console.log("hello")'`
      ])
      yield* chatty.request("initialize", initialize)
      const strange = yield* chatty.request("nes/start", start)
      assert.match(strange.error?.message ?? "", /^Copilot's language server has ended: exit code 0/)
      const { code, stderr } = yield* call(["nes", "copilot", "--server", "'open"])
      assert.strictEqual(code, 2)
      assert.include(stderr, "--server")
    })
  )

  it.live("ends its language server within 5 seconds when its client leaves in the middle of a request", () =>
    Effect.gen(function* () {
      const begun = performance.now()
      const { begin, ended, received, request, stdin, tell } = yield* bridge("--slow")
      const { result } = yield* request("nes/start", start)
      const sessionId = result?.["sessionId"]
      tell("document/didOpen", { sessionId, uri, languageId: "typescript", version: 1, text: "recieve" })
      begin("nes/suggest", { sessionId, ...ask(1, 0, 0) })
      yield* request("nes/close", { sessionId })
      // A busy machine takes longer for everything: the start shows by how much.
      const startMs = performance.now() - begun
      const before = performance.now()
      stdin.end()
      assert.strictEqual((yield* ended).code, 0)
      assert.isBelow(performance.now() - before, 5_000 + startMs)
      assert.isTrue(received().some(({ method }) => method === "shutdown"))
    })
  )
})
