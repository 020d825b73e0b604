/** MCP servers of the settings: which ones a session gets, and in which form. Their secrets reach only the agent. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RpcClient from "effect/rpc/RpcClient"
import * as Stream from "effect/Stream"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import * as McpServers from "../../src/mcp/McpServers.ts"
import * as SettingsFile from "../../src/settings/SettingsFile.ts"
import { connect, converse, reachable, sender } from "../cli/support/Conversation.ts"
import { call, start, temporaryFolder } from "../cli/support/Signalbox.ts"
import { scripted, told } from "../support/ScriptedAgent.ts"

const secret = "sesame-open-4711"

/** A state folder with these settings, and two programs, `files` and `clock`, in the search path. */
const place = (settings: object) => {
  const state = temporaryFolder("state")
  const bin = temporaryFolder("bin")
  for (const name of ["files", "clock"]) {
    writeFileSync(join(bin, name), "#!/bin/sh\n")
    chmodSync(join(bin, name), 0o755)
  }
  writeFileSync(join(state, "settings.json"), JSON.stringify(settings))
  process.env["PATH"] = `${bin}${delimiter}${process.env["PATH"]}`
  process.env["MCP_TEST_SECRET"] = secret
  return { state, bin, layer: layerOf(state) }
}

const layerOf = (folder: string) =>
  McpServers.layer.pipe(Layer.provide(SettingsFile.layer({ folder })), Layer.provide(NodeServices.layer))

const all = {
  files: { type: "stdio", command: "files", args: ["--root", "/"], env: { API_KEY: "${env:MCP_TEST_SECRET}" } },
  clock: { command: "clock", enabled: false },
  web: { type: "http", url: "https://mcp.example/v1", headers: { Authorization: "Bearer ${env:MCP_TEST_SECRET}" } },
  old: { type: "sse", url: "http://127.0.0.1:1/sse" }
}

