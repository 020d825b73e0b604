/** `signalbox acp` with an editor on the official SDK: turns, requests, sessions, while a page has the same threads. */
import * as acp from "@agentclientprotocol/sdk"
import { assert, describe, it } from "@effect/vitest"
import { optionOf } from "@signalbox/contracts/AgentRequest"
import { ThreadId } from "@signalbox/contracts/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { call, change } from "../support/ScriptedAgent.ts"
import { served } from "../support/ServedThreads.ts"
import * as SdkEditor from "./support/SdkEditor.ts"
import { temporaryFolder } from "./support/Signalbox.ts"

const { session } = acp.methods.agent

const permission = {
  toolCall: { toolCallId: "t", title: "Run it", kind: "execute", status: "pending", rawInput: { command: "make" } },
  options: [
    { optionId: "yes", name: "Allow", kind: "allow_once" },
    { optionId: "no", name: "Reject", kind: "reject_once" }
  ]
}

/** A server with a page, and an editor with a session. */
const stage = Effect.fnUntraced(function* (capabilities: acp.ClientCapabilities = { session: { notices: {} } }) {
  const state = SdkEditor.stateWithScripts()
  const page = yield* served(state)
  const editor = yield* SdkEditor.start(state, { capabilities })
  const cwd = temporaryFolder("project")
  const { sessionId } = yield* editor.newSession(cwd)
  const threadId = ThreadId.make(sessionId)
  return { state, page, editor, cwd, sessionId, threadId, watcher: yield* page.watch(threadId) }
})

