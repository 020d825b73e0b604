import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Predicate from "effect/Predicate"
import * as Queue from "effect/Queue"
import type * as AcpClient from "../src/AcpClient.ts"
import type { RequestFailure } from "../src/AcpError.ts"
import type * as Acp from "../src/AcpSchema.ts"
import { ErrorCode, RpcError } from "../src/JsonRpc.ts"
import { clientInfo, connect, everything, session, start, text, update } from "./ClientSide.ts"
import { notification, request, result } from "./OtherSide.ts"

const tagOf = (error: unknown): unknown => Predicate.isObject(error) && error["_tag"]

describe("AcpClient, initialize", () => {
  it.effect("[27] advertises exactly what there are handlers for", () =>
    Effect.gen(function* () {
      const bare = yield* connect()
      const { message } = yield* bare.initialize({ protocolVersion: 1 })
      assert.deepStrictEqual(message.params, {
        protocolVersion: 1,
        clientInfo,
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false }
      })
      const never = () => Effect.never
      const full = yield* connect({
        readTextFile: never,
        writeTextFile: never,
        terminal: { create: never, output: never, waitForExit: never, kill: never, release: never },
        elicitation: { modes: ["form"], create: never }
      })
      const more = yield* full.initialize(
        { protocolVersion: 1 },
        { capabilities: { session: { notices: {} }, _meta: { picker: true } }, _meta: { trace: "t" } }
      )
      assert.deepStrictEqual(more.message.params, {
        protocolVersion: 1,
        clientInfo,
        clientCapabilities: {
          session: { notices: {} },
          _meta: { picker: true },
          fs: { readTextFile: true, writeTextFile: true },
          terminal: true,
          elicitation: { form: {} }
        },
        _meta: { trace: "t" }
      })
    })
  )

  it.effect("[21] says the latest version as an integer, and who we are", () =>
    Effect.gen(function* () {
      const { initialize } = yield* connect()
      const { message } = yield* initialize({ protocolVersion: 1 })
      assert.strictEqual(message.method, "initialize")
      assert.deepInclude(message.params, { protocolVersion: 1, clientInfo: { name: "test", version: "0" } })
    })
  )

  it.effect("[20] comes before everything else, and once", () =>
    Effect.gen(function* () {
      const { client, other } = yield* connect()
      const others = [
        client.newSession(session),
        client.cancel({ sessionId: "s" }),
        client.extRequest("_x", {}),
        client.extNotification("_x", {}),
        client.mcpMessage({ serverId: "m", requestId: "r", method: "n" })
      ]
      const refused = Effect.forEach(others, (call) => Effect.map(Effect.flip<unknown, unknown, never>(call), tagOf))
      const refusals = Array.from(others, () => "InvalidRequest")
      assert.deepStrictEqual(yield* refused, refusals)
      assert.strictEqual(yield* other.waiting, 0)
      const fiber = yield* start(client.initialize({ clientInfo }))
      const { id } = yield* other.next
      assert.deepStrictEqual(yield* refused, refusals)
      assert.strictEqual(tagOf(yield* Effect.flip(client.initialize({ clientInfo }))), "InvalidRequest")
      assert.strictEqual(yield* other.waiting, 0, "nothing goes out before the answer")
      yield* other.send(result(id, { protocolVersion: 1 }))
      yield* Fiber.join(fiber)
      assert.strictEqual(tagOf(yield* Effect.flip(client.initialize({ clientInfo }))), "InvalidRequest")
      yield* client.cancel({ sessionId: "s" })
      assert.strictEqual((yield* other.next).method, "session/cancel")
    })
  )

  it.effect("[23] refuses an agent of another version and ends the connection", () =>
    Effect.gen(function* () {
      const { client, initialize, other } = yield* connect()
      const error = yield* Effect.flip(initialize({ protocolVersion: 2 }))
      assert.deepInclude(error, { _tag: "UnsupportedVersion", offered: 2, supported: [1] })
      assert.strictEqual((yield* Effect.flip(client.newSession(session)))._tag, "InvalidRequest")
      assert.strictEqual((yield* client.closed).reason, "Closed")
      yield* other.ended
    })
  )

  it.effect("[24] takes what is omitted or null for nothing", () =>
    Effect.gen(function* () {
      const answers = [
        { protocolVersion: 1 },
        { protocolVersion: 1, agentCapabilities: null, authMethods: null, agentInfo: null },
        { protocolVersion: 1, agentCapabilities: { sessionCapabilities: null, promptCapabilities: null, auth: null } }
      ]
      for (const answer of answers) {
        const { client, initialize } = yield* connect()
        yield* initialize(answer)
        const missing = [
          client.closeSession({ sessionId: "s" }),
          client.logout({}),
          client.loadSession({ ...session, sessionId: "s" })
        ]
        for (const call of missing)
          assert.strictEqual(tagOf(yield* Effect.flip(Effect.asVoid(call))), "CapabilityMissing")
        const image = { type: "image", data: "", mimeType: "image/png" } as const
        const prompt = client.prompt({ sessionId: "s", prompt: [image] })
        assert.strictEqual(tagOf(yield* Effect.flip(prompt)), "CapabilityMissing")
        assert.strictEqual(tagOf(yield* Effect.flip(client.authenticate({ methodId: "x" }))), "InvalidRequest")
      }
    })
  )

  it.effect("[24][30] keeps _meta, and takes malformed capabilities for none", () =>
    Effect.gen(function* () {
      const { client, initialize, issues } = yield* connect()
      const { response } = yield* initialize({
        protocolVersion: 1,
        agentCapabilities: { loadSession: "yes" },
        _meta: { vendor: 1 }
      })
      assert.deepStrictEqual(response, { protocolVersion: 1, agentCapabilities: {}, _meta: { vendor: 1 } })
      assert.strictEqual(client.initialized(), response)
      assert.deepInclude(yield* Queue.take(issues), { _tag: "Dropped", method: "initialize", line: 2 })
    })
  )
})

