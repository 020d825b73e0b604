/** Eliza as an ACP agent on stdin and stdout: deterministic small talk, for machines without a coding agent and for tests. */
import * as AcpAgent from "@signalbox/acp/AcpAgent"
import type { ContentBlock, McpServer } from "@signalbox/acp/AcpSchema"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"
import { randomUUID } from "node:crypto"
import { Eliza } from "./Eliza.ts"

/** Each session is a conversation of its own. */
interface Session {
  readonly eliza: Eliza
  readonly mcpServers: ReadonlyArray<McpServer>
}

const textOf = (prompt: ReadonlyArray<ContentBlock>) =>
  prompt.flatMap((block) => (block.type === "text" && "text" in block ? [block.text] : [])).join(" ")

const main = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const sessions = new Map<string, Session>()

  const reply = Effect.fnUntraced(function* (sessionId: string, text: string) {
    const session = sessions.get(sessionId)
    if (session === undefined) return `Error: Session ${sessionId} not found. Please start a new session.`
    if (/^\s*(list|use) tool/i.test(text)) {
      // Loaded when first needed: an MCP client is large, and most conversations want none.
      const mcp = yield* Effect.promise(() => import("./McpTools.ts"))
      if (mcp.isCommand(text)) return yield* mcp.answer(text, session.mcpServers)
    }
    return session.eliza.reply(text)
  })

  const agent = yield* AcpAgent.make({ input: stdio.stdin, output: stdio.stdout({ endOnDone: false }) }, (self) => ({
    initialize: ({ protocolVersion }) =>
      Effect.succeed({
        protocolVersion: Math.min(protocolVersion, 1),
        agentInfo: { name: "eliza", title: "Eliza", version: "0.1.0" },
        agentCapabilities: { loadSession: true, mcpCapabilities: { http: true } },
        authMethods: []
      }),
    newSession: ({ mcpServers }) =>
      Effect.sync(() => {
        const sessionId = randomUUID()
        sessions.set(sessionId, { eliza: new Eliza(), mcpServers })
        return { sessionId }
      }),
    // Any id is taken: there is nothing to remember but the person, and she begins anew.
    loadSession: ({ mcpServers, sessionId }) =>
      Effect.sync(() => {
        sessions.set(sessionId, { eliza: new Eliza(), mcpServers })
        return {}
      }),
    prompt: Effect.fnUntraced(function* ({ prompt, sessionId }) {
      const text = yield* reply(sessionId, textOf(prompt))
      yield* self
        .sendUpdate(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } })
        .pipe(Effect.ignore)
      return { stopReason: "end_turn" as const }
    })
  }))
  yield* agent.closed
}).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

NodeRuntime.runMain(main)