describe("signalbox acp", () => {
  it.live("gives an editor all that the agent does in its turn, as the page has it", () =>
    Effect.gen(function* () {
      const { cwd, editor, sessionId, watcher } = yield* stage()
      const path = join(cwd, "a.txt")
      const diff: acp.ToolCallContent = { type: "diff", path, oldText: null, newText: "new\n" }
      const turn = yield* Effect.forkScoped(
        editor.prompt(
          sessionId,
          { thought: "Hm. " },
          { text: "I " },
          { text: "write." },
          call("w", { kind: "edit", status: "in_progress", locations: [{ path, line: 3 }] }),
          { waitForFile: "go" },
          change("w", { status: "completed", content: [diff] }),
          { text: "Done." },
          { update: { sessionUpdate: "plan", entries: [{ content: "All", priority: "high", status: "completed" }] } },
          { update: { sessionUpdate: "usage_update", used: 10, size: 100 } },
          {
            update: {
              sessionUpdate: "available_commands_update",
              availableCommands: [{ name: "go", description: "Go" }]
            }
          },
          { update: { sessionUpdate: "session_info_update", title: "A title" } },
          { stop: "max_tokens" }
        )
      )
      yield* editor.until(({ updates }) => SdkEditor.ofKind(updates, "tool_call").length === 1)
      writeFileSync(join(cwd, "go"), "")
      assert.strictEqual((yield* Fiber.join(turn)).stopReason, "max_tokens")
      const { updates } = editor
      assert.strictEqual(SdkEditor.textsOf(updates, "agent_thought_chunk"), "Hm. ")
      assert.strictEqual(SdkEditor.textOf(updates), "I write.Done.")
      assert.strictEqual(SdkEditor.textsOf(updates, "user_message_chunk"), "", "the editor shows its own prompt")
      const [announced] = SdkEditor.ofKind(updates, "tool_call")
      const last = SdkEditor.ofKind(updates, "tool_call_update").at(-1)
      assert.deepInclude(announced, { title: "w", kind: "edit", locations: [{ path, line: 3 }] })
      assert.deepInclude(last, { toolCallId: announced?.toolCallId ?? "", status: "completed", content: [diff] })
      assert.deepStrictEqual(SdkEditor.ofKind(updates, "plan").at(-1)?.entries, [
        { content: "All", priority: "high", status: "completed" }
      ])
      assert.include(SdkEditor.ofKind(updates, "usage_update").at(-1), { used: 10, size: 100 })
      assert.deepStrictEqual(SdkEditor.ofKind(updates, "available_commands_update").at(-1)?.availableCommands, [
        { name: "go", description: "Go" }
      ])
      assert.strictEqual(SdkEditor.ofKind(updates, "session_info_update").at(-1)?.title, "A title")

      const view = yield* watcher.until(({ turns }) => turns.at(-1)?.status === "limited")
      const said = view.items.flatMap((item) => (item.type === "message" ? [item.text] : []))
      assert.strictEqual(said.join(""), SdkEditor.textOf(updates))
      assert.deepInclude(view, { title: "A title", cwd })
    }).pipe(Effect.scoped)
  )

  it.live("says nothing but the protocol, and ends when its editor has left, while the turn goes on", () =>
    Effect.gen(function* () {
      const { cwd, editor, page, sessionId, state, watcher } = yield* stage()
      yield* Effect.forkScoped(editor.prompt(sessionId, { text: "begun" }, { waitForFile: "go" }, { text: ", done" }))
      yield* editor.until(({ updates }) => SdkEditor.textOf(updates) === "begun")
      editor.stdin.end()
      const { code, stdout } = yield* editor.ended
      assert.strictEqual(code, 0)
      const lines = stdout.trimEnd().split("\n")
      assert.isTrue(lines.every((line) => JSON.parse(line).jsonrpc === "2.0"))
      writeFileSync(join(cwd, "go"), "")
      yield* watcher.until(({ turns }) => turns.at(-1)?.status === "completed")

      // Another editor gets all of it, and goes on.
      const other = yield* SdkEditor.start(state)
      yield* other.request((agent) => agent.request(session.load, { sessionId, cwd, mcpServers: [] }))
      assert.strictEqual(SdkEditor.textOf(other.updates), "begun, done")
      assert.include(SdkEditor.textsOf(other.updates, "user_message_chunk"), "waitForFile")
      yield* other.prompt(sessionId, { text: ", again" })
      assert.strictEqual(SdkEditor.textOf(other.updates), "begun, done, again")
      assert.isDefined(page)
    }).pipe(Effect.scoped)
  )

  it.live("stops its turn, and says so", () =>
    Effect.gen(function* () {
      const { editor, sessionId } = yield* stage()
      const turn = yield* Effect.forkScoped(editor.prompt(sessionId, { text: "begun" }, { waitForCancel: true }))
      yield* editor.until(({ updates }) => SdkEditor.textOf(updates) === "begun")
      yield* editor.request((agent) => agent.notify(session.cancel, { sessionId }))
      assert.strictEqual((yield* Fiber.join(turn)).stopReason, "cancelled")
    }).pipe(Effect.scoped)
  )

  it.live(
    "asks editor and page: where the page answers first, the editor's question is withdrawn, and its late answer is reported",
    () =>
      Effect.gen(function* () {
        const { editor, page, sessionId, threadId, watcher } = yield* stage()
        const turn = yield* Effect.forkScoped(editor.prompt(sessionId, { permission }, { text: ". End" }))
        yield* editor.until(({ asked }) => asked.length === 1)
        const { requests } = yield* watcher.until((view) => view.requests.length === 1)
        const [asked] = editor.asked
        assert.deepStrictEqual(asked?.params.options, permission.options)
        assert.deepInclude(asked?.params.toolCall, { title: "Run it", kind: "execute", rawInput: { command: "make" } })
        const request = requests[0]?.request
        assert.isTrue(request?.type === "approval")
        if (request?.type !== "approval") return
        yield* page.send(threadId, {
          type: "request.respond",
          requestId: request.requestId,
          response: optionOf(request, "no")
        })
        yield* Effect.promise(() => asked?.withdrawn ?? Promise.reject(new Error("not asked")))
        asked?.answer("yes")
        yield* Fiber.join(turn)
        assert.strictEqual(SdkEditor.textOf(editor.updates), "permission no. End")
        yield* editor.until(({ updates }) =>
          SdkEditor.ofKind(updates, "notice").some(({ title }) => title.includes("This answer came too late"))
        )
        yield* editor.says(/signalbox acp: This answer came too late: the request had been answered elsewhere/)
      }).pipe(Effect.scoped)
  )

  it.live(
    "tells the editor which request only a person may allow: it may be another Signalbox with rules of its own",
    () =>
      Effect.gen(function* () {
        const { editor, sessionId } = yield* stage()
        const forPeople = { ...permission, _meta: { "signalbox/onlyPeople": true } }
        const turn = yield* Effect.forkScoped(
          editor.prompt(sessionId, { permission }, { text: ". " }, { permission: forPeople })
        )
        for (const place of [0, 1]) {
          yield* editor.until(({ asked }) => asked.length === place + 1)
          editor.asked[place]?.answer("yes")
        }
        yield* Fiber.join(turn)
        assert.deepStrictEqual(
          editor.asked.map(({ params }) => params._meta?.["signalbox/onlyPeople"]),
          [undefined, true]
        )
      }).pipe(Effect.scoped)
  )

  it.live("asks editor and page: where the editor answers first, the page's card closes", () =>
    Effect.gen(function* () {
      const { editor, page, sessionId, threadId, watcher } = yield* stage()
      const turn = yield* Effect.forkScoped(editor.prompt(sessionId, { permission }))
      yield* editor.until(({ asked }) => asked.length === 1)
      const before = yield* watcher.until((view) => view.requests.length === 1)
      editor.asked[0]?.answer("yes")
      yield* Fiber.join(turn)
      assert.strictEqual(SdkEditor.textOf(editor.updates), "permission yes")
      const view = yield* watcher.until(
        ({ requests, turns }) => requests.length === 0 && turns.at(-1)?.status === "completed"
      )
      const closed = view.items.find(({ type }) => type === "request")
      assert.deepInclude(closed?.type === "request" ? closed.outcome : undefined, {
        type: "answered",
        client: { kind: "program" }
      })
      const request = before.requests[0]?.request
      const late = request?.type === "approval" ? optionOf(request, "no") : undefined
      assert.isDefined(late)
      if (late === undefined || request === undefined) return
      const refusal = yield* Effect.flip(
        page.send(threadId, { type: "request.respond", requestId: request.requestId, response: late })
      )
      assert.strictEqual(refusal._tag, "CommandRejected")
    }).pipe(Effect.scoped)
  )

  it.live(
    "serves two editors and a page on one thread: each sees the prompts of the others, and one answer counts",
    () =>
      Effect.gen(function* () {
        const { cwd, editor, page, sessionId, state, threadId, watcher } = yield* stage()
        const other = yield* SdkEditor.start(state, { capabilities: { session: { notices: {} } } })
        yield* other.request((agent) => agent.request(session.resume, { sessionId, cwd }))

        yield* page.prompt(threadId, "from-page", { text: "one. " })
        for (const one of [editor, other]) {
          yield* one.until(({ updates }) => SdkEditor.textOf(updates) === "one. ")
          assert.strictEqual(SdkEditor.textsOf(one.updates, "user_message_chunk"), '[{"text":"one. "}]')
        }
        yield* watcher.until(({ turns }) => turns.at(-1)?.status === "completed")
        yield* editor.prompt(sessionId, { text: "two. " })
        yield* other.until(({ updates }) => SdkEditor.textOf(updates) === "one. two. ")
        assert.include(SdkEditor.textsOf(other.updates, "user_message_chunk"), '[{"text":"two. "}]')
        assert.notInclude(SdkEditor.textsOf(editor.updates, "user_message_chunk"), "two")

        // Two prompts at once are two turns, one after the other. Both editors are asked, and the first answer counts.
        const first = yield* Effect.forkScoped(editor.prompt(sessionId, { permission }, { text: ". " }))
        yield* Effect.all([
          editor.until(({ asked }) => asked.length === 1),
          other.until(({ asked }) => asked.length === 1)
        ])
        const second = yield* Effect.forkScoped(other.prompt(sessionId, { text: "three." }))
        yield* watcher.until(({ turns }) => turns.some(({ status }) => status === "queued"))
        other.asked[0]?.answer("no")
        yield* Effect.promise(() => editor.asked[0]?.withdrawn ?? Promise.reject(new Error("not asked")))
        assert.strictEqual((yield* Fiber.join(first)).stopReason, "end_turn")
        assert.strictEqual((yield* Fiber.join(second)).stopReason, "end_turn")
        yield* editor.until(({ updates }) => SdkEditor.textOf(updates) === "one. two. permission no. three.")
        assert.strictEqual(SdkEditor.textOf(other.updates), "one. two. permission no. three.")
      }).pipe(Effect.scoped)
  )

  it.live("lists threads, resumes one without its history, closes it, and refuses what is not there", () =>
    Effect.gen(function* () {
      const { cwd, editor, sessionId, state } = yield* stage()
      yield* editor.prompt(sessionId, { text: "said" })
      const other = yield* SdkEditor.start(state)
      const list = (params: acp.ListSessionsRequest) => other.request((agent) => agent.request(session.list, params))
      const { sessions } = yield* list({})
      assert.deepStrictEqual(
        sessions.map((one) => [one.sessionId, one.cwd, one.title]),
        [[sessionId, cwd, '[{"text":"said"}]']]
      )
      assert.deepStrictEqual((yield* list({ cwd: "/elsewhere" })).sessions, [])
      yield* other.request((agent) => agent.request(session.resume, { sessionId, cwd }))
      yield* other.prompt(sessionId, { text: " more" })
      assert.strictEqual(SdkEditor.textOf(other.updates), " more")
      yield* other.request((agent) => agent.request(session.close, { sessionId }))
      const closed = yield* other.refused((agent) =>
        agent.request(session.prompt, { sessionId, prompt: [SdkEditor.promptOf()] })
      )
      assert.strictEqual(closed.code, -32_002)
      assert.match(closed.message, /is not open here. Next: load or resume it first$/)
      const missing = yield* other.refused((agent) =>
        agent.request(session.load, { sessionId: "nothing", cwd, mcpServers: [] })
      )
      assert.strictEqual(missing.code, -32_002)
      assert.match(missing.message, /^Signalbox has no thread nothing\./)
      const elsewhere = yield* other.refused((agent) =>
        agent.request(session.load, { sessionId, cwd: "/", mcpServers: [] })
      )
      assert.strictEqual(elsewhere.code, -32_602)
      assert.include(elsewhere.message, `This thread works in ${cwd}, and not in /.`)
      const cursor = yield* other.refused((agent) => agent.request(session.list, { cursor: "odd" }))
      assert.strictEqual(cursor.code, -32_602)
    }).pipe(Effect.scoped)
  )

  it.live(
    "stops the turn of a prompt that is cancelled as a request, and not that of an editor that is terminated",
    () =>
      Effect.gen(function* () {
        const { cwd, editor, sessionId, watcher } = yield* stage()
        const cancellation = new AbortController()
        const cancelled = yield* Effect.forkScoped(
          editor.refused((agent) =>
            agent.request(
              session.prompt,
              { sessionId, prompt: [SdkEditor.promptOf({ text: "one" }, { waitForCancel: true })] },
              { cancellationSignal: cancellation.signal }
            )
          )
        )
        yield* editor.until(({ updates }) => SdkEditor.textOf(updates) === "one")
        cancellation.abort()
        assert.strictEqual((yield* Fiber.join(cancelled)).code, -32_800)
        yield* watcher.until(({ turns }) => turns.at(-1)?.status === "cancelled")

        yield* Effect.forkScoped(Effect.exit(editor.prompt(sessionId, { text: "two" }, { waitForFile: "go" })))
        yield* editor.until(({ updates }) => SdkEditor.textOf(updates) === "onetwo")
        editor.kill("SIGTERM")
        assert.strictEqual((yield* editor.ended).code, 143)
        writeFileSync(join(cwd, "go"), "")
        yield* watcher.until(({ turns }) => turns.length === 2 && turns.at(-1)?.status === "completed")
      }).pipe(Effect.scoped)
  )

  it.live("loads a thread that is longer than a window, in its order", () =>
    Effect.gen(function* () {
      const { cwd, editor, sessionId, state } = yield* stage()
      const texts = Array.from({ length: 45 }, (_, index) => `${index}. `)
      for (const text of texts) yield* editor.prompt(sessionId, { text })
      const other = yield* SdkEditor.start(state)
      yield* other.request((agent) => agent.request(session.load, { sessionId, cwd, mcpServers: [] }))
      const said = other.updates.flatMap((update) =>
        update.sessionUpdate === "user_message_chunk" || update.sessionUpdate === "agent_message_chunk"
          ? [update.content.type === "text" ? update.content.text : ""]
          : []
      )
      assert.deepStrictEqual(
        said,
        texts.flatMap((text) => [JSON.stringify([{ text }]), text])
      )
    }).pipe(Effect.scoped)
  )

  it.live("asks how to go on where the agent has lost the session, and sends nothing before", () =>
    Effect.gen(function* () {
      const { editor, sessionId, watcher } = yield* stage()
      const crash = [SdkEditor.promptOf({ text: "a" }, { crash: 7 })]
      const crashed = yield* editor.refused((agent) => agent.request(session.prompt, { sessionId, prompt: crash }))
      assert.match(crashed.message, /code 7/)
      // This agent can't resume.
      const first = yield* Effect.forkScoped(
        editor.refused((agent) =>
          agent.request(session.prompt, { sessionId, prompt: [SdkEditor.promptOf({ text: "b" })] })
        )
      )
      yield* editor.until(({ asked }) => asked.length === 1)
      assert.deepStrictEqual(
        editor.asked[0]?.params.options.map(({ name }) => name),
        ["Send it with the conversation so far", "Send it without the conversation", "Don't send it"]
      )
      editor.asked[0]?.answer("no")
      const { message } = yield* Fiber.join(first)
      assert.match(message, /^The prompt was not sent: scripts has lost the session with this conversation\./)
      const second = yield* Effect.forkScoped(editor.prompt(sessionId, { text: " c" }))
      yield* editor.until(({ asked }) => asked.length === 2)
      editor.asked[1]?.answer("without")
      assert.strictEqual((yield* Fiber.join(second)).stopReason, "end_turn")
      assert.strictEqual(SdkEditor.textOf(editor.updates), "a c")
      yield* watcher.until(({ forgotten, turns }) => forgotten === undefined && turns.length === 2)
    }).pipe(Effect.scoped)
  )
})
