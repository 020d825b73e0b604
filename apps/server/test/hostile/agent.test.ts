/** What a hostile agent, or a hostile project, can do to a server that runs as people start it. */
import { assert, describe, it } from "@effect/vitest"
import { CommandId, ThreadId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import { hasEnded } from "@signalbox/threads/TurnState"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:net"
import { dirname, join } from "node:path"
import { connect as connectTo } from "../../chaos/Connection.ts"
import { temporaryFolder } from "../cli/support/Signalbox.ts"
import { change, call, told } from "../support/ScriptedAgent.ts"
import { scriptedCommand, served } from "../support/ServedThreads.ts"

const isOver = ({ turns }: ThreadView) => turns.length > 0 && turns.every(({ status }) => hasEnded(status))

const said = ({ items }: ThreadView) => items.map((item) => (item.type === "message" ? item.text : "")).join("")

/** Counts who connects to it. */
const listener = Effect.acquireRelease(
  Effect.callback<{ readonly server: Server; readonly url: string; readonly connections: () => number }>((resume) => {
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.on("error", () => socket.destroy())
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ server, url: `http://127.0.0.1:${port}`, connections: () => connections }))
    })
  }),
  ({ server }) => Effect.sync(() => server.close())
)

describe("addresses that an agent names", () => {
  it.live("are fetched by nobody, wherever they stand: the server connects to none of them", () =>
    Effect.gen(function* () {
      const { connections, url } = yield* listener
      const at = (what: string) => `${url}/${what}`
      const setup = {
        initialize: {
          agentInfo: { name: at("name"), title: at("title"), version: at("version"), websiteUrl: at("website") },
          icons: [{ src: at("icon") }],
          authMethods: [{ id: "web", name: at("login"), description: at("description") }]
        }
      }
      const link = { type: "resource_link", uri: at("link"), name: at("link name"), icons: [{ src: at("link icon") }] }
      const resource = { type: "resource", resource: { uri: at("resource"), text: at("text") } }
      const image = {
        type: "image",
        mimeType: "image/svg+xml",
        data: btoa(`<image href="${at("svg")}"/>`),
        uri: at("uri")
      }
      const contents = [link, resource, image]
      const chunk = (content: object) => ({ update: { sessionUpdate: "agent_message_chunk", content } })
      const toolCall = {
        toolCallId: "p",
        title: `![](${at("title")})`,
        kind: "fetch",
        rawInput: { url: at("input"), path: at("path") },
        locations: [{ path: at("location") }]
      }
      const steps = [
        { text: `![image](${at("image")}) [link](${at("markdown")}) <img src="${at("html")}"> ${at("plain")} ` },
        ...contents.map(chunk),
        call("fetch", {
          kind: "fetch",
          rawInput: { url: at("tool") },
          content: contents.map((content) => ({ type: "content", content })),
          locations: [{ path: at("place") }]
        }),
        change("fetch", { status: "completed", rawOutput: { url: at("output"), html: `<img src=${at("raw")}>` } }),
        { update: { sessionUpdate: "plan", entries: [{ content: at("plan"), priority: "high", status: "pending" }] } },
        {
          update: {
            sessionUpdate: "available_commands_update",
            availableCommands: [{ name: "x", description: at("command"), input: { hint: at("hint") } }]
          }
        },
        {
          together: [
            [{ permission: { toolCall, options: [{ optionId: "y", name: at("option"), kind: "allow_once" }] } }],
            [
              {
                request: {
                  method: "elicitation/create",
                  params: { mode: "url", message: at("why"), url: at("elicitation"), elicitationId: "e" }
                }
              }
            ],
            [{ request: { method: "fs/read_text_file", params: { path: at("file") } } }],
            [{ notify: { method: "_fetch", params: { url: at("notification") } } }]
          ]
        }
      ]
      const { client, open, prompt, send } = yield* served(temporaryFolder("state"))
      const acp = { ...scriptedCommand, env: { SCRIPTED_AGENT: JSON.stringify(setup) } }
      const { threadId, watcher } = yield* open("thread", acp)
      yield* prompt(threadId, "t1", ...steps)
      const { requests } = yield* watcher.until((view) => view.requests.length === 2)
      for (const { request } of requests) {
        const response = request.type === "approval" ? optionOf(request, "y") : ({ type: "accept" } as const)
        yield* send(threadId, { type: "request.respond", requestId: request.requestId, response })
      }
      const view = yield* watcher.until(isOver)
      const exported = yield* Stream.mkString(client.exportThread({ threadId }))
      for (const what of ["image", "link", "resource", "tool", "place", "elicitation"])
        assert.include(exported, at(what), `${what} did not arrive`)
      assert.include(said(view), at("image"))
      assert.strictEqual(connections(), 0)
      // The listener counts: this test can fail.
      yield* Effect.promise(() => fetch(url))
      assert.strictEqual(connections(), 1)
    })
  )
})

