/**
 * A client that is written for version 1 against an agent of version 2. The agent is built on the official SDK, as a real child process.
 */
import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as ChildProcess from "effect/process/ChildProcess"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import * as AcpAgent from "../src/AcpAgent.ts"
import * as AcpClient from "../src/AcpClient.ts"
import type * as Acp from "../src/AcpSchema.ts"
import type { Dialect } from "../src/Dialect.ts"
import { RpcError } from "../src/JsonRpc.ts"
import * as Transport from "../src/Transport.ts"
import * as V2 from "../src/DialectV2.ts"
import * as Versions from "../src/Versions.ts"

const script = fileURLToPath(new URL("fixtures/sdk-v2-agent.mjs", import.meta.url))
const hello = {
  clientInfo: { name: "test", version: "0" },
  capabilities: { auth: { terminal: true }, _meta: { mine: 1 } }
}

/** What the client received, in order: updates, and the ends of turns. */
type Told = { readonly [member: string]: unknown }

const spawn = Effect.fnUntraced(function* (versions: ReadonlyArray<string>) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  return yield* spawner.spawn(
    ChildProcess.make(process.execPath, [script, ...versions], { stderr: "inherit", forceKillAfter: "1 second" })
  )
})

const connectTo = Effect.fnUntraced(function* (
  versions: ReadonlyArray<string>,
  dialect: Dialect | undefined,
  handlers: Partial<AcpClient.Handlers> = {}
) {
  const child = yield* spawn(versions)
  const told: Array<Told> = []
  const issues: Array<AcpClient.Issue> = []
  const asked = yield* Deferred.make<void>()
  const client = yield* AcpClient.make(
    { input: child.stdout, output: child.stdin },
    {
      onUpdates: (batch) =>
        Effect.sync(() => {
          for (const { _tag, ...incoming } of batch) {
            told.push(
              "update" in incoming ? Object.fromEntries(Object.entries(incoming.update)) : { unknown: incoming.raw }
            )
            if ("update" in incoming && incoming.update.sessionUpdate === "tool_call")
              Deferred.doneUnsafe(asked, Effect.void)
          }
        }),
      requestPermission: () => Effect.succeed({ outcome: { outcome: "selected", optionId: "yes" } }),
      onIssue: (issue) => issues.push(issue),
      ...handlers
    },
    { dialect }
  )
  return { client, told, issues, asked }
})

const connect = Effect.fnUntraced(function* (handlers: Partial<AcpClient.Handlers> = {}) {
  const connection = yield* connectTo([], V2.dialect, handlers)
  const { client, told } = connection
  const agent = yield* client.initialize(hello)
  const session = yield* client.newSession({
    cwd: "/",
    mcpServers: [{ name: "files", command: "/bin/files", args: [], env: [] }]
  })
  const { sessionId } = session
  const prompt = (text: string) =>
    client.prompt(
      { sessionId, prompt: [{ type: "text", text }] },
      { onResponse: () => Effect.sync(() => told.push({ answered: text })) }
    )
  /** What the client received since the last call, without the person's words. */
  const news = () => told.splice(0).filter(({ sessionUpdate }) => sessionUpdate !== "user_message_chunk")
  return { ...connection, agent, session, sessionId, prompt, news }
})

const texts = (told: ReadonlyArray<Told>) =>
  told.flatMap(({ content, messageId }) =>
    typeof content === "object" && content !== null && "text" in content ? [[messageId, content.text]] : []
  )

