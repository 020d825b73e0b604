import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type * as Acp from "../src/AcpSchema.ts"
import { ErrorCode } from "../src/JsonRpc.ts"
import * as SessionList from "../src/SessionList.ts"
import { connect, connected, everything, session, start, text, update } from "./ClientSide.ts"
import { request, result } from "./OtherSide.ts"

const sessionId = "s"
const said = (words: string) => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: words } })

describe("AcpClient, opening a session", () => {
  it.effect("[40] a new session has a working directory and its servers, none if there are none", () =>
    Effect.gen(function* () {
      const { answered, client } = yield* connected()
      const { message } = yield* answered(client.newSession({ cwd: "/project", mcpServers: [] }), { sessionId })
      assert.deepStrictEqual(message.params, { cwd: "/project", mcpServers: [] })
    })
  )

  it.effect("[41] a server of stdio has an absolute command and no type; others keep theirs", () =>
    Effect.gen(function* () {
      const { answered, client, other } = yield* connected()
      const stdio = { name: "files", command: "/bin/files", args: [], env: [{ name: "A", value: "1" }] }
      const http: Acp.McpServer = { type: "http", name: "web", url: "http://x", headers: [] }
      // As configurations have it.
      const configured: Acp.McpServer = JSON.parse(JSON.stringify({ ...stdio, type: "stdio" }))
      const { message } = yield* answered(client.newSession({ cwd: "/p", mcpServers: [configured, http] }), {
        sessionId
      })
      assert.deepStrictEqual(message.params, { cwd: "/p", mcpServers: [stdio, http] })
      const relative = client.newSession({ cwd: "/p", mcpServers: [{ ...stdio, command: "files" }] })
      const error = yield* Effect.flip(relative)
      assert.strictEqual(error._tag, "InvalidRequest")
      assert.include(error.message, "files")
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("[42] what is said of a session is handed over before the answer that opens it, unknown id or not", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const { client, initialize, other } = yield* connect({
        onUpdates: (batch) => Effect.sync(() => order.push(...batch.map((each) => `${each.sessionId} ${each.line}`)))
      })
      yield* initialize({ protocolVersion: 1, agentCapabilities: everything })
      const opened = (exit: Exit.Exit<unknown, unknown>) =>
        Effect.sync(() => order.push(Exit.isSuccess(exit) ? "open" : "failed"))
      const load = yield* start(client.loadSession({ ...session, sessionId }, { onResponse: opened }))
      yield* other.send(
        update(sessionId, said("a")),
        update(sessionId, said("b")),
        result((yield* other.next).id, null)
      )
      yield* Fiber.join(load)
      const create = yield* start(client.newSession(session, { onResponse: opened }))
      yield* other.send(update("new", said("c")), result((yield* other.next).id, { sessionId: "new" }))
      yield* Fiber.join(create)
      assert.deepStrictEqual(order, ["s 4", "s 5", "open", "new 8", "open"])
    })
  )

  it.effect("[43] a loaded session may answer with everything, and its old models are read too", () =>
    Effect.gen(function* () {
      const { answered, client } = yield* connected()
      const whole = {
        modes: { currentModeId: "code", availableModes: [{ id: "code", name: "Code" }] },
        configOptions: [],
        models: { currentModelId: "m", availableModels: [{ modelId: "m", name: "M" }, { modelId: "n" }] }
      }
      const load = client.loadSession({ ...session, sessionId })
      assert.deepStrictEqual((yield* answered(load, whole)).value, whole)
      assert.deepStrictEqual((yield* answered(load, {})).value, {})
      // Models that can't be read are not there; they are no part of the protocol.
      assert.deepStrictEqual((yield* answered(load, { models: { availableModels: "all" } })).value, {})
    })
  )

  it.effect("[47] additional directories are absolute, each is sent once, and none is the working directory", () =>
    Effect.gen(function* () {
      const { answered, client, other } = yield* connected()
      for (const wrong of ["", "lib", "./lib"]) {
        const call = client.newSession({ ...session, additionalDirectories: ["/lib", wrong] })
        assert.strictEqual((yield* Effect.flip(call))._tag, "InvalidRequest")
      }
      assert.strictEqual(yield* other.waiting, 0)
      const setup = { ...session, additionalDirectories: ["/lib", "/project", "/lib", "/lib/nested"] }
      const sent = [
        yield* answered(client.newSession(setup), { sessionId }),
        yield* answered(client.loadSession({ ...setup, sessionId }), null),
        yield* answered(client.resumeSession({ ...setup, sessionId }), null),
        yield* answered(client.forkSession({ ...setup, sessionId }), { sessionId: "f" })
      ]
      for (const { message } of sent) {
        assert.deepInclude(message.params, { cwd: "/project", additionalDirectories: ["/lib", "/lib/nested"] })
      }
    })
  )

  it.effect("[55] a system prompt is text, at least one block of it", () =>
    Effect.gen(function* () {
      const { answered, client, other } = yield* connected()
      const image: Acp.ContentBlock = { type: "image", data: "", mimeType: "image/png" }
      for (const content of [[], [text("a"), image]]) {
        const call = client.newSession({ ...session, systemPrompt: { mode: "append", content } })
        assert.strictEqual((yield* Effect.flip(call))._tag, "InvalidRequest")
      }
      assert.strictEqual(yield* other.waiting, 0)
      const systemPrompt = { mode: "override", content: [text("Be brief")] }
      const { message } = yield* answered(client.loadSession({ ...session, sessionId, systemPrompt }), null)
      assert.deepInclude(message.params, { systemPrompt })
    })
  )

  it.effect("[53] a fork has an id of its own, and the session that it came from goes on", () =>
    Effect.gen(function* () {
      const { answered, client } = yield* connected()
      const fork = yield* answered(client.forkSession({ ...session, sessionId }), { sessionId: "fork" })
      assert.strictEqual(fork.value.sessionId, "fork")
      for (const id of [sessionId, "fork"]) {
        const turn = client.prompt({ sessionId: id, prompt: [text("go on")] })
        const { message } = yield* answered(turn, { stopReason: "end_turn" })
        assert.deepInclude(message.params, { sessionId: id })
      }
    })
  )
})

describe("AcpClient, the sessions that there are", () => {
  const page = (ids: ReadonlyArray<string>, nextCursor?: string | null) => ({
    sessions: ids.map((id) => ({ sessionId: id, cwd: "/" })),
    ...(nextCursor !== undefined && { nextCursor })
  })

  it.effect("[48] all pages are read, empty ones too, with the same filter and the cursor as it came", () =>
    Effect.gen(function* () {
      const { client, other } = yield* connected()
      const all = yield* start(Stream.runCollect(SessionList.all(client, { cwd: "/", archived: "include" })))
      const params: Array<unknown> = []
      for (const answer of [page(["a"], "{odd}=="), page([], ""), page(["b", "c"], null)]) {
        const message = yield* other.next
        params.push(message.params)
        yield* other.send(result(message.id, answer))
      }
      assert.deepStrictEqual(
        (yield* Fiber.join(all)).map((each) => each.sessionId),
        ["a", "b", "c"]
      )
      const filter = { cwd: "/", archived: "include" }
      assert.deepStrictEqual(params, [filter, { ...filter, cursor: "{odd}==" }, { ...filter, cursor: "" }])
    })
  )

  it.effect("[48] pages that go in circles end, and nobody asks for a page that is not wanted", () =>
    Effect.gen(function* () {
      const { client, other } = yield* connected()
      const all = yield* start(Stream.runCollect(SessionList.all(client)))
      for (const cursor of ["x", "y", "x"]) yield* other.send(result((yield* other.next).id, page([cursor], cursor)))
      assert.strictEqual((yield* Fiber.join(all)).length, 3)
      const first = yield* start(Stream.runCollect(Stream.take(SessionList.all(client), 1)))
      yield* other.send(result((yield* other.next).id, page(["a"], "more")))
      assert.strictEqual((yield* Fiber.join(first)).length, 1)
      assert.strictEqual(yield* other.waiting, 0)
    })
  )

  it.effect("[49] closing or deleting what is not there is done; another error is one", () =>
    Effect.gen(function* () {
      const { client, failed } = yield* connected()
      for (const call of [client.closeSession({ sessionId }), client.deleteSession({ sessionId })]) {
        assert.deepStrictEqual(yield* failed(call, ErrorCode.ResourceNotFound), Exit.succeed({}))
        assert.isTrue(Exit.isFailure(yield* failed(call, ErrorCode.InternalError)))
      }
      const archive = client.archiveSession({ sessionId })
      assert.isTrue(Exit.isFailure(yield* failed(archive, ErrorCode.ResourceNotFound)))
    })
  )

  it.effect("[54] a status that is not known means saved, and the title in the answer counts", () =>
    Effect.gen(function* () {
      const { answered, client } = yield* connected()
      const at = { sessionId }
      for (const [status, means] of [
        ["open", "open"],
        ["saved", "saved"],
        ["hibernating", "saved"]
      ] as const) {
        assert.deepStrictEqual((yield* answered(client.sessionStatus(at), { status })).value, { status: means })
      }
      const title = yield* answered(client.setTitle({ ...at, title: "  Mine " }), { title: "Mine" })
      assert.deepStrictEqual(title.value, { title: "Mine" })
      assert.strictEqual((yield* answered(client.archiveSession(at), null)).message.method, "session/archive")
      assert.strictEqual((yield* answered(client.unarchiveSession(at), null)).message.method, "session/unarchive")
    })
  )

  it.effect("[50][81] closing a session takes back what is asked in it, and in no other", () =>
    Effect.gen(function* () {
      const asked = yield* Queue.unbounded<string>()
      const { client, initialize, other } = yield* connect({
        requestPermission: (params) => Effect.andThen(Queue.offer(asked, params.sessionId), Effect.never),
        elicitation: { modes: ["form"], create: () => Effect.andThen(Queue.offer(asked, "form"), Effect.never) }
      })
      yield* initialize({ protocolVersion: 1, agentCapabilities: everything })
      const permission = (id: string) => ({
        sessionId: id,
        toolCall: { toolCallId: "t" },
        options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }]
      })
      const form = { mode: "form", message: "m", sessionId, requestedSchema: { type: "object", properties: {} } }
      yield* other.send(
        request("mine", "session/request_permission", permission(sessionId)),
        request("form", "elicitation/create", form),
        request("other", "session/request_permission", permission("other"))
      )
      for (let i = 0; i < 3; i++) yield* Queue.take(asked)
      const closing = yield* start(client.closeSession({ sessionId }))
      const answers = [yield* other.next, yield* other.next, yield* other.next]
      const close = answers.find(({ method }) => method === "session/close")
      assert.deepInclude(answers, result("mine", { outcome: { outcome: "cancelled" } }))
      assert.deepInclude(answers, result("form", { action: "cancel" }))
      yield* other.send(result(close?.id, null))
      yield* Fiber.join(closing)
      assert.strictEqual(yield* other.waiting, 0)
      // It may be opened again, and then people are asked again: what was asked later is answered first.
      yield* other.send(request("again", "session/request_permission", permission(sessionId)))
      assert.strictEqual(yield* Queue.take(asked), sessionId)
      yield* other.send(request("later", "_x"))
      assert.strictEqual((yield* other.next).id, "later")
    })
  )

  it.effect("[51] what is omitted of a session's facts is distinguished from what is taken back", () =>
    Effect.gen(function* () {
      const { other, updates } = yield* connected()
      const info = { sessionUpdate: "session_info_update" } as const
      yield* other.send(update(sessionId, info), update(sessionId, { ...info, title: null, updatedAt: "soon" }))
      const [omitted, taken] = [yield* Queue.take(updates), yield* Queue.take(updates)]
      assert.deepStrictEqual(omitted._tag === "Known" && omitted.update, info)
      assert.deepStrictEqual(taken._tag === "Known" && taken.update, { ...info, title: null, updatedAt: "soon" })
    })
  )

  it.effect("[106] a login or a new session may ask for something before there is a session", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<Acp.CreateElicitationRequest>()
      const { client, initialize, other } = yield* connect({
        elicitation: {
          modes: ["form"],
          create: (params) => Effect.as(Deferred.succeed(asked, params), { action: "accept", content: { code: "123" } })
        }
      })
      yield* initialize({ protocolVersion: 1, authMethods: [{ id: "login", name: "Log in" }] })
      const login = yield* start(client.authenticate({ methodId: "login" }))
      const { id } = yield* other.next
      const requestedSchema = { type: "object", properties: { code: { type: "string" } } }
      const form = { mode: "form", message: "The code", requestId: id, requestedSchema }
      yield* other.send(request("q", "elicitation/create", form))
      assert.deepStrictEqual<unknown>(yield* Deferred.await(asked), form)
      assert.deepStrictEqual(yield* other.next, result("q", { action: "accept", content: { code: "123" } }))
      yield* other.send(result(id, {}))
      yield* Fiber.join(login)
    })
  )
})