describe("AcpClient, gates", () => {
  const sessionId = "s"
  const image: Acp.ContentBlock = { type: "image", data: "", mimeType: "image/png" }
  const audio: Acp.ContentBlock = { type: "audio", data: "", mimeType: "audio/wav" }
  const resource: Acp.ContentBlock = { type: "resource", resource: { uri: "file:///a", text: "" } }
  const append: Acp.SystemPrompt = { mode: "append", content: [text("x")] }

  const gated: ReadonlyArray<
    readonly [capability: string, call: (client: AcpClient.AcpClient) => Effect.Effect<unknown, RequestFailure>]
  > = [
    ["loadSession", (client) => client.loadSession({ ...session, sessionId })],
    ["sessionCapabilities.resume", (client) => client.resumeSession({ ...session, sessionId })],
    ["sessionCapabilities.fork", (client) => client.forkSession({ ...session, sessionId })],
    ["sessionCapabilities.list", (client) => client.listSessions({})],
    ["sessionCapabilities.close", (client) => client.closeSession({ sessionId })],
    ["sessionCapabilities.delete", (client) => client.deleteSession({ sessionId })],
    ["sessionCapabilities.archive", (client) => client.archiveSession({ sessionId })],
    ["sessionCapabilities.archive", (client) => client.unarchiveSession({ sessionId })],
    ["sessionCapabilities.status", (client) => client.sessionStatus({ sessionId })],
    ["sessionCapabilities.title", (client) => client.setTitle({ sessionId, title: "t" })],
    ["auth.logout", (client) => client.logout({})],
    ["auth.status", (client) => client.authStatus({})],
    ["providers", (client) => client.listProviders({})],
    ["providers", (client) => client.setProvider({ providerId: "p", apiType: "openai", baseUrl: "https://x" })],
    ["providers", (client) => client.disableProvider({ providerId: "p" })],
    ["promptCapabilities.image", (client) => client.prompt({ sessionId, prompt: [text("a"), image] })],
    ["promptCapabilities.audio", (client) => client.prompt({ sessionId, prompt: [audio] })],
    ["promptCapabilities.embeddedContext", (client) => client.prompt({ sessionId, prompt: [resource] })],
    [
      "sessionCapabilities.additionalDirectories",
      (client) => client.newSession({ ...session, additionalDirectories: ["/other"] })
    ],
    ["sessionCapabilities.systemPrompt", (client) => client.newSession({ ...session, systemPrompt: append })],
    [
      "mcpCapabilities.http",
      (client) =>
        client.newSession({ ...session, mcpServers: [{ type: "http", name: "m", url: "http://x", headers: [] }] })
    ],
    [
      "mcpCapabilities.sse",
      (client) =>
        client.newSession({ ...session, mcpServers: [{ type: "sse", name: "m", url: "http://x", headers: [] }] })
    ],
    [
      "mcpCapabilities.acp",
      (client) => client.newSession({ ...session, mcpServers: [{ type: "acp", name: "m", serverId: "1" }] })
    ]
  ]

  it.effect("[25][26] what the agent does not offer is refused here and never sent", () =>
    Effect.gen(function* () {
      const { client, initialize, other } = yield* connect()
      yield* initialize({ protocolVersion: 1, agentCapabilities: { sessionCapabilities: { list: null } } })
      for (const [capability, call] of gated) {
        const error = yield* Effect.flip(call(client))
        assert.deepInclude(error, { _tag: "CapabilityMissing", capability })
      }
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("what it offers is sent", () =>
    Effect.gen(function* () {
      const { answered, client, initialize } = yield* connect()
      yield* initialize({ protocolVersion: 1, agentCapabilities: everything })
      for (const [, call] of gated) {
        const { message } = yield* answered(Effect.exit(call(client)), null)
        assert.isString(message.method)
      }
    })
  )

  it.effect("[26] finer grained needs: overriding the system prompt, filtering by archived", () =>
    Effect.gen(function* () {
      const { client, initialize } = yield* connect()
      yield* initialize({
        protocolVersion: 1,
        agentCapabilities: { sessionCapabilities: { systemPrompt: {}, list: {} } }
      })
      const override = yield* Effect.flip(
        client.newSession({ ...session, systemPrompt: { mode: "override", content: [text("x")] } })
      )
      assert.deepInclude(override, { capability: "sessionCapabilities.systemPrompt.mode.override" })
      const archived = yield* Effect.flip(client.listSessions({ archived: "only" }))
      assert.deepInclude(archived, { capability: "sessionCapabilities.archive" })
    })
  )

  it.effect("[40] a relative working directory is refused; every absolute kind passes", () =>
    Effect.gen(function* () {
      const { answered, client, initialize } = yield* connect()
      yield* initialize({ protocolVersion: 1 })
      for (const cwd of ["project", "./x", "", "C:x"]) {
        const error = yield* Effect.flip(client.newSession({ ...session, cwd }))
        assert.strictEqual(error._tag, "InvalidRequest")
      }
      for (const cwd of ["/", "C:\\x", "C:/x", "\\\\host\\share"]) {
        yield* answered(client.newSession({ ...session, cwd }), { sessionId: "s" })
      }
    })
  )

  it.effect("[33] authenticates by offered methods only, and never by one that wants a terminal", () =>
    Effect.gen(function* () {
      const { answered, client, initialize } = yield* connect()
      yield* initialize({
        protocolVersion: 1,
        authMethods: [
          { id: "login", name: "Log in" },
          { id: "tty", name: "TTY", type: "terminal" }
        ]
      })
      for (const methodId of ["tty", "other"]) {
        assert.strictEqual((yield* Effect.flip(client.authenticate({ methodId })))._tag, "InvalidRequest")
      }
      const { value } = yield* answered(client.authenticate({ methodId: "login" }), null)
      assert.deepStrictEqual(value, {})
    })
  )
})

describe("AcpClient, results", () => {
  it.effect("[43] null stands for an empty result", () =>
    Effect.gen(function* () {
      const { answered, client, initialize } = yield* connect()
      yield* initialize({ protocolVersion: 1, agentCapabilities: everything })
      const at = { sessionId: "s" }
      assert.deepStrictEqual((yield* answered(client.loadSession({ ...session, ...at }), null)).value, {})
      assert.deepStrictEqual((yield* answered(client.resumeSession({ ...session, ...at }), null)).value, {})
      assert.deepStrictEqual((yield* answered(client.setMode({ ...at, modeId: "m" }), null)).value, {})
      assert.deepStrictEqual((yield* answered(client.setModel({ ...at, modelId: "m" }), null)).value, {})
    })
  )

  it.effect("a result without what it must have is a malformed result, kept whole", () =>
    Effect.gen(function* () {
      const { answered, client, initialize } = yield* connect()
      yield* initialize({ protocolVersion: 1 })
      const { value: error } = yield* answered(Effect.flip(client.newSession(session)), { session: "s" })
      assert.deepInclude(error, { _tag: "MalformedResult", method: "session/new" })
      assert.deepStrictEqual("result" in error ? error.result : undefined, { session: "s" })
    })
  )

  it.effect("[109] a boolean option is set with its type, another without", () =>
    Effect.gen(function* () {
      const { answered, client, initialize } = yield* connect()
      yield* initialize({ protocolVersion: 1 })
      const option = { id: "fast", name: "Fast", type: "boolean", currentValue: true }
      const toggle = { sessionId: "s", configId: "fast", type: "boolean", value: true } as const
      const { message, value } = yield* answered(client.setConfigOption(toggle), { configOptions: [option] })
      assert.deepStrictEqual(message.params, toggle)
      assert.deepStrictEqual<ReadonlyArray<unknown>>(value.configOptions, [option])
      const select = { sessionId: "s", configId: "model", value: "m2" }
      const second = yield* answered(client.setConfigOption(select), { configOptions: [] })
      assert.deepStrictEqual(second.message.params, select)
    })
  )

  it.effect("[12][73] the turn is closed at its response: updates before it are in, those after it are late", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const late = yield* Deferred.make<void>()
      const { client, initialize, other } = yield* connect({
        onUpdates: (batch) =>
          Effect.gen(function* () {
            for (const update of batch) seen.push(update._tag === "Known" ? update.update.sessionUpdate : "?")
            if (seen.includes("plan")) yield* Deferred.succeed(late, undefined)
          })
      })
      yield* initialize({ protocolVersion: 1 })
      const prompt = client.prompt(
        { sessionId: "s", prompt: [text("hi")] },
        { onResponse: (_, line) => Effect.sync(() => seen.push(`closed at ${line}`)) }
      )
      const fiber = yield* start(prompt)
      const { id } = yield* other.next
      const chunk = update("s", { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "a" } })
      yield* other.send(
        chunk,
        chunk,
        result(id, { stopReason: "end_turn", usage: "malformed" }),
        update("s", { sessionUpdate: "plan", entries: [] })
      )
      assert.deepStrictEqual(yield* Fiber.join(fiber), { stopReason: "end_turn" })
      yield* Deferred.await(late)
      assert.deepStrictEqual(seen, ["agent_message_chunk", "agent_message_chunk", "closed at 6", "plan"])
    })
  )

  it.effect("[75] interrupting a prompt sends nothing: stopping is what cancel is for", () =>
    Effect.gen(function* () {
      const { client, initialize, other } = yield* connect()
      yield* initialize({ protocolVersion: 1 })
      const fiber = yield* start(client.prompt({ sessionId: "s", prompt: [text("hi")] }))
      yield* other.next
      yield* Fiber.interrupt(fiber)
      yield* client.cancel({ sessionId: "s" })
      assert.deepStrictEqual(yield* other.next, {
        jsonrpc: "2.0",
        method: "session/cancel",
        params: { sessionId: "s" }
      })
    })
  )
})