describe("an agent that breaks the protocol", () => {
  it.live("with lines too long, too deep, of lists, of nonsense or torn in characters loses these lines only", () =>
    Effect.gen(function* () {
      const { open, prompt } = yield* served(temporaryFolder("state"))
      const { threadId, watcher } = yield* open("thread")
      const other = yield* open("other")
      const deep = (open: string, close: string) => `${open.repeat(100_000)}1${close.repeat(100_000)}`
      const update = (fields: string) =>
        `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"x","update":${fields}}}\n`
      const mebibyte = "a".repeat(1024 * 1024)
      yield* prompt(
        threadId,
        "t1",
        { text: "before " },
        { raw: '{"jsonrpc":"2.0","id":900,"method":"' },
        { raw: mebibyte, times: 33 },
        { raw: '"}\n' },
        { raw: update(deep("[", "]")) },
        { raw: update(deep('{"a":', "}")) },
        { raw: `${deep("[", "]")}\n` },
        { message: [{ jsonrpc: "2.0", id: 901, method: "session/request_permission", params: {} }] },
        { message: [[[[]]], {}, null, 7, "text", true] },
        { raw: '{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"},"result":{}}garbage\n' },
        { raw: '{"__proto__":{"jsonrpc":"2.0","id":1,"result":{}}}\n' },
        { message: { jsonrpc: "2.0", id: "1", result: { stopReason: "end_turn" } } },
        { message: { jsonrpc: "2.0", id: 1e308, result: {} } },
        { message: { jsonrpc: "2.0", id: null, error: { code: -32700, message: "?" } } },
        { rawBase64: Buffer.from([0xff, 0xfe, 0x80, 0x0a]).toString("base64") },
        { pieces: 1 },
        { text: "ä€𝄞 " },
        { pieces: 0 },
        { text: "after" }
      )
      yield* prompt(other.threadId, "o1", { text: "unharmed" })
      const view = yield* watcher.until(isOver)
      assert.deepStrictEqual(
        view.turns.map(({ problem, status }) => problem?.title ?? status),
        ["completed"]
      )
      assert.strictEqual(said(view), "before ä€𝄞 after")
      assert.isTrue(view.items.some(({ type }) => type === "warning"))
      assert.strictEqual(said(yield* other.watcher.until(isOver)), "unharmed")
    })
  )
})

describe("numbers larger than any counter", () => {
  const most = 2 ** 64

  it.live("hide no request, and keep no turn from its end", () =>
    Effect.gen(function* () {
      const { open, prompt } = yield* served(temporaryFolder("state"))
      const asks = Effect.fnUntraced(function* (name: string, ...steps: ReadonlyArray<object>) {
        const { threadId, watcher } = yield* open(name)
        yield* prompt(threadId, name, ...steps)
        return yield* watcher.until((view) => view.requests.length > 0 || isOver(view))
      })
      const toolCall = { toolCallId: "c", title: "List", locations: [{ path: "/a", line: most }] }
      const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }]
      const permission = yield* asks("permission", { permission: { toolCall, options } })
      assert.strictEqual(permission.requests[0]?.request.type, "approval")
      const properties = {
        text: { type: "string", minLength: 1, maxLength: most },
        list: { type: "array", minItems: 0, maxItems: most, items: { type: "string", enum: ["x"] } }
      }
      const params = { mode: "form", message: "Which?", requestedSchema: { type: "object", properties } }
      const form = yield* asks("form", { request: { method: "elicitation/create", params } })
      assert.strictEqual(form.requests[0]?.request.type, "form")
      const failed = yield* asks("failed", { error: { code: 1e300, message: "No such luck" } })
      assert.include(JSON.stringify(failed.turns[0]?.problem), "No such luck")
    })
  )
})