describe("MCP servers of the settings", () => {
  it.live("[41] are made ready: a command by its absolute path, references put in, a type of stdio left away", () => {
    const { bin, layer } = place({ mcpServers: all })
    return Effect.gen(function* () {
      const { leftOut, ready, secrets } = yield* (yield* McpServers.McpServers).forSession("/project")
      assert.deepEqual(leftOut, [])
      assert.deepEqual(ready, [
        { type: "stdio", name: "files", command: join(bin, "files"), args: ["--root", "/"], env: { API_KEY: secret } },
        { type: "http", name: "web", url: "https://mcp.example/v1", headers: { Authorization: `Bearer ${secret}` } },
        { type: "sse", name: "old", url: "http://127.0.0.1:1/sse", headers: {} }
      ])
      assert.include(secrets, secret)
    }).pipe(Effect.provide(layer))
  })

  it.live("of a folder stand before those for all, and the nearer folder before the one above", () => {
    const project = { mcpServers: { files: { command: "clock" }, near: { command: "files" } } }
    const below = { mcpServers: { near: { command: "clock" } } }
    const { bin, layer } = place({ mcpServers: all, projects: { "/project": project, "/project/below": below } })
    return Effect.gen(function* () {
      const { forSession, list } = yield* McpServers.McpServers
      const commands = (cwd: string) =>
        Effect.map(forSession(cwd, ["files", "near"]), ({ ready }) =>
          ready.map((server) => `${server.name} ${server.type === "stdio" ? server.command : server.url}`)
        )
      assert.deepEqual(yield* commands("/project"), [`files ${join(bin, "clock")}`, `near ${join(bin, "files")}`])
      assert.deepEqual(yield* commands("/project/below/x"), [
        `files ${join(bin, "clock")}`,
        `near ${join(bin, "clock")}`
      ])
      assert.deepEqual(yield* commands("/projects"), [`files ${join(bin, "files")}`])
      assert.deepEqual(
        (yield* list("/project")).map(({ folder, name, scope }) => `${name} ${scope} ${folder}`).sort(),
        [
          "clock user undefined",
          "files project /project",
          "near project /project",
          "old user undefined",
          "web user undefined"
        ]
      )
      assert.deepEqual(
        (yield* list()).map(({ enabled, name }) => `${name} ${enabled}`),
        ["files true", "clock false", "web true", "old true"]
      )
    }).pipe(Effect.provide(layer))
  })

  it.live("of a folder hold however its path is written", () => {
    const project = { mcpServers: { near: { command: "files" } } }
    const below = { mcpServers: { near: { command: "clock" } } }
    const folders = { "/a/b/../project//": project, "/a/project/below/": below, "/a/proj/": project }
    const { bin, layer } = place({ projects: folders })
    return Effect.gen(function* () {
      const { forSession } = yield* McpServers.McpServers
      const commands = (cwd: string) =>
        Effect.map(forSession(cwd), ({ ready }) =>
          ready.map((server) => (server.type === "stdio" ? server.command : server.url))
        )
      assert.deepEqual(yield* commands("/a/project"), [join(bin, "files")])
      assert.deepEqual(yield* commands("/a/project/"), [join(bin, "files")])
      assert.deepEqual(yield* commands("/a/project/below"), [join(bin, "clock")])
      assert.deepEqual(yield* commands("/a/b"), [])
    }).pipe(Effect.provide(layer))
  })

  it.live("that can't be used are left out, each with its reason", () => {
    const { layer } = place({
      mcpServers: {
        gone: { command: "no-such-program" },
        near: { command: "./run.sh" },
        unset: { command: "files", env: { KEY: "${env:MCP_TEST_UNSET}" } },
        strange: { type: "http", url: "file:///etc/passwd" },
        wrong: { comand: "files" }
      }
    })
    return Effect.gen(function* () {
      const { forSession, list } = yield* McpServers.McpServers
      const { leftOut, ready } = yield* forSession("/project")
      assert.deepEqual(ready, [])
      assert.deepEqual(leftOut, [
        { name: "gone", reason: "There is no program no-such-program in PATH." },
        { name: "near", reason: "Its command has to be a name or an absolute path, and ./run.sh is neither." },
        { name: "unset", reason: "The variable MCP_TEST_UNSET is not set where Signalbox runs." },
        { name: "strange", reason: "Its address is no http URL." },
        { name: "wrong", reason: "What the settings say of it is not in force." }
      ])
      assert.deepEqual((yield* forSession("/project", ["other"])).leftOut, [
        { name: "other", reason: "The settings hold none of this name that is in force." }
      ])
      assert.strictEqual((yield* list())[0]?.problem, "There is no program no-such-program in PATH.")
    }).pipe(Effect.provide(layer))
  })

  it.live("are shown without what is secret in them", () => {
    const { layer } = place({
      mcpServers: {
        files: { command: "files", args: ["--token", secret, `--api-key=${secret}`], env: { KEY: secret } },
        web: { type: "http", url: `https://u:${secret}@mcp.example/?token=${secret}`, headers: { "X-Key": secret } }
      }
    })
    return Effect.gen(function* () {
      const shown = yield* (yield* McpServers.McpServers).list()
      assert.notInclude(JSON.stringify(shown), secret)
      assert.deepEqual(
        shown.map(({ connection }) => (connection.type === "stdio" ? connection.env : connection.headers)),
        [["KEY"], ["X-Key"]]
      )
    }).pipe(Effect.provide(layer))
  })
})

/** The servers in each call that opened a session. */
const given = (log: string) =>
  told(log).flatMap((message) => {
    const params = message["params"]
    return typeof params === "object" && params !== null && "mcpServers" in params
      ? [{ method: message.method, servers: params.mcpServers }]
      : []
  })

