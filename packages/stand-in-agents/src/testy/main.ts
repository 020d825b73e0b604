/** Testy: an agent that does what its prompt names. It tries a client, or a chain, with every method. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as AcpAgent from "@signalbox/acp/AcpAgent"
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"
import * as Command from "./Command.ts"
import * as Requests from "./Requests.ts"
import * as Sessions from "./Sessions.ts"
import { report, say, type Turn } from "./Turn.ts"
import * as Updates from "./Updates.ts"

const method = "testy-auth"

const initialized = (protocolVersion: number) => ({
  protocolVersion: Math.min(protocolVersion, 1),
  agentInfo: { name: "testy", title: "Testy", version: "0.1.0" },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, audio: true, embeddedContext: true },
    mcpCapabilities: { http: true, acp: true },
    sessionCapabilities: { list: {}, delete: {}, additionalDirectories: {}, resume: {}, close: {} },
    auth: { logout: {} }
  },
  authMethods: [{ id: method, name: "Testy", description: "Takes everybody" }]
})

/** A scenario, and the lines of its report. */
const run = (scenario: Command.Scenario, turn: Turn): Effect.Effect<ReadonlyArray<string>> => {
  switch (scenario) {
    case "session_updates":
      return Updates.sessionUpdates(turn)
    case "content":
      return Updates.content(turn)
    case "tool_calls":
      return Requests.toolCalls(turn)
    case "callbacks":
      return Requests.callbacks(turn)
    case "elicitations":
      return Requests.elicitations(turn)
    case "cancel_status":
      return Effect.sync(() => {
        const { wasCancelled } = turn.session
        turn.session.wasCancelled = false
        return [`cancel_status: ${wasCancelled ? "cancelled" : "not cancelled"}`]
      })
    case "wait_for_cancel":
      return Effect.andThen(say(turn, "waiting"), Effect.never)
    case "full":
      return Effect.map(
        Effect.forEach(["session_updates", "content", "tool_calls", "callbacks", "elicitations"] as const, (each) =>
          run(each, turn)
        ),
        (lines) => lines.flat()
      )
  }
}

const help = [
  "help, greet, echo MESSAGE, or one of these:",
  ...Object.entries(Command.scenarios).map(([name, words]) => `  ${name}: ${words}`),
  'In JSON: {"command":"run_scenario","scenario":…}, {"command":"list_tools","server":…}, {"command":"call_tool","server":…,"tool":…,"params":…}'
]

const answer = (command: Command.Command, turn: Turn): Effect.Effect<ReadonlyArray<string>> => {
  switch (command.command) {
    case "help":
      return Effect.succeed(help)
    case "greet":
      return Effect.succeed(["Hello, world!"])
    case "echo":
      return Effect.succeed([command.message])
    case "run_scenario":
      return run(command.scenario, turn)
    case "list_tools":
    case "call_tool":
      return useServer(command, turn)
  }
}

type OfServer = Extract<Command.Command, { readonly server: string }>

const useServer = Effect.fnUntraced(function* (command: OfServer, { client, session }: Turn) {
  // Loaded when first needed: an MCP client is large.
  const ToolClient = yield* Effect.promise(() => import("../mcp/ToolClient.ts"))
  const used = Effect.gen(function* () {
    const tools = yield* ToolClient.connect(session.setup.mcpServers ?? [], command.server, client.mcpMessage)
    return command.command === "list_tools"
      ? yield* tools.listTools
      : yield* tools.callTool(command.tool, command.params ?? {})
  })
  return [yield* report(command.command, Effect.scoped(used))]
}, Effect.provide(NodeServices.layer))

const main = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const sessions = Sessions.make()
  const counts = new Map<string, number>()
  const nextId = (prefix: string) => {
    const count = (counts.get(prefix) ?? 0) + 1
    counts.set(prefix, count)
    return `${prefix}-${count}`
  }
  const stateOf = (session: Sessions.Session) => ({
    modes: Sessions.modesOf(session),
    configOptions: Sessions.configOptionsOf(session)
  })

  const agent = yield* AcpAgent.make({ input: stdio.stdin, output: stdio.stdout({ endOnDone: false }) }, (client) => ({
    initialize: ({ protocolVersion }) => Effect.succeed(initialized(protocolVersion)),
    authenticate: ({ methodId }) =>
      methodId === method ? Effect.succeed({}) : Effect.fail(RpcError.invalidParams(`There is no sign-in ${methodId}`)),
    logout: () => Effect.succeed({}),
    newSession: (setup) =>
      Effect.sync(() => {
        const session = sessions.create(setup)
        return { sessionId: session.id, ...stateOf(session) }
      }),
    loadSession: ({ sessionId, ...setup }) => Effect.sync(() => stateOf(sessions.reopen(sessionId, setup))),
    resumeSession: ({ sessionId, ...setup }) => Effect.sync(() => stateOf(sessions.reopen(sessionId, setup))),
    listSessions: ({ cwd }) =>
      Effect.sync(() => ({
        sessions: sessions.list(cwd).map(({ id, setup }) => ({
          sessionId: id,
          cwd: setup.cwd,
          additionalDirectories: setup.additionalDirectories ?? [],
          title: "Testy",
          updatedAt: "2026-01-01T00:00:00Z"
        }))
      })),
    closeSession: ({ sessionId }) =>
      Effect.as(
        Effect.sync(() => sessions.close(sessionId)),
        {}
      ),
    deleteSession: ({ sessionId }) =>
      Effect.as(
        Effect.sync(() => sessions.close(sessionId)),
        {}
      ),
    setMode: ({ modeId, sessionId }) => Effect.as(sessions.setMode(sessionId, modeId), {}),
    setConfigOption: ({ configId, sessionId, value }) =>
      Effect.map(sessions.setVerbosity(sessionId, configId, value), (session) => ({
        configOptions: Sessions.configOptionsOf(session)
      })),
    onCancel: ({ sessionId }) => Effect.sync(() => sessions.cancel(sessionId)),
    prompt: Effect.fnUntraced(function* ({ prompt, sessionId }, { id }) {
      const session = yield* sessions.get(sessionId)
      const cancelled = yield* Deferred.make<void>()
      session.turns.add(cancelled)
      const turn: Turn = { client, session, prompt, requestId: id, nextId }
      const text = prompt.map((block) => (block.type === "text" && "text" in block ? block.text : "")).join(" ")
      const lines = yield* Effect.raceFirst(
        answer(Command.parse(text), turn),
        Effect.as(Deferred.await(cancelled), undefined)
      ).pipe(Effect.ensuring(Effect.sync(() => session.turns.delete(cancelled))))
      if (lines === undefined) return { stopReason: "cancelled" as const }
      yield* say(turn, lines.join("\n"))
      return { stopReason: "end_turn" as const }
    })
  }))
  yield* agent.closed
}).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

NodeRuntime.runMain(main)