describe("AcpClient, updates", () => {
  it.effect("[66][67] what cannot be understood is handed over raw, with its reason, among the rest", () =>
    Effect.gen(function* () {
      const { issues, other, updates } = yield* connect()
      const future = { sessionUpdate: "hologram", data: [1] }
      yield* other.send(
        update("s", future),
        update("s", { sessionUpdate: "agent_message_chunk", content: { type: "smell" } }),
        update(7, { sessionUpdate: "plan", entries: [] }),
        update("s", "what"),
        notification("session/update", null),
        update("s", { sessionUpdate: "plan", entries: [1], note: "unknown field" })
      )
      assert.deepStrictEqual(yield* Queue.take(updates), {
        _tag: "Unknown",
        sessionId: "s",
        kind: "hologram",
        raw: future,
        reason: "Unknown kind of update",
        line: 1
      })
      assert.deepInclude(yield* Queue.take(updates), { _tag: "Unknown", kind: "agent_message_chunk", line: 2 })
      assert.deepInclude(yield* Queue.take(updates), { _tag: "Unknown", sessionId: undefined, kind: "plan" })
      assert.deepInclude(yield* Queue.take(updates), { _tag: "Unknown", sessionId: "s", kind: undefined })
      assert.deepInclude(yield* Queue.take(updates), { _tag: "Unknown", sessionId: undefined, raw: null })
      const plan = { sessionUpdate: "plan", entries: [] }
      assert.deepStrictEqual<unknown>(yield* Queue.take(updates), {
        _tag: "Known",
        sessionId: "s",
        update: plan,
        raw: { sessionUpdate: "plan", entries: [1], note: "unknown field" },
        line: 6
      })
      assert.deepInclude(yield* Queue.take(issues), { _tag: "Dropped", method: "session/update", line: 6 })
    })
  )

  it.effect("[112] a mode update in the documentation's spelling is understood", () =>
    Effect.gen(function* () {
      const { other, updates } = yield* connect()
      yield* other.send(update("s", { sessionUpdate: "current_mode_update", modeId: "plan" }))
      assert.deepInclude(yield* Queue.take(updates), {
        update: { sessionUpdate: "current_mode_update", currentModeId: "plan" }
      })
    })
  )

  it.effect("notifications of other kinds keep their place between the updates", () =>
    Effect.gen(function* () {
      const seen = yield* Queue.unbounded<string>()
      const { other } = yield* connect({
        onUpdates: (batch) => Effect.asVoid(Queue.offer(seen, `${batch.length} updates`)),
        extNotification: ({ method }) => Effect.asVoid(Queue.offer(seen, method)),
        elicitation: {
          modes: ["url"],
          create: () => Effect.never,
          onComplete: ({ elicitationId }) => Effect.asVoid(Queue.offer(seen, elicitationId))
        }
      })
      const plan = update("s", { sessionUpdate: "plan", entries: [] })
      const visit = { mode: "url", message: "m", sessionId: "s", elicitationId: "e", url: "https://x" }
      yield* other.send(request(1, "elicitation/create", visit), plan, plan, notification("cursor/task", {}), plan)
      yield* other.send(notification("elicitation/complete", { elicitationId: "e" }), plan)
      const order: Array<string> = []
      for (let i = 0; i < 5; i++) order.push(yield* Queue.take(seen))
      assert.deepStrictEqual(order, ["2 updates", "cursor/task", "1 updates", "e", "1 updates"])
    })
  )
})