describe("an agent", () => {
  it.live(
    "[26][41] is told of the servers that it takes, at each way into a session; people are told of the others",
    () => {
      const { bin, layer, state } = place({ mcpServers: all })
      const log = join(state, "log")
      const files = {
        name: "files",
        command: join(bin, "files"),
        args: ["--root", "/"],
        env: [{ name: "API_KEY", value: secret }]
      }
      const web = {
        type: "http",
        name: "web",
        url: "https://mcp.example/v1",
        headers: [{ name: "Authorization", value: `Bearer ${secret}` }]
      }
      const initialize = { agentCapabilities: { loadSession: true, mcpCapabilities: { http: true } } }
      return Effect.gen(function* () {
        const agent = yield* scripted({ initialize, load: {} }, { env: { SCRIPTED_AGENT_LOG: log } })
        const { resumeToken } = yield* agent.start()
        assert.deepEqual(agent.of("session.started")[0]?.mcpServers, ["files", "web"])
        const warning = yield* agent.next("runtime.warning")
        assert.strictEqual(warning.message, "The MCP server “old” was left out.")
        assert.match(warning.detail ?? "", /takes no MCP servers over SSE\.$/)
        yield* agent.adapter.stopSession(ThreadId.make("thread-1"))
        yield* agent.start({ resume: resumeToken, mcpServers: ["clock"] })
        assert.deepEqual(given(log), [
          { method: "session/new", servers: [files, web] },
          { method: "session/load", servers: [{ name: "clock", command: join(bin, "clock"), args: [], env: [] }] }
        ])
      }).pipe(Effect.scoped, Effect.provide(layer))
    }
  )

  it.live("[18] that quotes a secret in an error, or with its last words, is quoted without it", () => {
    const { layer } = place({ mcpServers: all })
    const quoted = { code: -32602, message: `bad key ${secret}`, data: { env: [{ value: secret }] } }
    return Effect.gen(function* () {
      const refusing = yield* scripted({ newSessionErrors: [quoted] })
      const { problem } = yield* Effect.flip(refusing.start())
      assert.include(problem.cause, "bad key [redacted]")
      assert.notInclude(JSON.stringify(problem), secret)

      const tapes = temporaryFolder("tapes")
      const dying = yield* scripted({}, { tapes })
      yield* dying.start()
      const { problem: death } = yield* dying.turn("t1", JSON.stringify([{ stderr: `lost ${secret}\n` }, { crash: 3 }]))
      assert.include(death?.cause, "lost [redacted]")
      assert.notInclude(JSON.stringify(dying.events), secret)
      yield* dying.adapter.stopSession(ThreadId.make("thread-1"))
      const recorded = written(tapes)
      assert.isTrue(recorded.some(([, text]) => text.includes("lost [redacted]")))
      for (const [name, text] of recorded) assert.isFalse(text.includes(secret), name)
    }).pipe(Effect.scoped, Effect.provide(layer))
  })
})

/** All that is written below a folder. */
const written = (folder: string): ReadonlyArray<readonly [path: string, text: string]> =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isFile() ? [[entry.name, readFileSync(join(entry.parentPath, entry.name), "latin1")] as const] : []
  )

/** A server with one tool, which says whether it was given its key. */
const mcpServer = `
import { createInterface } from "node:readline"
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  const results = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "t", version: "1" } },
    "tools/list": { tools: [{ name: "key", description: "How long its key is", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: "a key of " + (process.env.API_KEY ?? "").length }] }
  }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }))
})`

describe("a tape", () => {
  it.live("[18] holds the servers of its session without their secrets, and is replayed with them", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const tape = join(temporaryFolder("tapes"), "tape.ndjson")
      const token = "a-token-of-0815"
      const mcpServers = {
        shell: {
          command: "sh",
          args: ["-c", "true", "--token", token],
          env: { KEY: "${env:VAULT_KEY}", PLACE: "behind-the-mill" }
        },
        keyed: { command: "sh", args: [`--api-key=${token}`] },
        web: { type: "http", url: `https://me:${token}@mcp.example/?key=${token}`, headers: { "X-Key": token } },
        old: { type: "sse", url: "http://127.0.0.1:1/sse" },
        gone: { command: "no-such-program" }
      }
      writeFileSync(join(state, "settings.json"), JSON.stringify({ mcpServers }))
      const env = { SIGNALBOX_STATE_DIR: state, VAULT_KEY: secret }
      const ran = yield* call(["run", "--provider", "eliza", "--tape", tape, "Hello"], { env })
      assert.strictEqual(ran.code, 0, ran.stderr)
      const recorded = readFileSync(tape, "utf8")
      assert.include(recorded, '"mcpServers":[{"name":"shell"')
      for (const hidden of [secret, token, "behind-the-mill"]) assert.notInclude(recorded, hidden)
      const replayed = yield* call(["replay", tape], { env: { SIGNALBOX_STATE_DIR: temporaryFolder("state") } })
      assert.strictEqual(replayed.code, 0, replayed.stderr)
      for (const name of ["old", "gone"])
        for (const { stderr, stdout } of [ran, replayed])
          assert.include(stdout + stderr, `The MCP server “${name}” was left out.`)
    })
  )
})