describe("AcpClient with an agent of version 2 on the official SDK", () => {
  it.live(
    "[31] says who it is and what it can in the words of version 2, and hears the agent in those of version 1",
    () =>
      Effect.gen(function* () {
        const { agent } = yield* connect({
          elicitation: { modes: ["form"], create: () => Effect.succeed({ action: "cancel" }) }
        })
        assert.deepStrictEqual(agent.agentInfo?._meta?.["asked"], {
          protocolVersion: 2,
          info: { name: "test", version: "0" },
          capabilities: { auth: { terminal: {} }, elicitation: { form: {} }, _meta: { mine: 1 } }
        })
        assert.deepStrictEqual(agent.agentCapabilities, {
          loadSession: true,
          promptCapabilities: { image: true, audio: false, embeddedContext: false },
          mcpCapabilities: { http: true, sse: false, acp: false },
          sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, fork: {} },
          auth: { status: {}, logout: {} }
        })
        assert.deepStrictEqual(agent.authMethods, [
          { id: "browser", name: "Browser" },
          { type: "terminal", id: "tty", name: "Terminal", args: ["login"], env: { A: "1" } }
        ])
      }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live(
    "[109] logs in and out, begins a session with its options and commands, and names every value by its type",
    () =>
      Effect.gen(function* () {
        const { client, news, session, sessionId } = yield* connect()
        assert.deepStrictEqual((yield* client.authenticate({ methodId: "browser" }))._meta, { with: "browser" })
        yield* client.logout({})
        assert.deepStrictEqual(session._meta, {
          mcpServers: [{ type: "stdio", name: "files", command: "/bin/files", args: [], env: [] }]
        })
        const options = (currentValue: string) => [
          {
            type: "select",
            id: "model",
            name: "Model",
            category: "model",
            currentValue,
            options: [
              { group: "g", name: "Group", options: ["a", "b"].map((value) => ({ value, name: value.toUpperCase() })) }
            ]
          },
          { type: "boolean", id: "fast", name: "Fast", currentValue: false }
        ]
        assert.deepStrictEqual<unknown>(session.configOptions, options("a"))
        assert.deepStrictEqual(
          news().map(({ availableCommands }) => availableCommands),
          [[{ type: "command", name: "plan", description: "Plans", input: { type: "text", hint: "what" } }]]
        )
        const set = yield* client.setConfigOption({ sessionId, configId: "model", value: "b" })
        assert.deepStrictEqual<unknown>(set.configOptions, options("b"))
        assert.deepStrictEqual(set._meta, { sent: { sessionId, configId: "model", type: "id", value: "b" } })
        const flag = { sessionId, configId: "fast", type: "boolean", value: true } as const
        assert.deepStrictEqual((yield* client.setConfigOption(flag))._meta, { sent: flag })
        assert.deepInclude(yield* Effect.flip(client.setMode({ sessionId, modeId: "m" })), { code: -32601 })
        assert.deepStrictEqual(yield* client.listSessions({}), { sessions: [{ sessionId, cwd: "/one" }] })
      }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live(
    "a prompt is answered when its turn is over: behind all of it, once, whenever the agent has taken it in",
    () =>
      Effect.gen(function* () {
        const { issues, news, prompt } = yield* connect()
        news()
        for (const text of ["flood", "late flood", "flood"]) {
          assert.deepStrictEqual(yield* prompt(text), {
            stopReason: "end_turn",
            usage: { totalTokens: 3, inputTokens: 1, outputTokens: 2 }
          })
          const told = news()
          assert.deepStrictEqual(
            texts(told).map(([, said]) => said),
            Array.from({ length: 2000 }, (_, i) => String(i))
          )
          assert.deepStrictEqual(told.at(-1), { answered: text })
        }
        assert.deepStrictEqual(issues, [])
      }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("turns end for every reason, and fail before they begin, in between, and with the agent", () =>
    Effect.gen(function* () {
      const { client, news, prompt } = yield* connect()
      assert.deepStrictEqual(yield* prompt("silent"), { stopReason: "end_turn" })
      assert.deepStrictEqual<unknown>(yield* prompt("strange"), { stopReason: "_tired" })
      assert.deepInclude(yield* Effect.flip(prompt("fail")), {
        code: -32011,
        message: "Out of tokens",
        data: { left: 0 }
      })
      assert.deepInclude(yield* Effect.flip(prompt("refuse")), { code: -32602 })
      news()
      assert.strictEqual((yield* Effect.flip(prompt("crash")))._tag, "ConnectionClosed")
      assert.deepStrictEqual(news(), [{ answered: "crash" }])
      assert.strictEqual((yield* client.closed)._tag, "ConnectionClosed")
      assert.strictEqual((yield* Effect.flip(prompt("flood")))._tag, "ConnectionClosed")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("a cancelled turn ends as one; its calls are left to the client, which has cancelled them", () =>
    Effect.gen(function* () {
      const { asked, client, news, prompt, sessionId } = yield* connect()
      news()
      const turn = yield* Effect.forkChild(prompt("wait"), { startImmediately: true })
      yield* Deferred.await(asked)
      yield* client.cancel({ sessionId })
      assert.deepStrictEqual(yield* Fiber.join(turn), { stopReason: "cancelled" })
      assert.deepStrictEqual(news(), [
        { sessionUpdate: "tool_call", toolCallId: "t1", title: "Sleep", status: "in_progress" },
        { sessionUpdate: "tool_call_update", toolCallId: "t1" },
        { answered: "wait" }
      ])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("a session that is closed ends its turn, whether the agent says so or not", () =>
    Effect.gen(function* () {
      const { asked, client, prompt, sessionId } = yield* connect()
      const turn = yield* Effect.forkChild(prompt("wait"), { startImmediately: true })
      yield* Deferred.await(asked)
      yield* client.closeSession({ sessionId })
      assert.deepStrictEqual(yield* Fiber.join(turn), { stopReason: "cancelled" })
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("loads a session: the history is in before the result; a state in it ends nothing", () =>
    Effect.gen(function* () {
      const { client, sessionId, told } = yield* connect()
      told.length = 0
      const { configOptions } = yield* client.loadSession({ sessionId, cwd: "/", mcpServers: [] })
      assert.strictEqual(configOptions?.length, 2)
      assert.deepStrictEqual(texts(told), [
        ["u0", "What was it?"],
        ...Array.from({ length: 500 }, (_, i) => ["h", `history ${i} `])
      ])
      told.length = 0
      yield* client.resumeSession({ sessionId, cwd: "/", mcpServers: [] })
      assert.deepStrictEqual(told, [])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("messages that come as a whole add what is missing; one that is another text is shown anew", () =>
    Effect.gen(function* () {
      const { news, prompt } = yield* connect()
      yield* prompt("messages")
      assert.deepStrictEqual(texts(news()), [
        ["m1", "Hel"],
        ["m1", "lo"],
        ["m2", "All at once"],
        ["m1:2", "Hullo"],
        ["m1:2", "!"]
      ])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live(
    "tool calls gather their pieces, show the agent's terminals and patches as text, and end as version 1 can say",
    () =>
      Effect.gen(function* () {
        const { issues, news, prompt } = yield* connect()
        news()
        yield* prompt("tools")
        const text = (written: string) => ({ type: "content", content: { type: "text", text: written } })
        const first = (members: object) => ({ sessionUpdate: "tool_call_update", toolCallId: "t1", ...members })
        const shown = (lines: string) => first({ content: [text(`\`\`\`console\n$ make\n${lines}\`\`\``)] })
        const told = news()
        assert.deepStrictEqual<unknown>(
          told.filter(({ toolCallId }) => toolCallId === "t1"),
          [
            {
              sessionUpdate: "tool_call",
              toolCallId: "t1",
              title: "Build",
              kind: "other",
              status: "in_progress",
              rawInput: { target: "all" }
            },
            first({ content: [text("one ")] }),
            first({ content: [text("one two")] }),
            shown(""),
            shown("gr\n"),
            shown("grün\n"),
            shown("grün\n[exit code 2]\n"),
            first({ status: "failed" })
          ]
        )
        assert.deepStrictEqual<unknown>(told.find(({ toolCallId }) => toolCallId === "t2")?.["content"], [
          { type: "diff", path: "/project/src/a.ts", oldText: "one\ntwo\nthree\n", newText: "one\n2\nthree\n" },
          text("move /project/b.ts → /project/c.ts")
        ])
        assert.deepStrictEqual(issues, [])
      }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live(
    "[92] asks for permission whatever it is about: a call, a command, or something unknown; unknown options are offered",
    () =>
      Effect.gen(function* () {
        const requests: Array<Acp.RequestPermissionRequest> = []
        const { news, prompt } = yield* connect({
          requestPermission: (params) =>
            Effect.sync(() => {
              requests.push(params)
              return { outcome: { outcome: "selected", optionId: requests.length === 3 ? "maybe" : "yes" } }
            })
        })
        news()
        yield* prompt("permissions")
        assert.deepStrictEqual(texts(news()), [["m", '["yes","yes","maybe"]']])
        const reason = [{ type: "content", content: { type: "text", text: "To tidy up" } }]
        const [call, command, other] = requests.map(({ toolCall }) =>
          Object.fromEntries(Object.entries(toolCall).filter(([name]) => name !== "toolCallId"))
        )
        assert.deepStrictEqual<unknown>(call, { title: "Remove it?", kind: "delete" })
        assert.deepStrictEqual<unknown>(command, {
          title: "Run it?",
          content: reason,
          kind: "execute",
          rawInput: { command: "rm -r x", cwd: "/work" }
        })
        assert.deepStrictEqual<unknown>(other, {
          title: "Go on?",
          content: [],
          kind: "other",
          rawInput: { type: "_budget", amount: 3 }
        })
        assert.strictEqual(new Set(requests.map(({ toolCall }) => toolCall.toolCallId)).size, 3)
        assert.deepStrictEqual<unknown>(
          requests[0]?.options.map(({ kind }) => kind),
          ["allow_once", "_allow_tomorrow"]
        )
      }).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("Versions.negotiate", () => {
  const negotiate = (versions: ReadonlyArray<string>, dialects: ReadonlyArray<Dialect>) => {
    const tried: Array<number> = []
    return Effect.map(
      Versions.negotiate(
        (dialect) => {
          tried.push(dialect?.version ?? 1)
          return Effect.map(connectTo(versions, dialect), ({ client }) => client)
        },
        hello,
        dialects
      ),
      (connected) => ({ ...connected, tried })
    )
  }

  it.live("speaks the highest version that both do", () =>
    Effect.gen(function* () {
      const { agent, tried } = yield* negotiate(["both"], [V2.dialect])
      assert.deepStrictEqual([agent.protocolVersion, agent.agentInfo?.name, tried], [2, "sdk-v2-agent", [2]])
      const plain = yield* negotiate(["both"], [])
      assert.deepStrictEqual([plain.agent.protocolVersion, plain.agent.agentInfo?.name], [1, "sdk-v1-agent"])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live(
    "[22] an agent that answers with version 1 is asked again in version 1, and hears what the client can do",
    () =>
      Effect.gen(function* () {
        const { agent, client, tried } = yield* negotiate(["old"], [V2.dialect])
        assert.deepStrictEqual([agent.protocolVersion, tried], [1, [2, 1]])
        assert.deepInclude(agent.agentInfo?._meta?.["asked"], { protocolVersion: 1, clientInfo: hello.clientInfo })
        const { sessionId } = yield* client.newSession({ cwd: "/", mcpServers: [] })
        const prompt = [{ type: "text", text: "Hello" }] as const
        assert.deepStrictEqual(yield* client.prompt({ sessionId, prompt }), { stopReason: "end_turn" })
      }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live(
    "[31] an agent that refuses the version (-32022) is told so, and asked again where there is one in common",
    () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(negotiate([], []))
        assert.deepInclude(failure, { _tag: "UnsupportedVersion", offered: 2, supported: [1] })
        const { agent } = yield* negotiate([], [V2.dialect])
        assert.strictEqual(agent.protocolVersion, 2)
      }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("[31] a refusal (-32022) that names a lower version is followed", () =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      const connect = Effect.fnUntraced(function* (dialect: Dialect | undefined) {
        const [near, far] = yield* Transport.pair()
        yield* AcpAgent.make(far, () => ({
          initialize: ({ protocolVersion }) => {
            asked.push(protocolVersion)
            if (protocolVersion === 1) return Effect.succeed({ protocolVersion: 1 })
            const data = { requested: protocolVersion, supported: [1] }
            return Effect.fail(new RpcError({ code: -32022, message: "Unsupported protocol version", data }))
          },
          newSession: () => Effect.succeed({ sessionId: "s" }),
          prompt: () => Effect.succeed({ stopReason: "end_turn" })
        }))
        return yield* AcpClient.make(
          near,
          {
            onUpdates: () => Effect.void,
            requestPermission: () => Effect.succeed({ outcome: { outcome: "cancelled" } })
          },
          { dialect }
        )
      })
      const { agent } = yield* Versions.negotiate(connect, hello, [V2.dialect])
      assert.deepStrictEqual([agent.protocolVersion, asked], [1, [2, 1]])
    })
  )
})
