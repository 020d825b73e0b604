/** The tool caller: an agent that carries out the script in its prompt. It calls tools of the MCP servers that its session has. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as AcpAgent from "@signalbox/acp/AcpAgent"
import type { McpServer, SessionUpdate } from "@signalbox/acp/AcpSchema"
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"
import { randomUUID } from "node:crypto"
import * as Action from "./Action.ts"
import * as Script from "./Script.ts"

interface Session {
  readonly cwd: string
  readonly mcpServers: ReadonlyArray<McpServer>
  /** Ends what runs. */
  cancelled: Deferred.Deferred<void>
}

/** `--acp`, `--http` or neither: how it takes MCP servers, beside programs. */
const transports = process.argv.slice(2)
if (transports.some((word) => word !== "--acp" && word !== "--http")) {
  process.stderr.write("tools [--acp] [--http]: how it takes MCP servers, beside programs\n")
  process.exit(2)
}
const mcpCapabilities = { acp: transports.includes("--acp"), http: transports.includes("--http") }

const main = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const sessions = new Map<string, Session>()

  const agent = yield* AcpAgent.make({ input: stdio.stdin, output: stdio.stdout({ endOnDone: false }) }, (client) => {
    const send = (sessionId: string, update: SessionUpdate) => Effect.ignore(client.sendUpdate(sessionId, update))
    const say = (sessionId: string, text: string) =>
      send(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } })

    const run = Effect.fnUntraced(function* (
      sessionId: string,
      session: Session,
      step: Exclude<Script.Step, { readonly stop: string }>
    ) {
      if ("say" in step) return yield* say(sessionId, step.say)
      const toolCallId = randomUUID()
      yield* send(sessionId, {
        sessionUpdate: "tool_call",
        toolCallId,
        ...Action.shown(step),
        status: "in_progress",
        rawInput: step
      })
      const { cwd, mcpServers } = session
      const takesAcp = mcpCapabilities.acp
      const [status, text] = yield* Effect.match(
        Action.carryOut(step, { client, sessionId, cwd, mcpServers, takesAcp }),
        {
          onSuccess: (said) => ["completed", said] as const,
          onFailure: ({ message }) => ["failed", message] as const
        }
      )
      const content = [{ type: "content" as const, content: { type: "text" as const, text } }]
      yield* send(sessionId, { sessionUpdate: "tool_call_update", toolCallId, status, content })
      yield* say(sessionId, `${status === "completed" ? "OK" : "ERROR"}: ${text}\n`)
    })

    /** Does one step after the other, and returns why the turn ends. */
    const carryOut = Effect.fnUntraced(function* (
      sessionId: string,
      session: Session,
      steps: ReadonlyArray<Script.Step>
    ) {
      for (const step of steps) {
        if ("stop" in step) return step.stop
        yield* run(sessionId, session, step)
      }
      return "end_turn" as const
    })

    return {
      initialize: ({ protocolVersion }) =>
        Effect.succeed({
          protocolVersion: Math.min(protocolVersion, 1),
          agentInfo: { name: "tools", title: "Tool caller", version: "0.1.0" },
          agentCapabilities: { mcpCapabilities, sessionCapabilities: { close: {} } }
        }),
      newSession: ({ cwd, mcpServers }) =>
        Effect.map(Deferred.make<void>(), (cancelled) => {
          const sessionId = randomUUID()
          sessions.set(sessionId, { cwd, mcpServers, cancelled })
          return { sessionId }
        }),
      closeSession: ({ sessionId }) =>
        Effect.sync(() => {
          const session = sessions.get(sessionId)
          sessions.delete(sessionId)
          if (session !== undefined) Deferred.doneUnsafe(session.cancelled, Effect.void)
          return {}
        }),
      onCancel: ({ sessionId }) =>
        Effect.sync(() => {
          const session = sessions.get(sessionId)
          if (session !== undefined) Deferred.doneUnsafe(session.cancelled, Effect.void)
        }),
      prompt: Effect.fnUntraced(function* ({ prompt, sessionId }) {
        const session = sessions.get(sessionId)
        if (session === undefined) return yield* RpcError.invalidParams(`There is no session ${sessionId}`)
        session.cancelled = yield* Deferred.make<void>()
        // What a component puts before the prompt of a person stands in blocks before it.
        const text = prompt.map((block) => (block.type === "text" && "text" in block ? block.text : "")).at(-1) ?? ""
        const steps = yield* Effect.result(Script.decode(text))
        if (steps._tag === "Failure") {
          yield* say(sessionId, `This is no script. ${steps.failure.message}`)
          return { stopReason: "end_turn" as const }
        }
        const stopReason = yield* Effect.raceFirst(
          carryOut(sessionId, session, steps.success),
          Effect.as(Deferred.await(session.cancelled), "cancelled" as const)
        )
        return { stopReason }
      }, Effect.provide(NodeServices.layer))
    }
  })
  yield* agent.closed
}).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

NodeRuntime.runMain(main)