describe("a server", () => {
  it.live("[18] passes servers on whole, and writes their secrets into no file", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const folder = temporaryFolder("mcp")
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, "server.mjs"), mcpServer)
      const vault = {
        command: process.execPath,
        args: [join(folder, "server.mjs")],
        env: { API_KEY: "${env:VAULT_KEY}" }
      }
      writeFileSync(join(state, "settings.json"), JSON.stringify({ mcpServers: { vault } }))
      const server = yield* start(["--port", "0", "--state-dir", state], { env: { VAULT_KEY: secret } })
      const thread = ThreadId.make("with-a-vault")
      const view = yield* converse(yield* reachable(server), thread, ["Use tool vault::key with {}"])
      const texts = view?.items.flatMap((item) => (item.type === "message" ? [item.text] : []))
      assert.deepEqual(texts, [`OK: [{"type":"text","text":"a key of ${secret.length}"}]`])
      assert.deepEqual(view?.session.mcpServers, ["vault"])
      server.kill("SIGTERM")
      yield* server.ended
      const files = written(state)
      assert.isTrue(files.some(([name, text]) => name.endsWith(".ndjson") && text.includes("server.mjs")))
      assert.isTrue(existsSync(join(state, "settings.json")))
      for (const [name, text] of files) assert.isFalse(text.includes(secret), name)
    })
  )

  it.live("gives a thread's sessions those that were chosen for it, from the next session on", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const folder = temporaryFolder("mcp")
      writeFileSync(join(folder, "server.mjs"), mcpServer)
      const vault = { command: process.execPath, args: [join(folder, "server.mjs")] }
      writeFileSync(join(state, "settings.json"), JSON.stringify({ mcpServers: { vault } }))
      const server = yield* reachable(yield* start(["--port", "0", "--state-dir", state]))
      yield* Effect.gen(function* () {
        const client = yield* RpcClient.make(SignalboxRpc)
        const send = yield* sender
        const threadId = ThreadId.make("choosing")
        let view: ThreadView | undefined
        const until = (fits: (view: ThreadView) => boolean) =>
          client.watchThread({ threadId }).pipe(
            Stream.map((frame) =>
              frame.type === "snapshot" ? frame.view : ThreadProjection.apply(view, frame.events)
            ),
            Stream.tap((next) => Effect.sync(() => (view = next))),
            Stream.takeUntil(fits),
            Stream.runDrain
          )
        const ask = Effect.fnUntraced(function* (id: string) {
          const turnId = TurnId.make(id)
          const prompt = [{ type: "text" as const, text: "Use tool vault::key with {}" }] as const
          yield* send(threadId, { type: "turn.start", turnId, prompt })
          yield* until(({ turns }) => turns.some((turn) => turn.turnId === turnId && turn.status === "completed"))
          return view?.items.findLast((item) => item.type === "message")?.text
        })
        const provider = ProviderId.make("eliza")
        yield* send(threadId, { type: "thread.create", provider, cwd: folder, mcpServers: [] })
        assert.strictEqual(yield* ask("without"), "MCP server 'vault' not found")
        yield* send(threadId, { type: "mcp.choose", mcpServers: ["vault", "vault"] })
        yield* until(({ mcpServers }) => mcpServers?.length === 1)
        assert.isUndefined(view?.session.mcpServers)
        assert.strictEqual(yield* ask("still-without"), "MCP server 'vault' not found")
        yield* send(threadId, { type: "session.stop" })
        yield* until(({ session }) => session.state === "exited")
        assert.match((yield* ask("with")) ?? "", /^OK: /)
        assert.deepEqual(view?.session.mcpServers, ["vault"])
        yield* send(threadId, { type: "mcp.choose" })
        yield* until(({ mcpServers }) => mcpServers === undefined)
        const listed = yield* client.listMcpServers({ cwd: folder })
        assert.deepEqual(
          listed.map(({ enabled, name }) => `${name} ${enabled}`),
          ["vault true"]
        )
      }).pipe(Effect.scoped, Effect.provide(connect(server)))
    })
  )
})