describe("AcpClient, answering", () => {
  const permission = {
    sessionId: "s",
    toolCall: { toolCallId: "t" },
    options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }]
  }

  it.effect("[87] answers a permission with an offered option, and never with another", () =>
    Effect.gen(function* () {
      let optionId = "yes"
      const { other } = yield* connect({
        requestPermission: () => Effect.succeed({ outcome: { outcome: "selected", optionId } })
      })
      yield* other.send(request(0, "session/request_permission", permission))
      assert.deepStrictEqual((yield* other.next).result, { outcome: { outcome: "selected", optionId: "yes" } })
      optionId = "allow_once"
      yield* other.send(request(1, "session/request_permission", permission))
      assert.strictEqual((yield* other.next).error?.code, ErrorCode.InternalError)
    })
  )

  it.effect("[93] a path that is not absolute is invalid, and no handler hears of it", () =>
    Effect.gen(function* () {
      const heard: Array<unknown> = []
      const hear =
        <A>(answer: A) =>
        (params: unknown) =>
          Effect.sync(() => (heard.push(params), answer))
      const { other } = yield* connect({
        readTextFile: hear({ content: "" }),
        writeTextFile: hear({}),
        terminal: {
          create: hear({ terminalId: "t" }),
          output: hear({ output: "", truncated: false }),
          waitForExit: hear({}),
          kill: hear({}),
          release: hear({})
        }
      })
      const relative = [
        request("read", "fs/read_text_file", { sessionId: "s", path: "notes.md" }),
        request("write", "fs/write_text_file", { sessionId: "s", path: "../notes.md", content: "" }),
        request("run", "terminal/create", { sessionId: "s", command: "ls", cwd: "." })
      ]
      yield* other.send(...relative)
      for (const { id } of relative) {
        const { error, ...message } = yield* other.next
        assert.deepStrictEqual([message.id, error?.code], [id, ErrorCode.InvalidParams])
      }
      assert.deepStrictEqual(heard, [])
      yield* other.send(request("there", "terminal/create", { sessionId: "s", command: "ls" }))
      assert.deepStrictEqual((yield* other.next).result, { terminalId: "t" })
    })
  )

  it.effect("an option of an unknown kind is kept as it is, and can be chosen", () =>
    Effect.gen(function* () {
      const kinds: Array<string> = []
      const { other } = yield* connect({
        requestPermission: ({ options }) =>
          Effect.sync(() => {
            for (const { kind } of options) kinds.push(kind)
            return { outcome: { outcome: "selected", optionId: "later" } }
          })
      })
      const options = [...permission.options, { optionId: "later", name: "Ask me later", kind: "defer_once" }]
      yield* other.send(request(0, "session/request_permission", { ...permission, options }))
      assert.deepStrictEqual((yield* other.next).result, { outcome: { outcome: "selected", optionId: "later" } })
      assert.deepStrictEqual(kinds, ["allow_once", "defer_once"])
    })
  )

  it.effect("[89] several permissions at once are answered in any order", () =>
    Effect.gen(function* () {
      const asked = yield* Queue.unbounded<Deferred.Deferred<void>>()
      const { other } = yield* connect({
        requestPermission: () =>
          Effect.gen(function* () {
            const decided = yield* Deferred.make<void>()
            yield* Queue.offer(asked, decided)
            yield* Deferred.await(decided)
            return { outcome: { outcome: "selected", optionId: "yes" } }
          })
      })
      yield* other.send(
        request("a", "session/request_permission", permission),
        request("b", "session/request_permission", permission)
      )
      const [first, second] = [yield* Queue.take(asked), yield* Queue.take(asked)]
      yield* Deferred.succeed(second, undefined)
      assert.strictEqual((yield* other.next).id, "b")
      yield* Deferred.succeed(first, undefined)
      assert.strictEqual((yield* other.next).id, "a")
    })
  )

  it.effect(
    "[10][11][27][103] a method without a handler is not found, bad parameters are invalid, extensions are passed on",
    () =>
      Effect.gen(function* () {
        const { other } = yield* connect({
          readTextFile: ({ path }) =>
            path === "/missing"
              ? Effect.fail(new RpcError({ code: ErrorCode.ResourceNotFound, message: "No such file", data: { path } }))
              : Effect.succeed({ content: path }),
          elicitation: { modes: ["form"], create: () => Effect.succeed({ action: "decline" }) },
          extRequest: (method, params) => Effect.succeed({ method, params })
        })
        const ask = Effect.fnUntraced(function* (method: string, params: unknown) {
          yield* other.send(request(method, method, params))
          return yield* other.next
        })
        assert.strictEqual((yield* ask("terminal/create", { sessionId: "s", command: "ls" })).error?.code, -32601)
        assert.strictEqual((yield* ask("fs/write_text_file", {})).error?.code, -32601)
        const invalid = yield* ask("fs/read_text_file", { sessionId: "s" })
        assert.strictEqual(invalid.error?.code, -32602)
        assert.include(invalid.error?.message, "path")
        assert.deepStrictEqual((yield* ask("fs/read_text_file", { sessionId: "s", path: "/a" })).result, {
          content: "/a"
        })
        assert.deepStrictEqual((yield* ask("fs/read_text_file", { sessionId: "s", path: "/missing" })).error, {
          code: -32002,
          message: "No such file",
          data: { path: "/missing" }
        })
        const url = { mode: "url", message: "m", sessionId: "s", elicitationId: "e", url: "https://x" }
        assert.strictEqual((yield* ask("elicitation/create", url)).error?.code, -32602)
        const form = { mode: "form", message: "m", sessionId: "s", requestedSchema: { type: "object", properties: {} } }
        assert.deepStrictEqual((yield* ask("elicitation/create", form)).result, { action: "decline" })
        assert.deepStrictEqual((yield* ask("cursor/ask_question", { q: 1 })).result, {
          method: "cursor/ask_question",
          params: { q: 1 }
        })
      })
  )

  it.effect(
    "[11] without a handler for extensions an unknown request is not found and an unknown notification ignored",
    () =>
      Effect.gen(function* () {
        const { other } = yield* connect()
        yield* other.send(notification("cursor/unknown", {}), notification("$/progress", {}), request(1, "cursor/x"))
        assert.deepInclude(yield* other.next, { id: 1 })
        assert.strictEqual(yield* other.waiting, 0)
      })
  )
})