describe("answers to one request", () => {
  const toolCall = { toolCallId: "c", title: "List", kind: "execute", rawInput: { command: "ls" } }
  const options = ["one", "two"].map((optionId) => ({ optionId, name: optionId, kind: "allow_once" }))

  it.live("of ten clients at once: one counts, nine are told, and none counts again later", () =>
    Effect.gen(function* () {
      const log = join(temporaryFolder("log"), "log")
      const { open, prompt, server } = yield* served(temporaryFolder("state"))
      const { threadId, watcher } = yield* open("thread", { ...scriptedCommand, env: { SCRIPTED_AGENT_LOG: log } })
      yield* prompt(threadId, "t1", { permission: { toolCall, options } })
      const { requests } = yield* watcher.until((view) => view.requests.length > 0)
      const [open1] = requests
      if (open1?.request.type !== "approval") return assert.fail("no approval")
      const { request } = open1
      const [, url = "", token = ""] = yield* server.says(/(http:\/\/127\.0\.0\.1:\d+)\/#token=([\w-]{43})/)
      const clients = yield* Effect.all(Array.from({ length: 10 }, () => connectTo({ url, token })))
      const answer = (index: number, commandId = `answer-${index}`) =>
        clients[index]!.send({
          commandId: CommandId.make(commandId),
          threadId,
          command: {
            type: "request.respond",
            requestId: request.requestId,
            response: optionOf(request, index % 2 === 0 ? "one" : "two")
          }
        })
      const exits = yield* Effect.forEach(clients, (_, index) => Effect.exit(answer(index)), {
        concurrency: "unbounded"
      })
      const winners = exits.flatMap((exit, index) => (Exit.isSuccess(exit) ? [index] : []))
      assert.lengthOf(winners, 1)
      const [winner = 0] = winners
      const view = yield* watcher.until(isOver)
      assert.strictEqual(said(view), `permission ${winner % 2 === 0 ? "one" : "two"}`)
      // The same command again gets its receipt, and does nothing; a new one comes too late.
      yield* answer(winner)
      const late = yield* Effect.flip(answer((winner + 1) % 10, "late"))
      assert.strictEqual(late._tag === "CommandRejected" ? late.problem.code : late._tag, "request-closed")
      const answers = told(log).filter(({ method, result }) => method === undefined && result !== undefined)
      assert.lengthOf(
        answers.filter(({ result }) => JSON.stringify(result).includes("optionId")),
        1
      )
    })
  )
})

describe("a project that would run something", () => {
  it.live("is a folder like others: Signalbox reads no settings there, and gives its agents nothing of it", () =>
    Effect.gen(function* () {
      const project = temporaryFolder("project")
      const trace = join(project, "ran")
      const log = join(temporaryFolder("log"), "log")
      const plant = (path: string, content: string) => {
        mkdirSync(dirname(join(project, path)), { recursive: true })
        writeFileSync(join(project, path), content, { mode: 0o755 })
      }
      const program = join(project, "evil")
      plant("evil", `#!/bin/sh\necho ran >> '${trace}'\n`)
      const evil = { command: program, args: [], env: {} }
      const mcp = JSON.stringify({ mcpServers: { evil }, servers: { evil } })
      const settings = JSON.stringify({
        agents: { scripted: evil, evil },
        mcpServers: { evil },
        permissions: "allow-reads",
        hooks: { start: program },
        tasks: [{ command: program, runOptions: { runOn: "folderOpen" } }]
      })
      for (const path of [".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json", ".claude/settings.json"])
        plant(path, mcp)
      for (const path of ["settings.json", "signalbox.json", ".signalbox/settings.json", ".vscode/tasks.json"])
        plant(path, settings)
      plant(".env", `SIGNALBOX_STATE_DIR=${project}\nNODE_OPTIONS=--require=${program}\n`)
      plant(".npmrc", `node-options=--require=${program}\n`)
      plant(".envrc", program)
      plant("package.json", JSON.stringify({ scripts: { prepare: program, start: program }, main: program }))
      for (const name of ["git", "node", "sh", "ps", "cursor-agent", "agent"])
        plant(name, readFileSync(program, "utf8"))
      plant(".git/config", `[core]\n\tfsmonitor = ${program}\n\tpager = ${program}\n\thooksPath = ${project}\n`)
      plant(".git/HEAD", "ref: refs/heads/main\n")
      mkdirSync(join(project, ".git", "objects"))
      mkdirSync(join(project, ".git", "refs"))
      chmodSync(project, 0o755)

      const { client, prompt, send, watch } = yield* served(temporaryFolder("state"), { cwd: project })
      const threadId = ThreadId.make("thread")
      const acp = { ...scriptedCommand, env: { SCRIPTED_AGENT_LOG: log } }
      const provider = ProviderId.make("scripted")
      yield* send(threadId, { type: "thread.create", provider, cwd: project, providerOptions: { acp } })
      const watcher = yield* watch(threadId)
      yield* prompt(threadId, "t1", { text: "done" })
      const { turns } = yield* watcher.until(isOver)
      assert.strictEqual(turns[0]?.status, "completed")
      assert.deepStrictEqual(yield* client.listMcpServers({ cwd: project }), [])
      yield* client.listDirectory({ path: project })
      yield* client.searchFiles({ cwd: project, query: "evil", limit: 10 })
      const opened = told(log).find(({ method }) => method === "session/new")
      assert.deepNestedInclude(opened, { "params.cwd": project, "params.mcpServers": [] })
      assert.isFalse(existsSync(trace))
    })
  )
})
